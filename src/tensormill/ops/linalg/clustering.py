"""Which of some points are near: what programs that look for clusters ask."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.shapes import size
from ..array.sorting import top_k
from ..families import Rephrased
from ..math.arithmetic import minimum, square
from ..math.cast import cast
from ..math.reduce import reduce_sum
from ..op import In, Out
from .matmul import matmul


class NearestNeighbors(Rephrased):
    """The `k` centers nearest to each point, nearest first, and the squares of their distances."""

    points = In("f32 n d")
    centers = In("f32 m d")
    k = In("i64")
    nearest_center_indices = Out("i64 n j")
    nearest_center_distances = Out("f32 n j")
    differentiable = False

    def demands(self, sizes: Any) -> None:
        (_, width), (_, other) = sizes.shape(self.points), sizes.shape(self.centers)
        sizes.alike((width,), (other,), ShapeMismatchError, UNLIKE)
        sizes.each(self.k, lambda k: k >= 0, InvalidArgumentError, "k must be non-negative: {it}")

    def expand(self) -> tuple[Any, Any]:
        from_points = reduce_sum(square(self.points), 1, keepdims=True)
        squares = from_points - 2.0 * matmul(self.points, self.centers, transpose_b=True)
        squares += reduce_sum(square(self.centers), 1)
        count = minimum(self.k, cast(size(self.centers[:, :1]), dtypes.int64))
        nearest, places = top_k(-squares, cast(count, dtypes.int32))
        return cast(places, dtypes.int64), -nearest


UNLIKE = "NearestNeighbors: points of {} numbers and centers of {}"
