# Written by `make stubs` from the table beside it.

"""`tf.config.threading`: how many threads."""

from ..eager.devices import get_inter_op_parallelism_threads as get_inter_op_parallelism_threads
from ..eager.devices import get_intra_op_parallelism_threads as get_intra_op_parallelism_threads
from ..eager.devices import set_inter_op_parallelism_threads as set_inter_op_parallelism_threads
from ..eager.devices import set_intra_op_parallelism_threads as set_intra_op_parallelism_threads

__all__ = ['get_inter_op_parallelism_threads', 'get_intra_op_parallelism_threads', 'set_inter_op_parallelism_threads', 'set_intra_op_parallelism_threads']
