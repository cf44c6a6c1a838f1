"""The public functions that also take sparse or ragged tensors: what they do with those.

Elementwise operations are not among them: `composites.applied` knows what those mean.
"""

from __future__ import annotations

from ..array import broadcasting, concatenation, gather, rearrangement, select, shapes
from ..array import fill as filling
from ..composites import aware, on_elements
from ..math import comparison, division, moments, reduce, signs

divide = on_elements(division.divide)
divide_no_nan = on_elements(division.divide_no_nan)
equal = on_elements(comparison.equal)
not_equal = on_elements(comparison.not_equal)
truediv = on_elements(division.truediv)

abs = aware(signs.abs, "dispatch.shape_functions.abs")
rank = aware(shapes.rank, "dispatch.shape_functions.rank")
shape = aware(shapes.shape, "dispatch.shape_functions.shape")
size = aware(shapes.size, "dispatch.shape_functions.size")
fill = aware(filling.fill, "ragged.ragged_shape.fill")
ones = aware(filling.ones, "ragged.ragged_shape.ones")
zeros = aware(filling.zeros, "ragged.ragged_shape.zeros")
ones_like = aware(filling.ones_like, "dispatch.shape_functions.ones_like")
zeros_like = aware(filling.zeros_like, "dispatch.shape_functions.zeros_like")

broadcast_to = aware(broadcasting.broadcast_to, "ragged.ragged_shape.broadcast_to")
boolean_mask = aware(select.boolean_mask, "ragged.functions.boolean_mask")
concat = aware(concatenation.concat, "ragged.functions.concat")
expand_dims = aware(shapes.expand_dims, "ragged.functions.expand_dims")
gather_nd = aware(gather.gather_nd, "ragged.gather.gather_nd")
gather = aware(gather.gather, "ragged.gather.public_gather")
one_hot = aware(filling.one_hot, "ragged.functions.one_hot")
reduce_all = aware(reduce.reduce_all, "ragged.reduce.reduce_all")
reduce_any = aware(reduce.reduce_any, "ragged.reduce.reduce_any")
reduce_max = aware(reduce.reduce_max, "ragged.reduce.reduce_max")
reduce_mean = aware(reduce.reduce_mean, "ragged.reduce.reduce_mean")
reduce_min = aware(reduce.reduce_min, "ragged.reduce.reduce_min")
reduce_prod = aware(reduce.reduce_prod, "ragged.reduce.reduce_prod")
reduce_std = aware(moments.reduce_std, "ragged.reduce.reduce_std")
reduce_sum = aware(reduce.reduce_sum, "ragged.reduce.reduce_sum")
reduce_variance = aware(moments.reduce_variance, "ragged.reduce.reduce_variance")
reshape = aware(shapes.reshape, "ragged.ragged_shape.reshape")
reverse = aware(rearrangement.reverse, "ragged.functions.reverse")
split = aware(concatenation.split, "ragged.parts.split")
squeeze = aware(shapes.squeeze, "ragged.functions.squeeze")
stack = aware(concatenation.stack, "ragged.functions.stack")
tile = aware(rearrangement.tile, "ragged.functions.tile")
unstack = aware(concatenation.unstack, "ragged.functions.unstack")
where = aware(select.where, "ragged.functions.where")
