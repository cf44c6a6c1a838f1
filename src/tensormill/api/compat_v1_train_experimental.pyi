# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.train.experimental`: as in TensorFlow 2, and losses that are scaled."""

from ..version_one.training.loss_scales import DynamicLossScale as DynamicLossScale
from ..version_one.training.loss_scales import FixedLossScale as FixedLossScale
from ..version_one.training.loss_scales import LossScale as LossScale
from ..checkpoint.sharding import MaxShardSizePolicy as MaxShardSizePolicy
from ..version_one.training.loss_scales import MixedPrecisionLossScaleOptimizer as MixedPrecisionLossScaleOptimizer
from ..checkpoint.python_state import PythonState as PythonState
from ..checkpoint.sharding import ShardByTaskPolicy as ShardByTaskPolicy
from ..checkpoint.sharding import ShardableTensor as ShardableTensor
from ..checkpoint.sharding import ShardingCallback as ShardingCallback
from ..version_one.training.loss_scales import disable_mixed_precision_graph_rewrite as disable_mixed_precision_graph_rewrite
from ..version_one.training.loss_scales import enable_mixed_precision_graph_rewrite as enable_mixed_precision_graph_rewrite

__all__ = ['DynamicLossScale', 'FixedLossScale', 'LossScale', 'MaxShardSizePolicy', 'MixedPrecisionLossScaleOptimizer', 'PythonState', 'ShardByTaskPolicy', 'ShardableTensor', 'ShardingCallback', 'disable_mixed_precision_graph_rewrite', 'enable_mixed_precision_graph_rewrite']
