# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.mixed_precision.experimental`: the scales alone."""

from ..version_one.training.loss_scales import DynamicLossScale as DynamicLossScale
from ..version_one.training.loss_scales import FixedLossScale as FixedLossScale
from ..version_one.training.loss_scales import LossScale as LossScale

__all__ = ['DynamicLossScale', 'FixedLossScale', 'LossScale']
