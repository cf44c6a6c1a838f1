# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.saved_model.signature_def_utils`: signatures."""

from ..version_one.saved_models import build_signature_def as build_signature_def
from ..version_one.saved_models import predict_signature_def as predict_signature_def

__all__ = ['build_signature_def', 'predict_signature_def']
