"""`tf.random`: streams of random numbers."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=random_experimental",
    "ops.random.candidates": (
        "all_candidate_sampler fixed_unigram_candidate_sampler log_uniform_candidate_sampler "
        "learned_unigram_candidate_sampler uniform_candidate_sampler"
    ),
    "core.random_state": "set_seed",
    "module.random_generator": "Generator get_global_generator set_global_generator",
    "ops.random.algorithms": "Algorithm",
    "ops.random.keyed": "create_rng_state fold_in split=split_seed",
    "ops.random.uniform_and_normal": "normal shuffle truncated_normal uniform",
    "ops.random.bounded_normal": "stateless_parameterized_truncated_normal",
    "ops.random.categories": "categorical stateless_categorical",
    "ops.random.gamma_and_poisson": (
        "gamma poisson stateless_binomial stateless_gamma stateless_poisson"
    ),
    "ops.random.stateless": "stateless_normal stateless_truncated_normal stateless_uniform",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
