# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.saved_model.utils`: tensors in signatures."""

from ..version_one.saved_models import build_tensor_info as build_tensor_info
from ..version_one.saved_models import get_tensor_from_tensor_info as get_tensor_from_tensor_info

__all__ = ['build_tensor_info', 'get_tensor_from_tensor_info']
