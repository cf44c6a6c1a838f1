# Written by `make stubs` from the table beside it.

"""`tf.train`: checkpoints, and the messages in records."""

from ..graph.proto.examples import BytesList as BytesList
from ..checkpoint.checkpoint import Checkpoint as Checkpoint
from ..checkpoint.manager import CheckpointManager as CheckpointManager
from ..checkpoint.checkpoint import CheckpointOptions as CheckpointOptions
from ..checkpoint.view import CheckpointView as CheckpointView
from ..graph.proto.clusters import ClusterDef as ClusterDef
from ..graph.proto.clusters import ClusterSpec as ClusterSpec
from ..version_one.training.coordinator import Coordinator as Coordinator
from ..graph.proto.examples import Example as Example
from ..module.moving_averages import ExponentialMovingAverage as ExponentialMovingAverage
from ..graph.proto.examples import Feature as Feature
from ..graph.proto.examples import FeatureList as FeatureList
from ..graph.proto.examples import FeatureLists as FeatureLists
from ..graph.proto.examples import Features as Features
from ..graph.proto.examples import FloatList as FloatList
from ..graph.proto.examples import Int64List as Int64List
from ..graph.proto.clusters import JobDef as JobDef
from ..graph.proto.examples import SequenceExample as SequenceExample
from ..graph.proto.clusters import ServerDef as ServerDef
from ..checkpoint.object_graph import TrackableView as TrackableView
from ..checkpoint.inspection import checkpoints_iterator as checkpoints_iterator
from . import train_experimental as experimental
from ..checkpoint.state_file import get_checkpoint_state as get_checkpoint_state
from ..checkpoint.state_file import latest_checkpoint as latest_checkpoint
from ..checkpoint.inspection import list_variables as list_variables
from ..checkpoint.inspection import load_checkpoint as load_checkpoint
from ..checkpoint.inspection import load_variable as load_variable

__all__ = ['BytesList', 'Checkpoint', 'CheckpointManager', 'CheckpointOptions', 'CheckpointView', 'ClusterDef', 'ClusterSpec', 'Coordinator', 'Example', 'ExponentialMovingAverage', 'Feature', 'FeatureList', 'FeatureLists', 'Features', 'FloatList', 'Int64List', 'JobDef', 'SequenceExample', 'ServerDef', 'TrackableView', 'checkpoints_iterator', 'experimental', 'get_checkpoint_state', 'latest_checkpoint', 'list_variables', 'load_checkpoint', 'load_variable']
