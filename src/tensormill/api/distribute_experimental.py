"""`tf.distribute.experimental`: what may still change of strategies."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "partitioners=distribute_experimental_partitioners",
    "distribution.contexts": "ValueContext",
    "distribution.kinds": "CentralStorageStrategy",
    "distribution.workers.strategy": (
        "MultiWorkerMirroredStrategy=ExperimentalMultiWorkerMirroredStrategy"
    ),
    "distribution.tpu.strategy": "TPUStrategy=ExperimentalTPUStrategy",
    "distribution.parameter_servers": "ParameterServerStrategy",
    "distribution.preemption": ("PreemptionCheckpointHandler PreemptionWatcher TerminationConfig"),
    "distribution.options": (
        "CollectiveCommunication=CommunicationImplementation CollectiveHints "
        "CommunicationImplementation CommunicationOptions"
    ),
}

GONE = {
    "coordinator": (
        ": there is one process, and no workers to hand work out to; call the functions themselves"
    ),
    "rpc": ": there is one process; call the functions themselves",
}

__getattr__, __dir__, __all__ = namespace(
    __name__, TABLE, public="tf.distribute.experimental", gone=GONE
)
