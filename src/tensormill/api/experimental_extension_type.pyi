# Written by `make stubs` from the table beside it.

"""`tf.experimental.extension_type`: extension types taken apart."""

from ..ops.extension_type import as_dict as as_dict

__all__ = ['as_dict']
