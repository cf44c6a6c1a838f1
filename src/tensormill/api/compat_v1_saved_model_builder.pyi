# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.saved_model.builder`: writing models."""

from ..version_one.saved_models import SavedModelBuilder as SavedModelBuilder

__all__ = ['SavedModelBuilder']
