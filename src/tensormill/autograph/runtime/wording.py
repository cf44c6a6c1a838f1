"""How messages call variables, values and places."""

from __future__ import annotations

import functools
import linecache
import re
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from ...control.matching import described as described  # an export
from ...core.source import is_ours
from . import tensors

# What conversion calls the value that a function returns.
_RETURNED = re.compile(r"retval_(_\d+)?")
_LITERALS = {"float32": "0.0", "int32": "0", "bool": "False", "string": '""'}


def subject(name: str) -> str:
    """A variable as the user knows it; what a `return` returns has no name."""
    return "the value returned" if _RETURNED.fullmatch(name) else f"'{name}'"


def stand_in_for(value: Any) -> str | None:
    """An expression for a tensor like this one, if it is plain what that would be."""
    if not tensors.is_tensor(value) or not value.shape.is_fully_defined():
        return None
    dtype, sizes = value.dtype.name, value.shape.as_list()
    if not sizes and dtype in _LITERALS:
        return _LITERALS[dtype]
    if dtype in ("string", "resource", "variant"):
        return None
    return f"tf.zeros({sizes})" if dtype == "float32" else f"tf.zeros({sizes}, tf.{dtype})"


def last_line(block: Callable[..., Any], name: str) -> str | None:
    """Where a block gives the variable its last value, with the text of the line."""
    code = _code_of(block)
    found = list(_assignments(code, re.sub(r"\[.*", "", name).rpartition(".")[2]))
    return _shown(code, max(found)) if found else None


def branch_line(branch: Callable[..., Any], name: str) -> str:
    """The same of a branch; its first line, if the variable is none that it binds."""
    code = _code_of(branch)
    if is_ours(code.co_filename):
        return "there is none"
    lines = sorted({line for *_, line in code.co_lines() if line})
    first = lines[1] if len(lines) > 1 else code.co_firstlineno
    return last_line(branch, name) or _shown(code, first)


def _code_of(block: Callable[..., Any]) -> CodeType:
    while isinstance(block, functools.partial):  # a body for one item
        block = block.func
    return block.__code__


def _shown(code: CodeType, line: int) -> str:
    return f"{code.co_filename}:{line}  {linecache.getline(code.co_filename, line).strip()}"


def _assignments(code: CodeType, name: str) -> Iterator[int]:
    """The lines that bind a variable, in blocks of this block, too."""
    import dis  # not before there is an error

    for one in dis.get_instructions(code):
        is_store = one.opname.startswith("STORE_") and one.argval == name
        if is_store and one.positions is not None and one.positions.lineno is not None:
            yield one.positions.lineno
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and name in constant.co_freevars:
            yield from _assignments(constant, name)
