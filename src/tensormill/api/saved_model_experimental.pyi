# Written by `make stubs` from the table beside it.

"""`tf.saved_model.experimental`: parts of models with a state of their own."""

from ..saved_model.fingerprint import SavedModelFingerprint as Fingerprint
from ..module.assets import TrackableResource as TrackableResource
from ..saved_model.options import VariablePolicy as VariablePolicy
from ..saved_model.fingerprint import read_fingerprint as read_fingerprint

__all__ = ['Fingerprint', 'TrackableResource', 'VariablePolicy', 'read_fingerprint']
