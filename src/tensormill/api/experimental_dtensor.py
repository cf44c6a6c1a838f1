"""`tf.experimental.dtensor`: tensors that are laid out over meshes of devices."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "dtensor.accelerators": (
        "client_id create_tpu_mesh full_job_name heartbeat_enabled initialize_accelerator_system "
        "initialize_multi_client initialize_tpu_system job_name jobs local_devices num_clients "
        "num_global_devices num_local_devices preferred_device_type shutdown_accelerator_system "
        "shutdown_tpu_system"
    ),
    "dtensor.calls": (
        "call_with_layout check_layout copy_to_mesh default_mesh device_name fetch_layout "
        "get_default_mesh is_dtensor pack relayout relayout_like run_on unpack"
    ),
    "dtensor.checkpoints": "DTensorCheckpoint name_based_restore name_based_save sharded_save",
    "dtensor.datasets": "DTensorDataset",
    "dtensor.layout": "Layout MATCH UNSHARDED",
    "dtensor.mesh": "Mesh",
    "dtensor.meshes": "barrier create_distributed_mesh create_mesh",
    "dtensor.variables": "DVariable enable_save_as_bf16",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.experimental.dtensor")
