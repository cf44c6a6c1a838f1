# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.random`: streams of random numbers."""

from ..ops.random.algorithms import Algorithm as Algorithm
from ..module.random_generator import Generator as Generator
from ..ops.random.candidates import all_candidate_sampler as all_candidate_sampler
from ..ops.random.categories import categorical as categorical
from ..ops.random.keyed import create_rng_state as create_rng_state
from . import random_experimental as experimental
from ..ops.random.candidates import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from ..ops.random.keyed import fold_in as fold_in
from ..ops.random.gamma_and_poisson import gamma as gamma
from ..module.random_generator import get_global_generator as get_global_generator
from ..version_one.functions.random import get_seed as get_seed
from ..ops.random.candidates import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from ..ops.random.candidates import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from ..version_one.functions.random import multinomial as multinomial
from ..ops.random.uniform_and_normal import normal as normal
from ..version_one.functions.random import random_poisson as poisson
from ..module.random_generator import set_global_generator as set_global_generator
from ..version_one.initialization import set_random_seed as set_random_seed
from ..core.random_state import set_seed as set_seed
from ..ops.random.uniform_and_normal import shuffle as shuffle
from ..ops.random.keyed import split_seed as split
from ..ops.random.gamma_and_poisson import stateless_binomial as stateless_binomial
from ..ops.random.categories import stateless_categorical as stateless_categorical
from ..ops.random.gamma_and_poisson import stateless_gamma as stateless_gamma
from ..version_one.functions.random import stateless_multinomial as stateless_multinomial
from ..ops.random.stateless import stateless_normal as stateless_normal
from ..ops.random.bounded_normal import stateless_parameterized_truncated_normal as stateless_parameterized_truncated_normal
from ..ops.random.gamma_and_poisson import stateless_poisson as stateless_poisson
from ..ops.random.stateless import stateless_truncated_normal as stateless_truncated_normal
from ..ops.random.stateless import stateless_uniform as stateless_uniform
from ..ops.random.uniform_and_normal import truncated_normal as truncated_normal
from ..ops.random.uniform_and_normal import uniform as uniform
from ..ops.random.candidates import uniform_candidate_sampler as uniform_candidate_sampler

__all__ = ['Algorithm', 'Generator', 'all_candidate_sampler', 'categorical', 'create_rng_state', 'experimental', 'fixed_unigram_candidate_sampler', 'fold_in', 'gamma', 'get_global_generator', 'get_seed', 'learned_unigram_candidate_sampler', 'log_uniform_candidate_sampler', 'multinomial', 'normal', 'poisson', 'set_global_generator', 'set_random_seed', 'set_seed', 'shuffle', 'split', 'stateless_binomial', 'stateless_categorical', 'stateless_gamma', 'stateless_multinomial', 'stateless_normal', 'stateless_parameterized_truncated_normal', 'stateless_poisson', 'stateless_truncated_normal', 'stateless_uniform', 'truncated_normal', 'uniform', 'uniform_candidate_sampler']
