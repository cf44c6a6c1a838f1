# Written by `make stubs` from the table beside it.

"""`tf.linalg.experimental`: systems of equations by products alone."""

from ..linear_operators.conjugate_gradient import conjugate_gradient as conjugate_gradient

__all__ = ['conjugate_gradient']
