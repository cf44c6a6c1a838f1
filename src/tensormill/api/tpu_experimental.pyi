# Written by `make stubs` from the table beside it.

"""`tf.tpu.experimental`: meshes of TPUs as values, and embeddings."""

from ..distribution.tpu.system import HardwareFeature as HardwareFeature
from ..distribution.tpu.system import TPUSystemMetadata as TPUSystemMetadata
from ..distribution.tpu.topology import Topology as Topology
from . import tpu_experimental_embedding as embedding

__all__ = ['HardwareFeature', 'TPUSystemMetadata', 'Topology', 'embedding']
