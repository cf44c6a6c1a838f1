"""The shortest way from a call to native code, where it looks like the call before.

A function remembers the native entry of the trace that was called twice, and how that call looked:
its arguments, and which values those had that are no tensors. The entry itself compares types,
dtypes and sizes of the tensors, so Python compares nothing else:

    f(x, 3, {"a": y})     the trace type is found, a trace called
    f(x, 3, {"a": y})     again: the reader of such calls is made
    f(a, 3, {"a": b})     it reads them: entry(a, b)
    f(a, 4, {"a": b})     it does not, and the trace type is computed again (function.py)
    f(n, 3, {"a": b})     it does, but the entry gives NotImplemented for n's dtype: the same

A reader is written for one structure (core/process/written_functions.py). Values that cannot be
compared quickly and surely (floats that are zero or NaN, objects) have none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter
from typing import Any, Final, cast

import numpy as np

from ..core.process.written_functions import FunctionText
from ..eager.arrays import to_array
from ..eager.tensor import EagerTensor, wrap
from .signature.parameters import POSITIONAL, Parameters

# Gives the tensors of a call that looks as one did before, in order; None for another one.
Reader = Callable[..., tuple[Any, ...] | None]

# Python values that are compared at no cost, and only equal to their like.
PLAIN: Final = (int, bool, str, bytes, type(None))
# Larger structures are as quickly walked through, next to what is computed of them.
MOST_PARTS: Final = 500


def are_tensors(args: Sequence[Any], leaves: Sequence[Any]) -> bool:
    """Whether a call has eager tensors only, given by position: native entries read those."""
    return len(args) == len(leaves) and all([type(arg) is EagerTensor for arg in args])


def reader_of(
    parameters: Parameters,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    leaves: Sequence[Any],
) -> Reader:
    """What reads calls that look like this one.

    leaves: what tracing found in the arguments, in its order.

    Raises:
        LookupError: what calls look like cannot be said so shortly.
    """
    writer = _ReaderWriter()
    writer.arguments(parameters, args, kwargs)
    if not _are_alike(writer.found, leaves):
        raise LookupError("tracing finds other tensors")
    return writer.made()


def _are_alike(found: Sequence[Any], leaves: Sequence[Any]) -> bool:
    """Whether the leaves are what was found; NumPy's arrays became tensors."""
    return len(found) == len(leaves) and all(
        one is leaf or (type(one) is np.ndarray and type(leaf) is EagerTensor)
        for one, leaf in zip(found, leaves, strict=True)
    )


class _ReaderWriter:
    """Writes a reader; `found` are the tensors and arrays that it gives for the call it is of."""

    def __init__(self) -> None:
        self.found: list[Any] = []
        self._given: list[str] = []
        self._parts = 0
        self._text: Final = FunctionText("*args, **kwargs")

    def arguments(
        self, parameters: Parameters, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> None:
        """The arguments, in the order of parameters, which is that of tracing."""
        self._refuse_unless(f"len(args) == {len(args)} and len(kwargs) == {len(kwargs)}")
        names = [self._text.name() for _ in args]
        if names:
            self._text.add(f"{', '.join(names)}, = args")
        positions = zip(names, args, strict=True)
        rest = dict(kwargs)
        for one in parameters.each:
            if one.kind is Parameter.VAR_POSITIONAL:
                self._each(positions)
            elif one.kind is Parameter.VAR_KEYWORD:
                for name in sorted(rest):
                    self._keyword(name, rest.pop(name))
            elif one.kind in POSITIONAL and (given := next(positions, None)) is not None:
                self._part(*given)
            elif one.name in rest:
                self._keyword(one.name, rest.pop(one.name))

    def _each(self, named: Any) -> None:
        for name, value in named:
            self._part(name, value)

    def _keyword(self, name: str, value: Any) -> None:
        key, variable = self._text.constant(name), self._text.name()
        self._refuse_unless(f"{key} in kwargs")
        self._text.add(f"{variable} = kwargs[{key}]")
        self._part(variable, value)

    def _part(self, name: str, value: Any) -> None:
        """A part of the arguments, which the variable `name` holds."""
        kind = cast("type[Any]", type(value))
        self._parts += 1
        if self._parts > MOST_PARTS:
            raise LookupError("there are many")
        if kind is EagerTensor:
            self.found.append(value)
            self._given.append(name)
        elif kind is np.ndarray:
            self._array(name, value)
        elif kind in PLAIN or (kind is float and value == value and value):
            self._plain(name, value)
        elif kind is dict:
            self._dict(name, value)
        elif kind in (list, tuple) or (issubclass(kind, tuple) and _is_named(kind)):
            self._sequence(name, value)
        else:
            raise LookupError(kind.__name__)

    def _array(self, name: str, value: Any) -> None:
        """NumPy's array becomes a tensor, as it does for tracing."""
        self._refuse_unless(f"type({name}) is {self._text.constant(np.ndarray)}")
        self.found.append(value)
        self._given.append(f"{self._text.constant(_tensor_of)}({name})")

    def _plain(self, name: str, value: Any) -> None:
        kind, same = self._text.constant(type(value)), self._text.constant(value)
        self._refuse_unless(f"{name} is {same} or (type({name}) is {kind} and {name} == {same})")

    def _dict(self, name: str, value: dict[Any, Any]) -> None:
        """A dict with the same keys in the same order."""
        if not all(type(key) in (str, int) for key in value):
            raise LookupError("keys of other types")
        keys = self._text.constant(list(value))
        self._refuse_unless(f"type({name}) is dict and [*{name}] == {keys}")
        try:
            labels = sorted(value)
        except TypeError:
            raise LookupError("keys without an order") from None
        for label in labels:
            part = self._text.name()
            self._text.add(f"{part} = {name}[{self._text.constant(label)}]")
            self._part(part, value[label])

    def _sequence(self, name: str, value: Any) -> None:
        kind = self._text.constant(type(value))
        self._refuse_unless(f"type({name}) is {kind} and len({name}) == {len(value)}")
        names = [self._text.name() for _ in value]
        if names:
            self._text.add(f"{', '.join(names)}, = {name}")
        self._each(zip(names, value, strict=True))

    def _refuse_unless(self, condition: str) -> None:
        self._text.add(f"if not ({condition}): return None")

    def made(self) -> Reader:
        """The reader."""
        given = "".join(f"{one}, " for one in self._given)
        self._text.add(f"return ({given})")
        return self._text.made()


def _is_named(kind: Any) -> bool:
    """Whether a class of tuples is one of named tuples."""
    return hasattr(kind, "_fields")


def _tensor_of(array: Any) -> EagerTensor:
    return wrap(to_array(array))
