"""Functions that ask Python's functions, graphs and tensors what the public API does not tell."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

from ....core import dtypes
from ....eager.convert import convert_to_tensor
from ....eager.variable import Variable
from ....graph.by_hand.default_graph import get_default_graph
from ....module.table_initializers import TextFileIndex, TextFileInitializer
from ....ops.array.fill import range as numbers_from
from ....ops.array.shapes import rank
from ....ops.math.division import divide_no_nan
from ..decorators import unwrap

PRINTS_WARNINGS = True


def get_func_code(func: Callable[..., Any]) -> CodeType | None:
    """The code of a function, None where it has none.

    Raises:
        ValueError: this cannot be called.
    """
    if not callable(func):
        raise ValueError(f"Argument `func` must be a callable, got {func!r} of {type(func)}")
    _, target = unwrap(func)
    found = target if hasattr(target, "__code__") else type(target).__call__
    return getattr(found, "__code__", None)


def kwarg_only(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that refuses arguments without their names.

    Raises:
        TypeError: (when it is called) one is given by position.
    """

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        if args:
            names = [*inspect.signature(f).parameters]
            raise TypeError(
                f"{f.__name__} takes its arguments by their names, {names}; got {len(args)} without"
            )
        return f(**kwargs)

    return call


def valid_identifier(name: str) -> bool:
    """Whether it may be the name of a module (a keyword may)."""
    return name.isidentifier()


def is_constant(tensor_or_op: Any) -> bool:
    """Whether an operation of a graph is a constant."""
    operation = getattr(tensor_or_op, "op", tensor_or_op)
    return operation.type == "Const"


def get_all_collection_keys() -> list[str]:
    """The names of all collections of the default graph."""
    return get_default_graph().get_all_collection_keys()


def convert_n_to_tensor(
    values: Sequence[Any], dtype: Any = None, name: str | None = None, preferred_dtype: Any = None
) -> list[Any]:
    """Each of these as a tensor; their names are numbered.

    Raises:
        TypeError: `values` is no sequence.
    """
    if not isinstance(values, Sequence):
        raise TypeError(f"values must be a sequence, got {type(values)}")
    names = [None if name is None else f"{name}_{place}" for place in range(len(values))]
    return [
        convert_to_tensor(one, dtype, name=called, dtype_hint=preferred_dtype)
        for one, called in zip(values, names, strict=True)
    ]


def all_axes(x: Any) -> Any:
    """The places of all axes, a vector; as the trace knows them."""
    known = getattr(x, "shape", None)
    if known is not None and known.rank is not None:
        return convert_to_tensor([*range(known.rank)], dtypes.int32)
    return numbers_from(0, rank(x))


def axes_of_reduction(x: Any, axis: Any) -> Any:
    """These axes, or all where none is told."""
    return all_axes(x) if axis is None else axis


def text_file_ids(
    filename: Any,
    key_column_index: int = TextFileIndex.WHOLE_LINE,
    value_column_index: int = TextFileIndex.LINE_NUMBER,
    vocab_size: int | None = None,
    delimiter: str = "\t",
    name: str | None = "text_file_id_table_init",
    key_dtype: Any = dtypes.string,
) -> TextFileInitializer:
    """A table's entries from the lines of a file: words, and their numbers."""
    return TextFileInitializer(
        filename, key_dtype, key_column_index, dtypes.int64, value_column_index, vocab_size,
        delimiter, name,
    )  # fmt: skip


def text_file_strings(
    filename: Any,
    key_column_index: int = TextFileIndex.LINE_NUMBER,
    value_column_index: int = TextFileIndex.WHOLE_LINE,
    vocab_size: int | None = None,
    delimiter: str = "\t",
    name: str | None = "text_file_string_table_init",
) -> TextFileInitializer:
    """A table's entries from the lines of a file: numbers, and their words."""
    return TextFileInitializer(
        filename, dtypes.int64, key_column_index, dtypes.string, value_column_index, vocab_size,
        delimiter, name,
    )  # fmt: skip


def part_of_value(tensor: Any, slice_spec: Any, var: Any = None) -> Any:
    """`tensor[slice_spec]`; of `var`, where it is given, a part that can be assigned."""
    return tensor[slice_spec] if var is None else part_of_variable(var, slice_spec)


def part_of_variable(var: Any, slice_spec: Any) -> Any:
    """`var[slice_spec]`, also as the method of a class that stands for a variable."""
    if isinstance(var, Variable):
        return Variable.__getitem__(var, slice_spec)
    return var.value()[slice_spec]


def divided_scalars(numerator: Any, denominator: Any, name: str | None) -> Any:
    """One scalar by another; 0 where that is 0."""
    return divide_no_nan(numerator, denominator, name=name)
