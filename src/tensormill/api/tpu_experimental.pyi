# Written by `make stubs` from the table beside it.

"""`tf.tpu.experimental`: meshes of TPUs as values, and embeddings."""

from ..distribution.tpu.system import HardwareFeature as HardwareFeature
from ..distribution.tpu.system import TPUSystemMetadata as TPUSystemMetadata
from ..distribution.tpu.topology import Topology as Topology
from . import tpu_experimental_embedding as embedding
from ..distribution.tpu.resolver import initialize_tpu_system as initialize_tpu_system
from ..distribution.tpu.resolver import shutdown_tpu_system as shutdown_tpu_system

__all__ = ['HardwareFeature', 'TPUSystemMetadata', 'Topology', 'embedding', 'initialize_tpu_system', 'shutdown_tpu_system']
