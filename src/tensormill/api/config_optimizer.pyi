# Written by `make stubs` from the table beside it.

"""`tf.config.optimizer`: wishes of TensorFlow programs about its optimizer."""

from ..eager.devices import get_experimental_options as get_experimental_options
from ..eager.devices import get_jit as get_jit
from ..eager.devices import set_experimental_options as set_experimental_options
from ..eager.devices import set_jit as set_jit

__all__ = ['get_experimental_options', 'get_jit', 'set_experimental_options', 'set_jit']
