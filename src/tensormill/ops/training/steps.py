"""What steps of optimizers share: a formula of elements, read for whole variables or for rows.

A member names its variables in `effects = changing("var", "m", "v")` and gives

    formula(self, s, *values, **given)    the new values of these variables, at one element; `given`
                                          are the gradient there and the scalars, by their names

which NumPy and the compiler read. Sources: the papers of the optimizers, named at the formulas, and
what TensorFlow's operations give (`tests/ops/calls/training_calls.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.gather import demand_places
from ..array.ranks import ascending_ranks
from ..demands import refuse
from ..effects import Effect, Reads, Writes
from ..in_xla.places import scattered_at, slices_at
from ..op import COMPLEX, FLOATS, INDEX, Op
from ..scalar import NUMPY
from ..state.variables import sole_array


def changing(*names: str) -> tuple[Effect, ...]:
    """The effects of what reads and writes the variables of these handles."""
    return tuple([effect(name) for name in names for effect in (Reads, Writes)])


class OptimizerStep(Op, abstract=True):
    """Variables of one shape that change together."""

    T = FLOATS | COMPLEX
    differentiable = False
    gradient: ClassVar[str] = "grad"
    # What scalars must be: by their names, a condition and how it is said.
    limits: ClassVar[Mapping[str, tuple[Callable[[Any], Any], str]]] = MappingProxyType({})
    formula: ClassVar[Callable[..., Sequence[Any]]]

    @classmethod
    def changed(cls) -> list[str]:
        """The names of the handles, in order."""
        return [one.field for one in cls.effects if isinstance(one, Writes)]

    def demand_states(self, sizes: Any) -> list[Any]:
        """The values of the variables, which have one shape."""
        first, *others = self.changed()
        values = [sizes.state(getattr(self, name)) for name in (first, *others)]
        wanted = sizes.dtype(getattr(self, self.gradient))
        for name, value in zip((first, *others), values, strict=True):
            if (have := sizes.dtype(value)) is not wanted:
                refuse(
                    InvalidArgumentError, WRONG_DTYPE, self.name, name, have.name, wanted.name
                )  # fmt: skip
        for name, value in zip(others, values[1:], strict=True):
            have = sizes.shape(values[0]), sizes.shape(value)
            sizes.alike(*have, ShapeMismatchError, UNLIKE, first, name)
        for name, (holds, said) in self.limits.items():
            sizes.each(getattr(self, name), holds, InvalidArgumentError, LIMIT, name, said)
        return values

    def infer(self) -> tuple[()]:
        return ()

    def arguments(self) -> dict[str, Any]:
        """The scalars and the gradient by their names."""
        handles = {*self.changed(), "indices"}
        names = [name for name in self.input_names if name not in handles]
        return {name: getattr(self, name) for name in names}


UNLIKE = "{} and {} do not have the same shape: {} {}"
WRONG_DTYPE = "{}: the variable '{}' is of {}, and the gradient of {}: they must have one dtype"
LIMIT = "{} is not {}: it is {it}"


class DenseStep(OptimizerStep, abstract=True):
    """Every element changes, by the one of the gradient at its place."""

    def demands(self, sizes: Any) -> list[Any]:
        values = self.demand_states(sizes)
        have = sizes.shape(values[0]), sizes.shape(getattr(self, self.gradient))
        sizes.alike(*have, ShapeMismatchError, UNLIKE, self.changed()[0], self.gradient)
        return values

    def eager(self, np: Any) -> tuple[()]:
        storages = [getattr(self, name) for name in self.changed()]
        for storage in storages:
            storage.settled()  # whoever has lent it may need the lock
        with storages[0].changing():
            before = [storage.read() for storage in storages]
            with np.errstate(all="ignore"):
                after = self.formula(NUMPY, *before, **self.arguments())
            for storage, old, new in zip(storages, before, after, strict=True):
                replace(storage, old, np.asarray(new, old.dtype))
        return ()

    def xla(self, xla: Any) -> tuple[()]:
        after = self.formula(xla.scalars, *self.found, **self.arguments())
        handles = [getattr(self, name) for name in self.changed()]
        pairs = zip(self.found, after, strict=True)
        xla.write_all(handles, [new.astype(old.dtype) for old, new in pairs])
        return ()

    def lower(self, loops: Any) -> tuple[()]:
        values, given = self.found, self.arguments()
        gradient = given.pop(self.gradient)
        scalars = {name: one[()] for name, one in given.items()}

        def changed(which: int) -> Callable[..., Any]:
            def element(*index: Any) -> Any:
                said = {**scalars, self.gradient: gradient[index]}
                return self.formula(loops.scalars, *(one[index] for one in values), **said)[which]

            return element

        shape, dtype, names = values[0].shape, values[0].dtype, self.changed()
        new = [loops.map(shape, dtype, changed(which)) for which in range(len(names))]
        # In this order formulas read, as a rule, nothing that is written before.
        order = [0, *reversed(range(1, len(names)))]
        loops.write_all([getattr(self, names[k]) for k in order], [new[k] for k in order])
        return ()


def replace(storage: Any, before: Any, after: Any) -> None:
    """Let `after` be the value, which compiled code may have changed since it was `before`."""
    if not storage.exchange(before, after):
        storage.write(after)


class SparseStep(OptimizerStep, abstract=True):
    """Rows change, one after the other: the number of each stands in `indices`, with its gradient
    at the same place of `grad`.
    """

    Tindices = INDEX
    indices: Any

    def demands(self, sizes: Any) -> list[Any]:
        values = self.demand_states(sizes)
        shape, gradient = sizes.shape(values[0]), sizes.shape(getattr(self, self.gradient))
        count = sizes.shape(self.indices)
        if not shape:
            refuse(ShapeMismatchError, NO_ROWS, self.name, self.changed()[0])
        sizes.alike(gradient, (*count, *shape[1:]), ShapeMismatchError, UNLIKE_ROWS, self.name)
        demand_places(sizes, self.indices, shape[0])
        return values

    def eager(self, np: Any) -> tuple[()]:
        storages = [getattr(self, name) for name in self.changed()]
        for storage in storages:
            storage.settled()
        self.found = None  # it holds the arrays
        with storages[0].changing():
            own = [sole_array(storage) for storage in storages]  # first: then we hold them, too
            before = [storage.read() for storage in storages]
            pairs = zip(own, before, strict=True)
            after = [old.copy() if out is None else out for out, old in pairs]
            with np.errstate(all="ignore"):
                self.change_rows(np, after)
            for storage, out, old, new in zip(storages, own, before, after, strict=True):
                if out is None:
                    replace(storage, old, new)
        return ()

    def xla(self, xla: Any) -> tuple[()]:
        given, indices, np = self.arguments(), self.indices, xla.np
        gradient = given.pop(self.gradient)
        turns = turns_in_xla(np, indices)

        def turn(number: Any, targets: Any) -> Any:
            # What is not its turn yet is written to a row behind the last, which is dropped.
            places = np.where(turns == number, indices, len(targets[0]))
            before = [slices_at(xla, target, indices, 0) for target in targets]
            found = self.formula(xla.scalars, *before, **given, **{self.gradient: gradient})
            return [
                scattered_at(xla, "set", target, places, new.astype(target.dtype), 0)
                for target, new in zip(targets, found, strict=True)
            ]

        last = np.max(turns, initial=-1) + 1
        after = xla.lax.fori_loop(0, last, turn, list(self.found))
        xla.write_all([getattr(self, name) for name in self.changed()], after)
        return ()

    def change_rows(self, np: Any, targets: list[Any]) -> None:
        """Change rows of arrays; those of equal number in turn."""
        given, indices = self.arguments(), self.indices
        gradient = given.pop(self.gradient)
        for places in in_turn(np, indices):
            rows = indices[places]
            said = {**given, self.gradient: gradient[places]}
            found = self.formula(NUMPY, *(target[rows] for target in targets), **said)
            for target, new in zip(targets, found, strict=True):
                target[rows] = new

    def lower(self, loops: Any) -> tuple[()]:
        values, shape = self.found, (*self.indices.shape, *self.found[0].shape[1:])
        rows = [loops.memory(shape, value.dtype) for value in values]
        self._lowered_rows(loops, values, rows)
        place, dtype = loops.kept(self.indices), dtypes.int64

        def position(k: Any, *rest: Any) -> list[Any]:
            return [loops.scalars.cast(place[(k,)], dtype), *rest]

        for name, value, new in zip(self.changed(), values, rows, strict=True):
            changed = loops.scatter("set", value, shape, position, lambda *at, new=new: new[at])
            loops.write(getattr(self, name), changed)
        return ()

    def _lowered_rows(self, loops: Any, values: Sequence[Any], rows: Sequence[Any]) -> None:
        """Put the new rows into memory: each begins with what the last one of its number is."""
        s, long = loops.scalars, dtypes.int64
        numbers, given = loops.kept(self.indices), self.arguments()
        gradient = given.pop(self.gradient)
        scalars = {name: loops.held(one[()]) for name, one in given.items()}
        order = loops.kept(loops.order(ascending_ranks(loops, numbers)))
        count, width = order.shape[0], values[0].shape[1:]
        length, zero = loops.count(width), loops.constant(0, long)

        def one_row(k: Any) -> tuple[Any]:
            here = loops.held(order[(k,)])
            last = loops.held(order[(s.maximum(k - 1, zero),)])
            row = loops.held(s.cast(numbers[(here,)], long))
            again = loops.held((k > 0) & (s.cast(numbers[(last,)], long) == row))

            def one_element(e: Any) -> tuple[Any]:
                at = unravelled(e, width)
                before = [
                    loops.held(s.where(again, new[(last, *at)], old[(row, *at)]))
                    for old, new in zip(values, rows, strict=True)
                ]
                said = {**scalars, self.gradient: gradient[(here, *at)]}
                found = [loops.held(one) for one in self.formula(s, *before, **said)]
                for new, one in zip(rows, found, strict=True):
                    loops.put(new, (here, *at), one)
                return (e + 1,)

            loops.repeat((zero,), lambda e: e < length, one_element)
            return (k + 1,)

        loops.repeat((zero,), lambda k: k < count, one_row)


NO_ROWS = "{}: {} must be at least 1 dimensional: rows of it change"
UNLIKE_ROWS = "{}: grad must have a row for each of indices: its shape is {}, not {}"


def in_turn(np: Any, indices: Any) -> list[Any]:
    """The places of all first occurrences of numbers, those of all second ones, and so on."""
    order = np.argsort(indices, kind="stable")
    ordered = indices[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])[: len(ordered)]
    lengths = np.diff(np.r_[starts, len(ordered)])
    turns = np.arange(len(ordered)) - np.repeat(starts, lengths)
    return [order[turns == turn] for turn in range(int(lengths.max(initial=0)))]


def turns_in_xla(np: Any, indices: Any) -> Any:
    """How many equal numbers stand before each."""
    order = np.argsort(indices, stable=True)
    ordered = indices[order]
    before = np.arange(len(indices)) - np.searchsorted(ordered, ordered)
    return np.zeros(len(indices), before.dtype).at[order].set(before)


def unravelled(place: Any, shape: Sequence[Any]) -> list[Any]:
    """The index of an element of an array, row by row."""
    found: list[Any] = []
    for size in reversed(shape[1:]):
        found.insert(0, place % size)
        place = place // size
    return [place, *found] if shape else []


def as_number_like(s: Any, number: Any, like: Any) -> Any:
    """A scalar in the dtype of another."""
    return s.cast(number, as_dtype(like.dtype))
