"""Which of some points are near: what programs that look for clusters ask."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.shapes import size
from ..array.sorting import top_k
from ..families import Rephrased
from ..math.arithmetic import maximum, minimum, square
from ..math.cast import cast
from ..math.reduce import reduce_sum
from ..op import In, Op, Out
from ..random import distributions
from ..random.philox import WordStream
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
        # A k below 0 stays that when it is an int32: `top_k` refuses it.
        count = maximum(minimum(self.k, cast(size(self.centers[:, :1]), dtypes.int64)), -1)
        nearest, places = top_k(-squares, cast(count, dtypes.int32))
        return cast(places, dtypes.int64), -nearest


UNLIKE = "NearestNeighbors: points of {} numbers and centers of {}"


class _Words:
    """The words of a seed, one after the other."""

    def __init__(self, seed: int) -> None:
        self._stream: Final = WordStream.of_seeds(seed & _MASK, 0)
        self._words = self._stream.groups(np.arange(GROUPS, dtype=np.uint64)).reshape(-1)
        self._next = 0

    def take(self, count: int) -> Any:
        """The next ones."""
        while self._next + count > len(self._words):
            first = len(self._words) // 4
            more = np.arange(first, 2 * first, dtype=np.uint64)
            self._words = np.concatenate([self._words, self._stream.groups(more).reshape(-1)])
        self._next += count
        return self._words[self._next - count : self._next]

    def floats(self, count: int) -> Any:
        """Numbers in [0, 1), of one word each."""
        words = self.take(count)
        padded = np.resize(words, (-(-max(count, 1) // 4), 4)) if count else words.reshape(0, 4)
        return distributions.unit_floats(padded, dtypes.float32).reshape(-1)[:count]

    def below(self, count: int) -> int:
        """An integer in [0, count): the remainder of 64 bits, others than the last, uneven ones."""
        even = _MASK - (_MASK % count + 1) if count & (count - 1) else _MASK
        while True:
            low, high = self.take(2).tolist()
            if (found := low | high << 32) <= even:
                return found % count


_MASK: Final = 2**64 - 1
GROUPS: Final = 64  # of words that are made at once


class KMC2ChainInitialization(Op):
    """The point at which a Markov chain over some points ends, which goes to far points more often.

    Bachem et al. 2016, "Approximate k-means++ in sublinear time".
    """

    distances = In("f32 n")
    seed = In("i64")
    index = Out("i64")
    differentiable = False

    def demands(self, sizes: Any) -> None:
        (count,) = sizes.shape(self.distances)
        sizes.require_late(count > 0, InvalidArgumentError, "Expected distances_tensor.size() > 0.")

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.int64)

    def eager(self, np: Any) -> Any:
        distances = self.distances
        chances = _Words(int(self.seed)).floats(len(distances) - 1)
        last = 0
        for place, chance in enumerate(chances, 1):
            if distances[place] > chance * distances[last]:
                last = place
        return np.asarray(last, np.int64)


class KmeansPlusPlusInitialization(Op):
    """Points that lie far from each other: each is drawn by the squares of the distances to those
    before it, the best of some draws. A negative number of retries stands for 2 + log(the points
    to be drawn).

    Arthur and Vassilvitskii 2007, "k-means++: the advantages of careful seeding".
    """

    points = In("f32 n d")
    num_to_sample = In("i64")
    seed = In("i64")
    num_retries_per_sample = In("i64")
    samples = Out("f32 k d")
    differentiable = False

    def demands(self, sizes: Any) -> None:
        (count, _), (wanted,) = sizes.shape(self.points), sizes.numbers(self.num_to_sample)
        sizes.require_late(count > 0, InvalidArgumentError, "Expected points.rows() > 0.")
        sizes.require_late(wanted > 0, InvalidArgumentError, "Expected num_to_sample > 0.")
        sizes.require_late(wanted <= count, InvalidArgumentError, TOO_MANY, wanted, count)

    def infer(self) -> TensorSpec:
        return TensorSpec((None, self.points.shape[1]), dtypes.float32)

    def eager(self, np: Any) -> Any:
        points, words = self.points, _Words(int(self.seed))
        halves = np.float32(0.5) * np.square(points).sum(1)
        nearest = np.full(len(points), np.inf, np.float32)
        chosen: list[int] = []
        count, retries = int(self.num_to_sample), int(self.num_retries_per_sample)
        retries = 2 + int(math.log(count)) if retries < 0 else retries
        for _ in range(count):
            tries = []
            for _ in range(1 + retries):
                one = _drawn(words, nearest) if chosen else words.below(len(points))
                squares = np.float32(2) * (halves + halves[one] - points @ points[one])
                found = np.minimum(nearest, squares)
                tries.append((found.sum(), one, found))
            _, one, nearest = min(tries, key=lambda each: each[0])  # the first of equals
            chosen.append(one)
        return points[chosen]


def _drawn(words: _Words, weights: Any) -> int:
    """A place, as often as its weight says."""
    sums = np.cumsum(weights)
    wanted = words.floats(1)[0] * sums[-1]
    return min(int(np.searchsorted(sums, wanted)), len(sums) - 1)


TOO_MANY = "Expected num_to_sample <= points.rows(). {} vs {}."
