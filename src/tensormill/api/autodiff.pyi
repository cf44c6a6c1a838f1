# Written by `make stubs` from the table beside it.

"""`tf.autodiff`: gradients."""

from ..autodiff.forward import ForwardAccumulator as ForwardAccumulator
from ..autodiff.tape import GradientTape as GradientTape

__all__ = ['ForwardAccumulator', 'GradientTape']
