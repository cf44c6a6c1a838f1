"""Python's builtin functions, with tensors as arguments too.

While a function is traced, each of these has a meaning for tensors; for everything else, and
outside of a trace, it is the builtin itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import OperatorNotAllowedInGraphError
from . import branches, logic, tensor_ranges, tensor_rows, tensors
from .reductions import all_, any_, sum_
from .staged.conditions import truth
from .staged.iteration import CountedStream, MappedStream, ZippedStream, stream_of, streams_beside
from .staged.sequences import (
    EnumeratedRows,
    MappedRows,
    ReversedRows,
    StagedSequence,
    ZippedRows,
    rows_beside_tensors,
    staged_rows,
)


def len_(value: Any) -> Any:
    if isinstance(value, StagedSequence) or tensors.is_staged_list(value):
        return value.length()
    if tensors.is_staged(value):
        tensor_rows.check_has_rows(value)
        return tensor_rows.first_dimension(value)
    if tensors.building_graph() and hasattr(value, "cardinality"):
        return _known_cardinality(value.cardinality())
    if tensors.is_tensor_array(value):
        return value.size()
    return len(value)


def range_(*given: Any) -> Any:
    arguments = [tensors.in_python(one) for one in given]
    if any(map(tensors.is_staged, arguments)):
        return tensor_ranges.make_range(*arguments)
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
    value = tensors.as_condition(value)
    return truth(value) if tensors.is_staged(value) else bool(value)


def round_(number: Any, ndigits: Any = None) -> Any:
    if not tensors.is_staged(number):
        return round(number) if ndigits is None else round(number, ndigits)
    if ndigits is None:
        return _rounded(number)
    scale = 10.0**ndigits
    return _rounded(number * scale) / scale


def divmod_(left: Any, right: Any) -> Any:
    if tensors.is_staged(left) or tensors.is_staged(right):
        return left // right, left % right
    return divmod(left, right)


# --- iteration ---


def list_(values: Any = ()) -> Any:
    """A list that grew, where only the graph knows how many items there are."""
    rows = staged_rows(values)
    if rows is not None and not isinstance(rows.length(), int):
        return rows.listed()
    return list(values if rows is None else rows)


def tuple_(values: Any = ()) -> Any:
    if tensors.is_staged_list(values):
        raise OperatorNotAllowedInGraphError(
            "a list that grew in staged code cannot be made a tuple, whose length Python has to "
            "know: use the list itself, or tf.stack(the list)"
        )
    return tuple(_in_python(values))


def iter_(values: Any, *sentinel: Any) -> Any:
    return iter(values, *sentinel) if sentinel else iter(_in_python(values))


def _in_python(values: Any) -> Any:
    """What Python may go through: the rows of a tensor, where their number is known."""
    rows = staged_rows(values)
    return values if rows is None else rows


def next_(iterator: Any, *default: Any) -> Any:
    if not tensors.building_graph() or not hasattr(iterator, "get_next_as_optional"):
        return next(iterator, *default)
    if not default:
        return iterator.get_next()
    element = iterator.get_next_as_optional()
    return branches.chosen(element.has_value(), element.get_value, lambda: default[0])


def zip_(*iterables: Any, strict: bool = False) -> Any:
    parts = _all_rows(iterables)
    if parts is not None:
        if strict:
            _check_equal_lengths(parts)
        return ZippedRows(parts)
    streams = streams_beside(iterables, rows_beside_tensors)
    if streams is not None:
        return ZippedStream(streams)
    return zip(*map(_in_python, iterables), strict=strict)


def _check_equal_lengths(parts: list[StagedSequence]) -> None:
    first, *others = [part.length() for part in parts]
    for number, length in enumerate(others, 2):
        message = f"zip() argument {number} is not as long as the first"
        equal = first == length
        if tensors.is_staged(equal):
            logic.check_at_run_time(equal, message)
        elif not equal:
            raise ValueError(f"{message}: {length} and {first}")


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
    if streams is None:
        return map(function, *iterables)
    return MappedStream(function, streams, iterables)


def filter_(function: Callable[[Any], Any], iterable: Any) -> Any:
    if tensors.is_staged(iterable):
        tensor_rows.check_has_rows(iterable)
        return tensor_rows.selected(iterable, function)
    if stream_of(iterable) is not None and hasattr(iterable, "filter"):
        return iterable.filter(function)
    return filter(function, iterable)


def _all_rows(iterables: tuple[Any, ...]) -> list[StagedSequence] | None:
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
    _print_in_graph(*values, **options)


# --- operations that only these need ---


def _rounded(value: Any) -> Any:
    from ...ops.math import elementwise

    return elementwise.round(value)


def _known_cardinality(count: Any) -> Any:
    """`len(dataset)`, of its cardinality: an int64 tensor, checked when the graph runs."""
    from ...ops.checks.assertions import Assert

    Assert(count >= 0, ["len requires a dataset with definite cardinality, got", count])
    return count


def _print_in_graph(*arguments: Any, **options: Any) -> None:
    from ...ops.strings.printing import print as print_tensors

    print_tensors(*arguments, **options)


# What converted code calls instead. Those that call something themselves are in `calls.py`.
BUILTINS: dict[Any, Callable[..., Any]] = {
    all: all_,
    any: any_,
    bool: bool_,
    divmod: divmod_,
    enumerate: enumerate_,
    float: float_,
    int: int_,
    iter: iter_,
    len: len_,
    list: list_,
    next: next_,
    range: range_,
    reversed: reversed_,
    round: round_,
    sum: sum_,
    tuple: tuple_,
    zip: zip_,
}
