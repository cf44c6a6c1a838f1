"""`tf.random.experimental`: older names of generators."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.random.index_shuffle": "index_shuffle",
    "ops.random.stateless_shuffle": "stateless_shuffle",
    "module.random_generator": "Generator get_global_generator set_global_generator",
    "ops.random.algorithms": "Algorithm",
    "ops.random.keyed": ("create_rng_state stateless_fold_in=fold_in stateless_split=split_seed"),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.random.experimental")
