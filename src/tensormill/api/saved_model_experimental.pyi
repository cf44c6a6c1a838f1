# Written by `make stubs` from the table beside it.

"""`tf.saved_model.experimental`: parts of models with a state of their own."""

from ..module.assets import TrackableResource as TrackableResource
from ..saved_model.options import VariablePolicy as VariablePolicy

__all__ = ['TrackableResource', 'VariablePolicy']
