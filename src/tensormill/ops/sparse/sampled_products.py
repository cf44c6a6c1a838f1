"""`tf.sparse.sampled_addmm`: a product of dense matrices, of which some elements are wanted."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...errors import ShapeMismatchError
from ..array.concatenation import concat
from ..array.gather import gather
from ..array.rearrangement import matrix_transpose
from ..array.shapes import shape as shape_of
from ..checks.assertions import assert_equal
from ..conversion import as_tensor, static_value
from ..math.cast import cast
from ..math.reduce import reduce_sum

UNLIKE = "sampled_addmm: dense_shape is not the shape of the product of mat1 and mat2"


def sampled_addmm(
    indices: Any,
    values: Any,
    dense_shape: Any,
    mat1: Any,
    mat2: Any,
    beta: Any = 1.0,
    alpha: Any = 1.0,
    output_type: Any = dtypes.float32,
) -> tuple[Any, Any, Any]:
    """`alpha * (mat1 @ mat2) + beta * values` at the places `indices`: what else the product has is
    not computed.

    indices: integers [..., n, 2], a row and a column each; values: floats [..., n]. mat1: [..., m,
    k], mat2: [..., k, p], of `output_type` as values are; leading axes are the same. dense_shape:
    [m, p]. Gives indices, the new values, dense_shape.

    >>> indices, values, _ = tf.sparse.sampled_addmm(
    ...     [[0, 0], [1, 1]], [0.5, 0.3], [2, 2], [[1.0, 2.0], [3.0, 4.0]], tf.eye(2))
    >>> values.numpy()
    array([1.5, 4.3], dtype=float32)

    Raises:
        ValueError: the shape of the product is another one; tensors are of other dtypes.
        InvalidArgumentError: the same of sizes that are not known before a function runs.
    """
    dtype = as_dtype(output_type)
    places, shape = as_tensor(indices), as_tensor(dense_shape)
    values, left, right = (as_tensor(one, dtype) for one in (values, mat1, mat2))
    if left.shape.rank is None or right.shape.rank is None:
        raise ShapeMismatchError(
            "sampled_addmm needs mat1 and mat2 of known rank; tf.ensure_shape tells it"
        )
    made, said = (left.shape[-2], right.shape[-1]), static_value(shape)
    if said is not None and None not in made:
        if tuple(said[-2:].tolist()) != made:
            raise ShapeMismatchError(
                f"Dense shape: {said.tolist()} does not match output shape: {list(made)}"
            )
    else:
        product = concat([shape_of(left)[-2:-1], shape_of(right)[-1:]], 0)
        assert_equal(cast(shape, product.dtype)[-2:], product, message=UNLIKE)
    rows = gather(left, places[..., 0], batch_dims=left.shape.rank - 2)
    columns = gather(matrix_transpose(right), places[..., 1], batch_dims=right.shape.rank - 2)
    found = alpha * reduce_sum(rows * columns, -1) + beta * values
    return places, found, shape
