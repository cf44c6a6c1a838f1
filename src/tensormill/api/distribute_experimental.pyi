# Written by `make stubs` from the table beside it.

"""`tf.distribute.experimental`: what may still change of strategies."""

from ..distribution.kinds import CentralStorageStrategy as CentralStorageStrategy
from ..distribution.options import CommunicationImplementation as CollectiveCommunication
from ..distribution.options import CollectiveHints as CollectiveHints
from ..distribution.options import CommunicationImplementation as CommunicationImplementation
from ..distribution.options import CommunicationOptions as CommunicationOptions
from ..distribution.workers.strategy import ExperimentalMultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy
from ..distribution.parameter_servers import ParameterServerStrategy as ParameterServerStrategy
from ..distribution.preemption import PreemptionCheckpointHandler as PreemptionCheckpointHandler
from ..distribution.preemption import PreemptionWatcher as PreemptionWatcher
from ..distribution.tpu.strategy import ExperimentalTPUStrategy as TPUStrategy
from ..distribution.preemption import TerminationConfig as TerminationConfig
from ..distribution.contexts import ValueContext as ValueContext
from . import distribute_experimental_partitioners as partitioners

__all__ = ['CentralStorageStrategy', 'CollectiveCommunication', 'CollectiveHints', 'CommunicationImplementation', 'CommunicationOptions', 'MultiWorkerMirroredStrategy', 'ParameterServerStrategy', 'PreemptionCheckpointHandler', 'PreemptionWatcher', 'TPUStrategy', 'TerminationConfig', 'ValueContext', 'partitioners']
