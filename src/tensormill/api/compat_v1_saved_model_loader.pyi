# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.saved_model.loader`: reading models."""

from ..version_one.saved_models import load as load
from ..version_one.saved_models import maybe_saved_model_directory as maybe_saved_model_directory

__all__ = ['load', 'maybe_saved_model_directory']
