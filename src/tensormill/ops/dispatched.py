"""The public functions that also take sparse or ragged tensors: what they do with those.

Elementwise operations are not among them: `composites.applied` knows what those mean.
"""

from __future__ import annotations

from . import (
    arithmetic,
    broadcasting,
    comparison,
    concatenation,
    gather,
    manipulation,
    moments,
    reduce,
    select,
    shapes,
)
from . import fill as filling
from .composites import aware, on_elements

divide = on_elements(arithmetic.divide)
divide_no_nan = on_elements(arithmetic.divide_no_nan)
equal = on_elements(comparison.equal)
not_equal = on_elements(comparison.not_equal)
truediv = on_elements(arithmetic.truediv)

abs = aware(arithmetic.abs, "composite_functions.abs")
rank = aware(shapes.rank, "composite_functions.rank")
shape = aware(shapes.shape, "composite_functions.shape")
size = aware(shapes.size, "composite_functions.size")
fill = aware(filling.fill, "ragged_shape.fill")
ones = aware(filling.ones, "ragged_shape.ones")
zeros = aware(filling.zeros, "ragged_shape.zeros")
ones_like = aware(filling.ones_like, "composite_functions.ones_like")
zeros_like = aware(filling.zeros_like, "composite_functions.zeros_like")

broadcast_to = aware(broadcasting.broadcast_to, "ragged_shape.broadcast_to")
boolean_mask = aware(select.boolean_mask, "ragged_functions.boolean_mask")
concat = aware(concatenation.concat, "ragged_functions.concat")
expand_dims = aware(shapes.expand_dims, "ragged_functions.expand_dims")
gather_nd = aware(gather.gather_nd, "ragged_gather.gather_nd")
gather = aware(gather.gather, "ragged_gather.public_gather")
one_hot = aware(filling.one_hot, "ragged_functions.one_hot")
reduce_all = aware(reduce.reduce_all, "ragged_reduce.reduce_all")
reduce_any = aware(reduce.reduce_any, "ragged_reduce.reduce_any")
reduce_max = aware(reduce.reduce_max, "ragged_reduce.reduce_max")
reduce_mean = aware(reduce.reduce_mean, "ragged_reduce.reduce_mean")
reduce_min = aware(reduce.reduce_min, "ragged_reduce.reduce_min")
reduce_prod = aware(reduce.reduce_prod, "ragged_reduce.reduce_prod")
reduce_std = aware(moments.reduce_std, "ragged_reduce.reduce_std")
reduce_sum = aware(reduce.reduce_sum, "ragged_reduce.reduce_sum")
reduce_variance = aware(moments.reduce_variance, "ragged_reduce.reduce_variance")
reshape = aware(shapes.reshape, "ragged_shape.reshape")
reverse = aware(manipulation.reverse, "ragged_functions.reverse")
split = aware(concatenation.split, "ragged_parts.split")
squeeze = aware(shapes.squeeze, "ragged_functions.squeeze")
stack = aware(concatenation.stack, "ragged_functions.stack")
tile = aware(manipulation.tile, "ragged_functions.tile")
unstack = aware(concatenation.unstack, "ragged_functions.unstack")
where = aware(select.where, "ragged_functions.where")
