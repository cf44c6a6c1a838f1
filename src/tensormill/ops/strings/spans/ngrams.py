"""Which neighbours in rows of strings are n-grams."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

from ....core.specs import TensorSpec
from ...lowering import Scalar
from ...op import INDEX, Attr, In, Op, Out
from ...origins import Origin
from ...sizes import maximum
from ..rows import demand_rows
from .spans import LONG

PADDINGS: Final = 2  # items that are no strings: what stands left of rows, and right of them


class NGramRuns(Op):
    """The runs of StringNGrams: of `count` strings in rows, of which `splits` tells where they
    begin. Among the items, which are rows of strings within their padding, string k is `first + k`,
    what stands left of a row is 0, and right of it 1.
    """

    strings = In("i64 n")
    splits = In("Tsplits m")
    items = Out("i64 k")
    begins = Out("i64 l")
    ends = Out("i64 l")
    new_splits = Out("Tsplits m")
    ngram_widths = Attr()
    pad_width = Attr(int)
    preserve_short_sequences = Attr()
    Tsplits = INDEX
    origin = Origin.COMPILER
    differentiable = False

    def demands(self, sizes: Any) -> None:
        demand_rows(sizes, "StringNGrams", self.splits, self.strings)

    def infer(self) -> Any:
        some = TensorSpec((None,), LONG)
        return some, some, some, TensorSpec(self.splits.shape, self.splits.dtype)

    def paddings(self) -> list[tuple[int, int]]:
        """Each width, and how much stands around rows then."""
        wanted = self.pad_width
        return [
            (width, width - 1 if wanted < 0 else min(wanted, width - 1))
            for width in self.ngram_widths
        ]

    def whole_padding(self) -> int:
        """How much stands around a row at most: also around one that is short, as a whole."""
        most = max((pad for _, pad in self.paddings()), default=0)
        return max(most, self.pad_width) if self.preserve_short_sequences else most

    def eager(self, np: Any) -> Any:
        around, rows = self.whole_padding(), [*pairwise(self.splits.tolist())]
        items: list[int] = []
        runs: list[tuple[int, int]] = []
        counts = [0] if self.splits.size else []
        for begin, end in rows:
            size, start, before = end - begin, len(items) + around, len(runs)
            items += [0] * around + [PADDINGS + k for k in range(begin, end)] + [1] * around
            if self.strings.size:  # where there is no text at all, padding makes none
                for width, pad in self.paddings():
                    places = range(start - pad, start + size + pad - width + 1)
                    runs += [(place, place + width) for place in places]
                if before == len(runs) and size and self.preserve_short_sequences:
                    pad = max(self.pad_width, 0)
                    runs.append((start - pad, start + size + pad))
            counts.append(len(runs))
        limits = np.array(runs, np.int64).reshape(-1, 2)
        splits = np.array(counts, self.splits.dtype)
        return np.array(items, np.int64), limits[:, 0], limits[:, 1], splits

    def lower(self, loops: Any) -> Any:
        splits, rows = loops.kept(self.splits), maximum(loops, self.splits.shape[0] - 1, 0)
        counts = loops.kept(loops.map((rows,), LONG, self.counting(loops, splits)))
        before = loops.kept(loops.scan("sum", counts, 0, exclusive=True, reverse=False))
        total = loops.held(loops.reduce("sum", (), (rows,), LONG, lambda _, k: counts[k])[()])
        begins, ends = (loops.memory((total,), LONG) for _ in range(2))
        new_splits = loops.memory(splits.shape, splits.dtype)
        around, zero, s = self.whole_padding(), loops.constant(0, LONG), loops.scalars

        def place(row: Any) -> None:
            size, start = self.row(loops, splits, row)
            start, at = start + (2 * around) * row + around, loops.held(before[(row,)])
            after = loops.held(at + counts[(row,)])
            for width, pad in self.paddings():

                def run(k: Any, width: int = width, pad: int = pad, at: Scalar = at) -> None:
                    loops.put(begins, (at + k,), start - pad + k)
                    loops.put(ends, (at + k,), start - pad + k + width)

                count = loops.held(s.minimum(self.count(loops, size, width, pad), after - at))
                loops.for_each((count,), run, in_order=True)
                at = loops.held(at + count)

            def whole(k: Any) -> None:
                pad = max(self.pad_width, 0)
                loops.put(begins, (at + k,), start - pad)
                loops.put(ends, (at + k,), start + size + pad)

            loops.for_each((after - at,), whole, in_order=True)
            loops.put(new_splits, (row + 1,), s.cast(after, splits.dtype))

        loops.for_each((rows,), place)
        items = self.in_padding(loops, splits, rows) if around else loops.map(
            (self.strings.shape[0],), LONG, lambda k: zero + k + PADDINGS
        )  # fmt: skip
        return items, begins, ends, new_splits

    def row(self, loops: Any, splits: Any, row: Any) -> tuple[Scalar, Scalar]:
        """How many strings it has, and the number of the first."""
        begin = loops.held(loops.scalars.cast(splits[(row,)], LONG))
        return loops.held(loops.scalars.cast(splits[(row + 1,)], LONG) - begin), begin

    def count(self, loops: Any, size: Scalar, width: int, pad: int) -> Scalar:
        """How many runs of a width a row has."""
        return loops.scalars.maximum(size + (2 * pad - width + 1), loops.constant(0, LONG))

    def counting(self, loops: Any, splits: Any) -> Callable[[Any], Scalar]:
        """How many runs there are of a row."""
        s, zero = loops.scalars, loops.constant(0, LONG)

        def runs(row: Any) -> Scalar:
            size, _ = self.row(loops, splits, row)
            found = zero
            for width, pad in self.paddings():
                found = found + self.count(loops, size, width, pad)
            if self.preserve_short_sequences:
                found = s.where((found == 0) & (size > 0), zero + 1, found)
            # Where there is no text at all, padding makes none.
            return s.where(zero + self.strings.shape[0] == 0, zero, found)

        return runs

    def in_padding(self, loops: Any, splits: Any, rows: Any) -> Any:
        """The items of rows, with what stands around them."""
        around, zero = self.whole_padding(), loops.constant(0, LONG)
        items = loops.memory((self.strings.shape[0] + (2 * around) * rows,), LONG)

        def place(row: Any) -> None:
            size, start = self.row(loops, splits, row)
            at = loops.held(start + (2 * around) * row + around)  # what is left is 0
            loops.for_each(
                (size,), lambda k: loops.put(items, (at + k,), start + k + PADDINGS), in_order=True
            )
            loops.for_each(
                (around,), lambda k: loops.put(items, (at + size + k,), zero + 1), in_order=True
            )

        loops.for_each((rows,), place)
        return items
