"""`tf.train`: checkpoints."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=train_experimental",
    "saved_model.checkpoint": "Checkpoint CheckpointOptions",
    "saved_model.checkpoint_graph": "TrackableView",
    "saved_model.checkpoint_manager": "CheckpointManager",
    "saved_model.checkpoint_reader": (
        "checkpoints_iterator list_variables load_checkpoint load_variable"
    ),
    "saved_model.checkpoint_state": "get_checkpoint_state latest_checkpoint",
    "saved_model.checkpoint_view": "CheckpointView",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
