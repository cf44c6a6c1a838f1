# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.saved_model.signature_def_utils`: signatures."""

from ..version_one.signatures import MethodNameUpdater as MethodNameUpdater
from ..version_one.saved_models import build_signature_def as build_signature_def
from ..version_one.signatures import classification_signature_def as classification_signature_def
from ..version_one.signatures import is_valid_signature as is_valid_signature
from ..version_one.saved_models import predict_signature_def as predict_signature_def
from ..version_one.signatures import regression_signature_def as regression_signature_def

__all__ = ['MethodNameUpdater', 'build_signature_def', 'classification_signature_def', 'is_valid_signature', 'predict_signature_def', 'regression_signature_def']
