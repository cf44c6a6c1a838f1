# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.manip`: arrays moved around."""

from ..eager.tensor import Tensor as _Tensor
from typing import Any as _Any
from ..version_one.functions.batches import batch_to_space_nd as batch_to_space_nd
from ..version_one.functions.arrays import gather_nd as gather_nd
from ..ops.array.shapes import reshape as reshape
from ..ops.array.rearrangement import roll as roll
from ..ops.nn.space_to_depth import space_to_batch as space_to_batch_nd
from ..ops.array.rearrangement import tile as tile

__all__ = ['batch_to_space_nd', 'gather_nd', 'reshape', 'reverse', 'roll', 'scatter_nd', 'space_to_batch_nd', 'tile']

def reverse(tensor: _Any, axis: _Any, name: _Any = None) -> _Tensor:
    """The elements in reverse order along each axis in `axis`, a vector.

    tensor: of any dtype, which the result has.

    >>> tf.reverse([[1, 2], [3, 4]], [1]).numpy()
    array([[2, 1],
           [4, 3]], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist or is given twice."""

def scatter_nd(indices: _Any, updates: _Any, shape: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Tensor:
    """`updates` added into zeros of `shape` at `indices` [..., k]: each is the index of the first k
    axes, and updates.shape is indices.shape[:-1] + shape[k:].

    >>> tf.scatter_nd([[1], [3], [1]], [5, 6, 7], [4]).numpy()
    array([ 0, 12,  0,  6], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit."""
