"""Why a call was traced: the one argument in which it differs from the closest earlier trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from types import FunctionType
from typing import Any, Final, cast

from ...core.dtypes import BY_ENUM
from ...core.process.named_tuples import NamedTuple
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ..signature.containers import open_container
from ..signature.parameters import Parameters
from ..traces.object_keys import EqualKey, MethodKey, ObjectKey
from ..traces.trace_type import (
    CompositeKey,
    ContainerKey,
    HandleKey,
    LiteralKey,
    TensorKey,
    UserKey,
    VariableKey,
)

LONGEST: Final = 80  # characters of a value in a message
MOST_COMPARED: Final = 64  # earlier traces: explaining must not cost more than tracing


class Sort(IntEnum):
    """In what two arguments differ; the less it takes to bring them together, the smaller."""

    SHAPE = 1
    RANK = 2
    VALUE = 3
    TYPE = 4
    OBJECT = 5
    FUNCTION = 6
    ALIAS = 7
    TRAINABLE = 8
    DTYPE = 9
    KIND = 10
    STRUCTURE = 11


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
    latest = earlier[-MOST_COMPARED:]
    ranked = [list(_differences(parameters, key, other, values)) for other in latest]
    ranked = [found for found in ranked if found]
    if not ranked:
        return None
    return min(ranked, key=_distance)[0]


def _distance(found: Sequence[Difference]) -> tuple[int, int]:
    return sum(one.sort for one in found), len(found)


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
        inner = f"{path}.{label}" if hasattr(value, "_fields") else f"{path}[{label!r}]"
        yield from _inside(inner, one, another, part)


def _sort(mine: Any, theirs: Any) -> Sort:
    if type(mine) is not type(theirs):
        return Sort.KIND
    match mine:
        case TensorKey():
            return _sort_of_tensors(mine, theirs)
        case VariableKey():
            if mine._replace(alias=0) == theirs._replace(alias=0):
                return Sort.ALIAS
            if mine._replace(trainable=True, alias=0) == theirs._replace(trainable=True, alias=0):
                return Sort.TRAINABLE
            return _sort_of_tensors(mine, theirs)
        case CompositeKey():
            return _sort_of_specs(mine.spec, theirs.spec)
        case LiteralKey():
            return Sort.VALUE if mine.type is theirs.type else Sort.TYPE
        case EqualKey() | UserKey():
            return Sort.VALUE
        case ObjectKey():
            return Sort.FUNCTION if isinstance(mine.value, FunctionType) else Sort.OBJECT
        case MethodKey():
            return Sort.OBJECT
        case _:
            return Sort.STRUCTURE


def _sort_of_tensors(mine: TensorKey | VariableKey, theirs: TensorKey | VariableKey) -> Sort:
    if mine.dtype != theirs.dtype:
        return Sort.DTYPE
    ranks = {None if dims is None else len(dims) for dims in (mine.dims, theirs.dims)}
    return Sort.SHAPE if len(ranks) == 1 else Sort.RANK


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
            kind = "variable" if key.trainable else "variable that is not trainable,"
            return f"{kind} #{key.alias} {spec.short}"
        case HandleKey():
            return key.spec.short
        case CompositeKey():
            return repr(key.spec)
        case LiteralKey():
            return f"{_literal_text(key)} ({getattr(key.type, '__name__', key.type)})"
        case ObjectKey() | EqualKey():
            value = key.value
            return "an object that is gone" if value is None else f"the object {short(value)}"
        case UserKey():
            return repr(key.trace_type)
        case MethodKey():
            return f"a method of {text_of(key.instance)}"
        case ContainerKey():
            return _container_text(key)
        case _:
            return repr(key)


def _literal_text(key: LiteralKey) -> str:
    is_number = key.type in (float, complex) and isinstance(key.value, str)  # as keys have zeros
    return key.value if is_number else short(key.value)


def short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 13]}...{text[-10:]}"


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
    Sort.RANK: "give no shape, tf.TensorSpec(None, dtype), in input_signature, or use "
    "tf.function(reduce_retracing=True), so that one trace serves all ranks",
    Sort.VALUE: "a Python value is a constant of the trace: pass a tensor "
    "(tf.constant, a NumPy value) where it changes from call to call",
    Sort.TYPE: "Python values of different types have traces of their own: pass one type "
    "(1.0 instead of 1), or a tensor (tf.constant)",
    Sort.OBJECT: "each object has its own trace: pass the same object again (and keep it), or "
    "make its class hashable by value",
    Sort.FUNCTION: "each function object has its own trace, also when one line makes them: define "
    "it once, outside of the loop",
    Sort.ALIAS: "the trace depends on which of the arguments are the same variable",
    Sort.TRAINABLE: "the trace depends on whether a variable is trainable",
    Sort.DTYPE: "cast to one dtype before the call",
    Sort.KIND: "pass the same kind of argument each time (a tensor, or a Python value)",
    Sort.STRUCTURE: "pass containers of the same class, length, keys and order of keys",
}


def advice(difference: Difference) -> str:
    """What to do so that the next such call is not traced."""
    return _ADVICE[difference.sort]


@dataclass(slots=True)
class TraceRecord:
    """One line of a function's history: which trace, at whose call, and why.

    `seconds` is what running the Python code took; None where it failed, or runs still.
    """

    number: int
    line: Any
    difference: Difference | None
    seconds: float | None = None

    def __str__(self) -> str:
        at = "" if self.line is None else f" at {self.line}"
        if self.seconds is not None:
            at += f", {self.seconds * 1e3:.0f} ms"
        if self.difference is None:
            return f"trace {self.number}{at}: the first"
        return (
            f"trace {self.number}{at}: the closest earlier trace differs at {self.difference}\n"
            f"  -> {advice(self.difference)}"
        )
