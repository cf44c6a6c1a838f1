# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.user_ops`: TensorFlow's example of one."""

from ..version_one.functions.strings import my_fact as my_fact

__all__ = ['my_fact']
