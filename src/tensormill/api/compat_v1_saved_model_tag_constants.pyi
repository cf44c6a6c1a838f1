# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.saved_model.tag_constants`: tags of graphs."""

from ..saved_model.options import GPU as GPU
from ..saved_model.options import SERVING as SERVING
from ..saved_model.options import TPU as TPU
from ..saved_model.options import TRAINING as TRAINING

__all__ = ['GPU', 'SERVING', 'TPU', 'TRAINING']
