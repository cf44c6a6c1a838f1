# Written by `make stubs` from the table beside it.

"""`tf.nn.experimental`: dropout by a seed alone."""

from ..ops.nn.bias_and_dropout import general_dropout as general_dropout
from ..ops.nn.bias_and_dropout import stateless_dropout as stateless_dropout

__all__ = ['general_dropout', 'stateless_dropout']
