"""`tf.train`: checkpoints, and the messages in records."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=train_experimental",
    "checkpoint.checkpoint": "Checkpoint CheckpointOptions",
    "checkpoint.object_graph": "TrackableView",
    "checkpoint.manager": "CheckpointManager",
    "checkpoint.inspection": ("checkpoints_iterator list_variables load_checkpoint load_variable"),
    "checkpoint.state_file": "get_checkpoint_state latest_checkpoint",
    "module.moving_averages": "ExponentialMovingAverage",
    "checkpoint.view": "CheckpointView",
    "graph.proto.clusters": "ClusterDef ClusterSpec JobDef ServerDef",
    "version_one.training.coordinator": "Coordinator",
    "graph.proto.examples": (
        "BytesList Example Feature FeatureList FeatureLists Features FloatList Int64List "
        "SequenceExample"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
