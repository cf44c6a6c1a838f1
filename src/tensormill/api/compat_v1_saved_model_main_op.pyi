# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.saved_model.main_op`: what runs when a model is loaded."""

from ..version_one.initialization import main_op as main_op
from ..version_one.initialization import main_op_with_restore as main_op_with_restore

__all__ = ['main_op', 'main_op_with_restore']
