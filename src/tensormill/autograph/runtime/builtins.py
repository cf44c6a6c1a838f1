"""Python's builtin functions, with tensors as arguments too.

While a function is traced, each of these has a meaning for tensors; for everything else, and
outside of a trace, it is the builtin itself.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from . import tensors
from .iterables import (
    EnumeratedRows,
    MappedRows,
    ReversedRows,
    Rows,
    ZippedRows,
    rows_beside_tensors,
    staged_rows,
)
from .steps import CountedStream, MappedStream, ZippedStream, stream_of, streams_beside


def len_(value: Any) -> Any:
    if isinstance(value, Rows):
        return value.length()
    if not tensors.is_staged(value):
        return len(value)
    tensors.check_has_rows(value)
    return tensors.first_dimension(value)


def range_(*arguments: Any) -> Any:
    if any(map(tensors.is_staged, arguments)):
        return tensors.make_range(*arguments)
    return range(*arguments)


# --- numbers ---


def int_(value: Any = 0, *base: Any, **options: Any) -> Any:
    if not tensors.is_staged(value):
        return int(value, *base, **options)
    if base or options:
        raise TypeError("int() of a tensor takes no base")
    return tensors.cast(value, "int32")


def float_(value: Any = 0.0) -> Any:
    return tensors.cast(value, "float32") if tensors.is_staged(value) else float(value)


def bool_(value: Any = False) -> Any:
    return tensors.cast(value, "bool") if tensors.is_staged(value) else bool(value)


def round_(number: Any, ndigits: Any = None) -> Any:
    if not tensors.is_staged(number):
        return round(number) if ndigits is None else round(number, ndigits)
    if ndigits is None:
        return tensors.rounded(number)
    scale = 10.0**ndigits
    return tensors.rounded(number * scale) / scale


def divmod_(left: Any, right: Any) -> Any:
    if tensors.is_staged(left) or tensors.is_staged(right):
        return left // right, left % right
    return divmod(left, right)


# --- summaries ---


def _vector(value: Any, name: str) -> Any:
    """A tensor that one of the functions below may reduce: they take any iterable in Python."""
    tensors.check_has_rows(value)
    if value.shape.rank not in (1, None):
        raise ValueError(
            f"{name}() of a tensor wants a vector, got shape {value.shape}; "
            f"use tf.reduce_{name}(x, axis=…)"
        )
    return value


def min_(*values: Any, **options: Any) -> Any:
    return _extreme(values, options, builtins.min, "min", tensors.smaller)


def max_(*values: Any, **options: Any) -> Any:
    return _extreme(values, options, builtins.max, "max", tensors.larger)


def _extreme(
    values: tuple[Any, ...],
    options: dict[str, Any],
    python: Callable[..., Any],
    name: str,
    pairwise: Callable[[Any, Any], Any],
) -> Any:
    if options or not values:
        return python(*values, **options)
    if len(values) == 1 and tensors.is_staged(values[0]):
        return tensors.reduce(name, _vector(values[0], name))
    candidates = tuple(values[0]) if len(values) == 1 and _is_plain(values[0]) else values
    if not any(map(tensors.is_staged, candidates)):
        return python(*values)
    result = candidates[0]
    for other in candidates[1:]:
        result = pairwise(result, other)
    return result


def _is_plain(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def sum_(values: Any, start: Any = 0) -> Any:
    if not tensors.is_staged(values):
        return sum(values, start)
    tensors.check_has_rows(values)
    total = tensors.reduce("sum", values, axis=0)
    return total if isinstance(start, int) and start == 0 else total + start


def any_(values: Any) -> Any:
    if tensors.is_staged(values):
        return tensors.reduce("any", _vector(values, "any"))
    return any(values)


def all_(values: Any) -> Any:
    if tensors.is_staged(values):
        return tensors.reduce("all", _vector(values, "all"))
    return all(values)


def sorted_(values: Any, *, key: Any = None, reverse: bool = False) -> Any:
    if not tensors.is_staged(values):
        return sorted(values, key=key, reverse=reverse)
    return tensors.sort(values, key, reverse)


# --- iteration ---


def zip_(*iterables: Any, strict: bool = False) -> Any:
    parts = _all_rows(iterables)
    if parts is not None:
        return ZippedRows(parts)
    streams = streams_beside(iterables, rows_beside_tensors)
    return zip(*iterables, strict=strict) if streams is None else ZippedStream(streams)


def enumerate_(iterable: Any, start: Any = 0) -> Any:
    rows = staged_rows(iterable)
    if rows is not None:
        return EnumeratedRows(rows, start)
    stream = stream_of(iterable)
    return enumerate(iterable, start) if stream is None else CountedStream(stream, start)


def reversed_(values: Any) -> Any:
    rows = staged_rows(values)
    return reversed(values) if rows is None else ReversedRows(rows)


def map_(function: Callable[..., Any], *iterables: Any) -> Any:
    parts = _all_rows(iterables)
    if parts is not None:
        return MappedRows(function, parts)
    streams = streams_beside(iterables, rows_beside_tensors)
    return map(function, *iterables) if streams is None else MappedStream(function, streams)


def _all_rows(iterables: tuple[Any, ...]) -> list[Rows] | None:
    """The rows of each, if one of them is staged and the others can go with it."""
    if not any(staged_rows(one) is not None for one in iterables):
        return None
    parts = [rows_beside_tensors(one) for one in iterables]
    return None if None in parts else [part for part in parts if part is not None]


def staged_print(*values: Any, **options: Any) -> None:
    """`print` where `Feature.BUILTIN_FUNCTIONS` is on."""
    if not tensors.building_graph():
        print(*values, **options)
        return
    options.pop("flush", None)
    if "file" in options:
        options["output_stream"] = options.pop("file")
    tensors.print_in_graph(*values, **options)


# What converted code calls instead. Those that call something themselves are in `calls.py`.
BUILTINS: dict[Any, Callable[..., Any]] = {
    all: all_,
    any: any_,
    bool: bool_,
    divmod: divmod_,
    enumerate: enumerate_,
    float: float_,
    int: int_,
    len: len_,
    max: max_,
    min: min_,
    range: range_,
    reversed: reversed_,
    round: round_,
    sum: sum_,
    zip: zip_,
}
