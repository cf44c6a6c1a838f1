# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.mixed_precision`: losses that are scaled before they are differentiated."""

from ..version_one.training.loss_scales import DynamicLossScale as DynamicLossScale
from ..version_one.training.loss_scales import FixedLossScale as FixedLossScale
from ..version_one.training.loss_scales import LossScale as LossScale
from ..version_one.training.loss_scales import MixedPrecisionLossScaleOptimizer as MixedPrecisionLossScaleOptimizer
from ..version_one.training.loss_scales import disable_mixed_precision_graph_rewrite as disable_mixed_precision_graph_rewrite
from ..version_one.training.loss_scales import enable_mixed_precision_graph_rewrite as enable_mixed_precision_graph_rewrite
from . import compat_v1_mixed_precision_experimental as experimental

__all__ = ['DynamicLossScale', 'FixedLossScale', 'LossScale', 'MixedPrecisionLossScaleOptimizer', 'disable_mixed_precision_graph_rewrite', 'enable_mixed_precision_graph_rewrite', 'experimental']
