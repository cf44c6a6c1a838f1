"""`tf.tpu.experimental`: meshes of TPUs as values, and embeddings."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "embedding=tpu_experimental_embedding",
    "distribution.tpu.system": "HardwareFeature TPUSystemMetadata",
    "distribution.tpu.topology": "Topology",
}

GONE = dict.fromkeys(
    ("initialize_tpu_system", "shutdown_tpu_system"),
    ": there are no TPUs here; leave it out, and use tf.distribute.MirroredStrategy",
) | dict.fromkeys(
    ("DeviceAssignment", "DeviceOrderMode"),
    ": there are no TPUs here; leave out what asks for them",
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.tpu.experimental", gone=GONE)
