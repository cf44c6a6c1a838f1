"""`tf.tpu.experimental`: meshes of TPUs as values, and embeddings."""

from __future__ import annotations

from collections.abc import Mapping

from .lazy import namespace

TABLE = {
    "": "embedding=tpu_experimental_embedding",
    "distribution.tpu.resolver": "initialize_tpu_system shutdown_tpu_system",
    "distribution.tpu.system": "HardwareFeature TPUSystemMetadata",
    "distribution.tpu.topology": "Topology",
}

CORES = ": each replica has one TPU; leave out what asks for more"
GONE: Mapping[str, str] = {
    "DeviceAssignment": CORES,
    "DeviceOrderMode": CORES,
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.tpu.experimental", gone=GONE)
