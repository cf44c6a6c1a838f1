"""Why a call was traced: the one argument in which it differs from the closest earlier trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple, cast

from ..core.dtypes import BY_ENUM
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from .containers import open_container
from .object_keys import EqualKey, MethodKey, ObjectKey
from .parameters import Parameters
from .trace_type import (
    CompositeKey,
    ContainerKey,
    HandleKey,
    LiteralKey,
    TensorKey,
    UserKey,
    VariableKey,
)


class Sort(IntEnum):
    """In what two arguments differ; the less it takes to bring them together, the smaller."""

    SHAPE = 1
    VALUE = 2
    OBJECT = 3
    ALIAS = 4
    DTYPE = 5
    KIND = 6
    STRUCTURE = 7


class Difference(NamedTuple):
    """`path` is where the arguments differ, as Python would write it (`batch['x']`)."""

    path: str
    now: str
    before: str
    sort: Sort

    def __str__(self) -> str:
        return f"{self.path}: now {self.now}, before {self.before}"


def closest(
    parameters: Parameters, key: Any, earlier: Sequence[Any], values: Sequence[Any]
) -> Difference | None:
    """The first difference from the earlier key that is most like `key`; None if there is none."""
    ranked = [list(_differences(parameters, key, other, values)) for other in earlier]
    ranked = [found for found in ranked if found]
    if not ranked:
        return None
    return min(ranked, key=lambda found: (sum(one.sort for one in found), len(found)))[0]


def _differences(
    parameters: Parameters, key: Any, other: Any, values: Sequence[Any]
) -> Iterator[Difference]:
    for name, mine, theirs, value in zip(parameters.names, key, other, values, strict=False):
        yield from _inside(name, mine, theirs, value)


def _inside(path: str, mine: Any, theirs: Any, value: Any) -> Iterator[Difference]:
    if mine == theirs:
        return
    opened = open_container(value)
    alike = isinstance(mine, ContainerKey) and isinstance(theirs, ContainerKey)
    if (
        opened is None
        or not alike
        or mine.kind != theirs.kind
        or len(mine.parts) != len(theirs.parts)
    ):
        yield Difference(path, text_of(mine), text_of(theirs), _sort(mine, theirs))
        return
    for label, one, another, part in zip(
        opened.labels, mine.parts, theirs.parts, opened.parts, strict=True
    ):
        yield from _inside(f"{path}[{label!r}]", one, another, part)


def _sort(mine: Any, theirs: Any) -> Sort:
    if type(mine) is not type(theirs):
        return Sort.KIND
    match mine:
        case TensorKey():
            return Sort.SHAPE if mine.dtype == theirs.dtype else Sort.DTYPE
        case VariableKey():
            if mine._replace(alias=0) == theirs._replace(alias=0):
                return Sort.ALIAS
            return Sort.SHAPE if mine.dtype == theirs.dtype else Sort.DTYPE
        case CompositeKey():
            return _sort_of_specs(mine.spec, theirs.spec)
        case LiteralKey():
            return Sort.VALUE
        case EqualKey() | UserKey():
            return Sort.VALUE
        case ObjectKey() | MethodKey():
            return Sort.OBJECT
        case _:
            return Sort.STRUCTURE


def _sort_of_specs(mine: Any, theirs: Any) -> Sort:
    if type(mine) is not type(theirs):
        return Sort.KIND
    return Sort.STRUCTURE if mine.most_specific_common_supertype([theirs]) is None else Sort.SHAPE


def text_of(key: Any) -> str:
    """A key as a person would describe the argument."""
    match key:
        case TensorKey():
            return TensorSpec(TensorShape(key.dims), BY_ENUM[key.dtype]).short
        case VariableKey():
            spec = TensorSpec(TensorShape(key.dims), BY_ENUM[key.dtype])
            return f"variable #{key.alias} {spec.short}"
        case HandleKey():
            return key.spec.short
        case CompositeKey():
            return repr(key.spec)
        case LiteralKey():
            return f"{key.value!r} ({getattr(key.type, '__name__', key.type)})"
        case ObjectKey() | EqualKey():
            value = key.value
            return "an object that is gone" if value is None else f"the object {value!r}"
        case UserKey():
            return repr(key.trace_type)
        case MethodKey():
            return f"a method of {text_of(key.instance)}"
        case ContainerKey():
            return _container_text(key)
        case _:
            return repr(key)


def _container_text(key: ContainerKey) -> str:
    inner = ", ".join(map(text_of, key.parts))
    if not isinstance(key.kind, tuple):
        return f"{getattr(key.kind, '__name__', key.kind)}({inner})"
    kind, *facts = cast(tuple[Any, ...], key.kind)
    if kind is not Mapping:
        return f"{kind.__name__}({inner})"
    labels, cls, order = facts
    parts = dict(zip(labels, key.parts, strict=True))
    text = "{" + ", ".join(f"{label!r}: {text_of(parts[label])}" for label in order) + "}"
    return text if cls is dict else f"{cls.__name__}({text})"


_ADVICE = {
    Sort.SHAPE: "give that dimension as None in input_signature, or use "
    "tf.function(reduce_retracing=True), so that one trace serves all sizes",
    Sort.VALUE: "a Python value is a constant of the trace: pass a tensor "
    "(tf.constant, a NumPy value) where it changes from call to call",
    Sort.OBJECT: "each object has its own trace: pass the same object again, or make "
    "its class hashable by value",
    Sort.ALIAS: "the trace depends on which of the arguments are the same variable",
    Sort.DTYPE: "cast to one dtype before the call",
    Sort.KIND: "pass the same kind of argument each time (a tensor, or a Python value)",
    Sort.STRUCTURE: "pass containers of the same structure and length",
}


def advice(difference: Difference) -> str:
    """What to do so that the next such call is not traced."""
    return _ADVICE[difference.sort]


class Traced(NamedTuple):
    """One line of a function's history: which trace, at whose call, and why."""

    number: int
    line: Any
    difference: Difference | None

    def __str__(self) -> str:
        at = "" if self.line is None else f" at {self.line}"
        if self.difference is None:
            return f"trace {self.number}{at}: the first"
        return (
            f"trace {self.number}{at}: the closest earlier trace differs at {self.difference}\n"
            f"  -> {advice(self.difference)}"
        )
