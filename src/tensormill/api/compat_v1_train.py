"""`tf.compat.v1.train`: optimizers, learning rates that decay, savers."""

from __future__ import annotations

from . import train
from .lazy import joined, namespace

TABLE = joined(
    train,
    {
        "": "experimental=compat_v1_train_experimental queue_runner=compat_v1_train_queue_runner",
        "graph.proto.session_messages": "SaverDef",
        "version_one.queues.batches": (
            "batch batch_join maybe_batch maybe_batch_join maybe_shuffle_batch "
            "maybe_shuffle_batch_join shuffle_batch shuffle_batch_join"
        ),
        "version_one.queues.producers": (
            "input_producer limit_epochs range_input_producer slice_input_producer "
            "string_input_producer"
        ),
        "version_one.queues.queue_runner": "QueueRunner add_queue_runner start_queue_runners",
        "version_one.summaries": "summary_iterator",
        "graph.serialized.graph_files": "write_graph",
        "version_one.file_names": "match_filenames_once",
        "version_one.training.checkpoint": "Checkpoint=CheckpointV1",
        "version_one.training.decays": (
            "cosine_decay cosine_decay_restarts exponential_decay inverse_time_decay "
            "linear_cosine_decay natural_exp_decay noisy_linear_cosine_decay piecewise_constant "
            "piecewise_constant_decay=piecewise_constant polynomial_decay"
        ),
        "version_one.training.global_step": (
            "assert_global_step create_global_step get_global_step get_or_create_global_step "
            "global_step"
        ),
        "version_one.training.hooks": (
            "FeedFnHook FinalOpsHook LoggingTensorHook NanLossDuringTrainingError NanTensorHook "
            "SecondOrStepTimer SessionRunArgs SessionRunContext SessionRunHook SessionRunValues "
            "StopAtStepHook"
        ),
        "version_one.sessions.creators": (
            "ChiefSessionCreator SessionCreator WorkerSessionCreator"
        ),
        "version_one.sessions.monitored": (
            "MonitoredSession MonitoredTrainingSession SingularMonitoredSession"
        ),
        "version_one.sessions.scaffold": "Scaffold",
        "version_one.sessions.session_manager": "SessionManager",
        "version_one.sessions.supervisor": "Supervisor basic_train_loop",
        "version_one.profiles.profiler_hook": "ProfilerHook",
        "version_one.training.coordinator": "LooperThread",
        "version_one.training.writing_hooks": (
            "CheckpointSaverHook CheckpointSaverListener GlobalStepWaiterHook StepCounterHook "
            "SummarySaverHook"
        ),
        "version_one.training.meta_graph": "export_meta_graph",
        "version_one.training.device_setter": "replica_device_setter",
        "version_one.training.meta_graph_import": "import_meta_graph",
        "version_one.training.optimizer": "Optimizer=OptimizerV1",
        "version_one.training.optimizers": (
            "AdadeltaOptimizer AdagradDAOptimizer AdagradOptimizer AdamOptimizer FtrlOptimizer "
            "GradientDescentOptimizer MomentumOptimizer ProximalAdagradOptimizer "
            "ProximalGradientDescentOptimizer RMSPropOptimizer"
        ),
        "version_one.training.synchronous": "SyncReplicasOptimizer",
        "version_one.training.saver": (
            "Saver checkpoint_exists get_checkpoint_mtimes init_from_checkpoint remove_checkpoint"
        ),
        "version_one.training.warm_starting": "VocabInfo warm_start",
        "checkpoint.inspection": (
            "CheckpointReader NewCheckpointReader=CheckpointReader checkpoints_iterator "
            "list_variables load_checkpoint load_variable"
        ),
        "checkpoint.state_file": "generate_checkpoint_state_proto update_checkpoint_state",
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.train")
