# Written by `make stubs` from the table beside it.

"""`tf.random.experimental`: older names of generators."""

from ..ops.random.algorithms import Algorithm as Algorithm
from ..module.random_generator import Generator as Generator
from ..ops.random.keyed import create_rng_state as create_rng_state
from ..module.random_generator import get_global_generator as get_global_generator
from ..ops.random.index_shuffle import index_shuffle as index_shuffle
from ..module.random_generator import set_global_generator as set_global_generator
from ..ops.random.keyed import fold_in as stateless_fold_in
from ..ops.random.stateless_shuffle import stateless_shuffle as stateless_shuffle
from ..ops.random.keyed import split_seed as stateless_split

__all__ = ['Algorithm', 'Generator', 'create_rng_state', 'get_global_generator', 'index_shuffle', 'set_global_generator', 'stateless_fold_in', 'stateless_shuffle', 'stateless_split']
