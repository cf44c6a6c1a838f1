"""How many insertions, deletions and replacements make one sequence of another."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Any

from ...core import dtypes
from ...core.native_operations import FEW
from ...core.specs import TensorSpec
from ...errors import InternalError, InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..demands import dims
from ..dispatch.meanings import dispatchable
from ..op import ANY, Attr, In, Op, Out
from ..sizes import scalar
from .sparse_tensor import as_sparse


class EditDistance(Op):
    """Levenshtein distances of sequences, the last axes of sparse tensors (1966)."""

    hypothesis_indices = In("i64 hypotheses rank")
    hypothesis_values = In("T hypotheses")
    hypothesis_shape = In("i64 rank")
    truth_indices = In("i64 truths rank")
    truth_values = In("T truths")
    truth_shape = In("i64 rank")
    output = Out("f32 ...")
    normalize = Attr(True)
    T = ANY
    differentiable = False
    native_from = FEW
    native_axes = MappingProxyType(
        {"hypothesis_indices": slice(-1, None), "truth_indices": slice(-1, None)}
    )

    def demands(self, sizes: Any) -> Any:
        """The shape of the result."""
        (rank,) = sizes.shape(self.hypothesis_shape, 1)
        (other,) = sizes.shape(self.truth_shape, 1)
        sizes.require(sizes.equal(rank, other), ShapeMismatchError, RANKS, self.name, rank, other)
        sizes.require(rank >= 2, InvalidArgumentError, NO_ROWS, self.name, rank)
        rank = sizes.fixed(rank, "how long an index is")
        for indices, values in (
            (self.hypothesis_indices, self.hypothesis_values),
            (self.truth_indices, self.truth_values),
        ):
            have, (count,) = sizes.shape(indices, 2), sizes.shape(values, 1)
            sizes.alike(have, (count, rank), ShapeMismatchError, PLACES, self.name)
            sizes.fixed(have[1], "how long an index is")
        pairs = zip(
            sizes.numbers(self.hypothesis_shape, rank)[:-1],
            sizes.numbers(self.truth_shape, rank)[:-1],
            strict=True,
        )
        shape = [sizes.choose(one < other, other, one) for one, other in pairs]
        for indices in (self.hypothesis_indices, self.truth_indices):
            sizes.each_row(
                indices, lambda row: inside(row, shape), InternalError, OUTSIDE, self.name
            )
        return sizes.possible_late(shape)

    def infer(self) -> TensorSpec:
        if self.found is not None:
            return TensorSpec(dims(self.found), dtypes.float32)
        length = self.hypothesis_shape.shape.entries
        rank = length[0] if length else None
        return TensorSpec(None if rank is None else (None,) * (rank - 1), dtypes.float32)

    def eager(self, np: Any) -> Any:
        shape = self.found
        count = math.prod(shape)
        result = np.zeros(count, np.float32)
        cells = np.arange(count + 1)
        ends = [
            np.searchsorted(flat_places(np, indices, shape), cells)
            for indices in (self.hypothesis_indices, self.truth_indices)
        ]
        for cell in range(count):
            said, meant = (
                values[end[cell] : end[cell + 1]]
                for values, end in zip(
                    (self.hypothesis_values, self.truth_values), ends, strict=True
                )
            )
            steps = distance(np, said, meant)
            if self.normalize and steps:
                steps = steps / len(meant) if len(meant) else math.inf
            result[cell] = steps
        return result.reshape(shape)

    def lower(self, loops: Any) -> Any:
        s, shape, long = loops.scalars, self.found, dtypes.int64
        said, meant = loops.kept(self.hypothesis_values), loops.kept(self.truth_values)
        count = loops.count(shape)
        cells = loops.map((count + 1,), long, lambda cell: cell)
        begins = [
            loops.kept(loops.search(values.shape[0], cells, long, before(indices, shape)))
            for indices, values in ((self.hypothesis_indices, said), (self.truth_indices, meant))
        ]
        row = loops.memory((meant.shape[0] + 1,), long)
        result = loops.memory((count,), dtypes.float32)
        zero = loops.constant(0, long)

        def counted(place: Any, last: Any) -> tuple[Any, Any]:
            loops.put(row, (place,), place)
            return place + 1, last

        def is_before(place: Any, last: Any, *_: Any) -> Any:
            return place < last

        def one_cell(cell: Any) -> tuple[Any]:
            starts = [begin[(cell,)] for begin in begins]
            spans = [
                s.maximum(begin[(cell + 1,)] - start, zero)
                for begin, start in zip(begins, starts, strict=True)
            ]

            def one_truth(j: Any, last: Any, i: Any, corner: Any) -> tuple[Any, ...]:
                above, beside = loops.held(row[(j + 1,)]), row[(j,)]
                is_other = said[(starts[0] + i,)] != meant[(starts[1] + j,)]
                best = s.minimum(s.minimum(above, beside) + 1, corner + s.cast(is_other, long))
                loops.put(row, (j + 1,), best)
                return j + 1, last, i, above

            def one_hypothesis(i: Any, last: Any) -> tuple[Any, Any]:
                loops.put(row, (zero,), i + 1)
                loops.repeat((zero, spans[1], i, i), is_before, one_truth)
                return i + 1, last

            loops.repeat((zero, spans[1] + 1), is_before, counted)
            loops.repeat((zero, spans[0]), is_before, one_hypothesis)
            steps = s.cast(row[(spans[1],)], dtypes.float32)
            loops.put(result, (cell,), self.lowered_share(loops, steps, spans[1]))
            return (cell + 1,)

        loops.repeat((zero,), lambda cell: cell < scalar(loops, count), one_cell)
        return loops.reshape(result, shape)

    def lowered_share(self, loops: Any, steps: Any, length: Any) -> Any:
        if not self.normalize:
            return steps
        s, nothing = loops.scalars, loops.constant(0, dtypes.float32)
        of_none = s.where(steps > 0, loops.constant(math.inf, dtypes.float32), nothing)
        parts = s.cast(s.maximum(length, loops.constant(1, dtypes.int64)), dtypes.float32)
        return s.where(length > 0, steps / parts, of_none)


RANKS = "{}: Expected truth and hypothesis to have matching ranks, but they are {} and {}"
NO_ROWS = "{}: Input SparseTensors must have rank at least 2, but it is {}"
PLACES = "{}: indices and values do not go together: {}, not {}"
OUTSIDE = "{}: the place{at} is outside of what both shapes have room for: {it}"


def inside(row: Any, shape: Any) -> Any:
    found: Any = True
    for place, size in zip(row, shape, strict=False):
        found = (place >= 0) & (place < size) & found
    return found


def flat_places(np: Any, indices: Any, shape: Any) -> Any:
    """The number of the result that each element belongs to."""
    place = np.zeros(len(indices), np.int64)
    for axis, size in enumerate(shape):
        place = place * size + indices[:, axis]
    return place


def before(indices: Any, shape: Any) -> Any:
    """Whether an element belongs to a result before that of a number."""

    def is_before(element: Any, cell: Any) -> Any:
        place: Any = 0
        for axis, size in enumerate(shape):
            place = place * size + indices[(element, axis)]
        return place < cell

    return is_before


def distance(np: Any, said: Any, meant: Any) -> int:
    """A row of the table at a time; what comes from beside is a running minimum."""
    steps = np.arange(len(meant) + 1)
    row = steps
    for number, one in enumerate(said):
        replaced = row[:-1] + (meant != one)
        best = np.minimum(row[1:] + 1, replaced)
        best = np.concatenate([[number + 1], best])
        row = np.minimum.accumulate(best - steps) + steps
    return int(row[-1])


@dispatchable
def edit_distance(
    hypothesis: Any, truth: Any, normalize: bool = True, name: str = "edit_distance"
) -> Any:
    """How many elements must be put in, left out or replaced to make `truth` of `hypothesis`.

    hypothesis, truth: sparse tensors of one dtype and rank, whose last axes are sequences; their
    places are in order. normalize: divide by the length of the sequence in `truth` (inf where that
    is empty, and the other is not). The result is float32 [...], of the sizes of the larger one.

    >>> said = tf.sparse.from_dense([[1, 2, 3], [4, 0, 0]])
    >>> meant = tf.sparse.from_dense([[1, 3, 0], [4, 5, 6]])
    >>> tf.edit_distance(said, meant, normalize=False).numpy()
    array([1., 2.], dtype=float32)

    Raises:
        TypeError: one of them is not sparse.
        InvalidArgumentError: the ranks differ, or are below 2.
    """
    hypothesis, truth = as_sparse(hypothesis, "Hypothesis"), as_sparse(truth, "Truth")
    return bind(
        EditDistance, hypothesis.indices, hypothesis.values, hypothesis.dense_shape, truth.indices,
        truth.values, truth.dense_shape, normalize=normalize, name=name,
    )  # fmt: skip
