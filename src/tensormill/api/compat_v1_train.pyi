# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.train`: optimizers, learning rates that decay, savers."""

from ..version_one.training.optimizers import AdadeltaOptimizer as AdadeltaOptimizer
from ..version_one.training.optimizers import AdagradOptimizer as AdagradOptimizer
from ..version_one.training.optimizers import AdamOptimizer as AdamOptimizer
from ..graph.proto.examples import BytesList as BytesList
from ..version_one.training.checkpoint import CheckpointV1 as Checkpoint
from ..checkpoint.manager import CheckpointManager as CheckpointManager
from ..checkpoint.checkpoint import CheckpointOptions as CheckpointOptions
from ..checkpoint.inspection import CheckpointReader as CheckpointReader
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
from ..version_one.training.optimizers import FtrlOptimizer as FtrlOptimizer
from ..version_one.training.optimizers import GradientDescentOptimizer as GradientDescentOptimizer
from ..graph.proto.examples import Int64List as Int64List
from ..graph.proto.clusters import JobDef as JobDef
from ..version_one.training.optimizers import MomentumOptimizer as MomentumOptimizer
from ..checkpoint.inspection import CheckpointReader as NewCheckpointReader
from ..version_one.training.optimizer import OptimizerV1 as Optimizer
from ..version_one.training.optimizers import ProximalAdagradOptimizer as ProximalAdagradOptimizer
from ..version_one.training.optimizers import ProximalGradientDescentOptimizer as ProximalGradientDescentOptimizer
from ..version_one.training.optimizers import RMSPropOptimizer as RMSPropOptimizer
from ..version_one.training.saver import Saver as Saver
from ..graph.proto.examples import SequenceExample as SequenceExample
from ..graph.proto.clusters import ServerDef as ServerDef
from ..checkpoint.object_graph import TrackableView as TrackableView
from ..version_one.training.global_step import assert_global_step as assert_global_step
from ..version_one.training.saver import checkpoint_exists as checkpoint_exists
from ..checkpoint.inspection import checkpoints_iterator as checkpoints_iterator
from ..version_one.training.decays import cosine_decay as cosine_decay
from ..version_one.training.decays import cosine_decay_restarts as cosine_decay_restarts
from ..version_one.training.global_step import create_global_step as create_global_step
from . import train_experimental as experimental
from ..version_one.training.decays import exponential_decay as exponential_decay
from ..version_one.training.meta_graph import export_meta_graph as export_meta_graph
from ..version_one.training.saver import get_checkpoint_mtimes as get_checkpoint_mtimes
from ..checkpoint.state_file import get_checkpoint_state as get_checkpoint_state
from ..version_one.training.global_step import get_global_step as get_global_step
from ..version_one.training.global_step import get_or_create_global_step as get_or_create_global_step
from ..version_one.training.global_step import global_step as global_step
from ..version_one.training.saver import init_from_checkpoint as init_from_checkpoint
from ..version_one.training.decays import inverse_time_decay as inverse_time_decay
from ..checkpoint.state_file import latest_checkpoint as latest_checkpoint
from ..version_one.training.decays import linear_cosine_decay as linear_cosine_decay
from ..checkpoint.inspection import list_variables as list_variables
from ..checkpoint.inspection import load_checkpoint as load_checkpoint
from ..checkpoint.inspection import load_variable as load_variable
from ..version_one.training.decays import natural_exp_decay as natural_exp_decay
from ..version_one.training.decays import noisy_linear_cosine_decay as noisy_linear_cosine_decay
from ..version_one.training.decays import piecewise_constant as piecewise_constant
from ..version_one.training.decays import piecewise_constant as piecewise_constant_decay
from ..version_one.training.decays import polynomial_decay as polynomial_decay
from ..version_one.training.saver import remove_checkpoint as remove_checkpoint
from ..checkpoint.state_file import update_checkpoint_state as update_checkpoint_state

__all__ = ['AdadeltaOptimizer', 'AdagradOptimizer', 'AdamOptimizer', 'BytesList', 'Checkpoint', 'CheckpointManager', 'CheckpointOptions', 'CheckpointReader', 'CheckpointView', 'ClusterDef', 'ClusterSpec', 'Coordinator', 'Example', 'ExponentialMovingAverage', 'Feature', 'FeatureList', 'FeatureLists', 'Features', 'FloatList', 'FtrlOptimizer', 'GradientDescentOptimizer', 'Int64List', 'JobDef', 'MomentumOptimizer', 'NewCheckpointReader', 'Optimizer', 'ProximalAdagradOptimizer', 'ProximalGradientDescentOptimizer', 'RMSPropOptimizer', 'Saver', 'SequenceExample', 'ServerDef', 'TrackableView', 'assert_global_step', 'checkpoint_exists', 'checkpoints_iterator', 'cosine_decay', 'cosine_decay_restarts', 'create_global_step', 'experimental', 'exponential_decay', 'export_meta_graph', 'get_checkpoint_mtimes', 'get_checkpoint_state', 'get_global_step', 'get_or_create_global_step', 'global_step', 'init_from_checkpoint', 'inverse_time_decay', 'latest_checkpoint', 'linear_cosine_decay', 'list_variables', 'load_checkpoint', 'load_variable', 'natural_exp_decay', 'noisy_linear_cosine_decay', 'piecewise_constant', 'piecewise_constant_decay', 'polynomial_decay', 'remove_checkpoint', 'update_checkpoint_state']
