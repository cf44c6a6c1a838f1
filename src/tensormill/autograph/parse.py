"""From a code object to its syntax tree, at the lines and columns of the user's file."""

from __future__ import annotations

import ast
import copy
import inspect
import linecache
import os
import time
from collections.abc import Iterator
from types import CodeType
from typing import Any

from ..core.process.named_tuples import NamedTuple
from .errors import ConversionError

FunctionNode = ast.FunctionDef | ast.Lambda

# line, end line, column, end column
Span = tuple[int, int, int, int]
Place = tuple[int, int]

_STARTED = time.time()


class Parsed(NamedTuple):
    """A function as written. The tree is the caller's to change."""

    node: FunctionNode
    file: str


def parse(code: CodeType, scope: dict[str, Any] | None = None) -> Parsed:
    """The tree of the function that `code` was compiled from; `scope` are its globals.

    Raises:
        NoSourceError: nothing can be read where the code says it comes from.
        ConversionError: what stands there is another function.
    """
    lines = _lines(code, scope)
    node = _lambda(code, lines) if code.co_name == "<lambda>" else _definition(code, lines)
    return Parsed(node, code.co_filename)


def _lines(code: CodeType, scope: dict[str, Any] | None) -> list[str]:
    """What `linecache` knows: files, notebooks, doctests, zip files; else what is remembered."""
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, scope)
    # All texts given to `exec` have this name, and Python 3.13 keeps that of `python -c` under it.
    is_any_text = code.co_filename == "<string>"
    if len(lines) >= code.co_firstlineno and not is_any_text:
        return lines
    from .sources import text_of

    return text_of(code, scope or {}, "".join(lines)).splitlines(keepends=True)


# --- def ---


def _definition(code: CodeType, lines: list[str]) -> ast.FunctionDef:
    node = _parse_block(code, lines)
    if (
        not isinstance(node, ast.FunctionDef)
        or node.name != code.co_name
        or not _same_signature(node.args, code)
        or _was_changed(node, code)
    ):
        raise ConversionError(
            f"{code.co_filename}:{code.co_firstlineno} is not the source of {code.co_name}: "
            "the file changed after it was imported"
        )
    return node


def _was_changed(node: ast.FunctionDef, code: CodeType) -> bool:
    """Whether a file that was written after this program began holds another function now."""
    try:
        if os.stat(code.co_filename).st_mtime <= _STARTED:
            return False
    except OSError:  # no file, but a notebook's cell
        return False
    from .sources import is_other

    return is_other(node, code)


def _parse_block(code: CodeType, lines: list[str]) -> ast.stmt:
    first = code.co_firstlineno - 1
    try:
        return _parse_lines(lines[first : _end_of_block(code, lines)], first)[0]
    except SyntaxError:
        # A string or bracket that continues left of the `def`: let the tokenizer find the end.
        pass
    try:
        return _parse_lines(inspect.getblock(lines[first:]), first)[0]
    except SyntaxError as error:  # of indentation, too
        raise ConversionError(
            f"the text at {code.co_filename}:{first + 1} is not a function: {error}"
        ) from error


def _parse_lines(block: list[str], first: int) -> list[ast.stmt]:
    """Parse lines that start at index `first` of their file, keeping lines and columns."""
    indented = block[0][:1].isspace()
    if not indented:
        return ast.parse("\n" * first + "".join(block)).body
    # Indented text is legal inside a block. The block's header takes the line above it; a
    # function on line 1 is never indented.
    wrapper = ast.parse("\n" * (first - 1) + "if 1:\n" + "".join(block)).body[0]
    assert isinstance(wrapper, ast.If)
    return wrapper.body


def _end_of_block(code: CodeType, lines: list[str]) -> int:
    indent = _indent(lines[code.co_firstlineno - 1])
    for index in range(_last_line(code), len(lines)):
        text = lines[index].strip()
        if text and not text.startswith(("#", ")", "]", "}")) and _indent(lines[index]) <= indent:
            return index
    return len(lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _last_line(code: CodeType) -> int:
    own = max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno)
    inner = (_last_line(c) for c in code.co_consts if isinstance(c, CodeType))
    return max(own, *inner, own)


def _same_signature(arguments: ast.arguments, code: CodeType) -> bool:
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    names += [a.arg for a in (arguments.vararg, arguments.kwarg) if a]
    # A private parameter is mangled in the code and not in the tree.
    compiled = code.co_varnames[: len(names)]
    return len(compiled) == len(names) and all(
        there.endswith(here) for here, there in zip(names, compiled, strict=True)
    )


# --- lambda ---


def _lambda(code: CodeType, lines: list[str]) -> ast.Lambda:
    candidates = _candidates(code, _nearby_lambdas(code, lines) or _all_lambdas(code, lines))
    if len(candidates) > 1:
        candidates = _at_position(code, candidates) or candidates
    if len(candidates) == 1:
        return copy.deepcopy(candidates[0])
    if not candidates:
        raise ConversionError(
            f"found no lambda with these arguments at {code.co_filename}:{code.co_firstlineno}"
        )
    raise ConversionError(
        "found multiple definitions with identical signatures at the location "
        f"{code.co_filename}:{code.co_firstlineno}; put each lambda on a line of its own"
    )


def _candidates(code: CodeType, lambdas: list[ast.Lambda]) -> list[ast.Lambda]:
    return [
        node
        for node in lambdas
        if node.lineno == code.co_firstlineno and _same_signature(node.args, code)
    ]


def _nearby_lambdas(code: CodeType, lines: list[str]) -> list[ast.Lambda]:
    """Those in the lines of the lambda itself, if these lines can be read on their own.

    Not what ends before its code does: brackets around it may hold more lines than one statement.
    """
    first = code.co_firstlineno - 1
    last = max((end for _, end, _, _ in _all_spans(code)), default=0)
    try:
        statements = _parse_lines(lines[first:last], first)
    except (SyntaxError, IndexError):
        return []
    found = [one for statement in statements for one in _lambdas_in(statement)]
    return [one for one in _candidates(code, found) if (one.end_lineno or 0) >= last]


def _all_lambdas(code: CodeType, lines: list[str]) -> list[ast.Lambda]:
    # Reading a whole file takes 15 ms per thousand lines; several of its lambdas may be asked for.
    known = _files.get(code.co_filename)
    if known is not None and known[0] is lines:
        return known[1]
    try:
        found = _lambdas_in(ast.parse("".join(lines)))
    except SyntaxError as error:
        raise ConversionError(f"{code.co_filename} cannot be parsed: {error}") from error
    if len(_files) >= _FILES_KEPT:
        _files.pop(next(iter(_files)), None)
    _files[code.co_filename] = (lines, found)
    return found


_FILES_KEPT = 8
_files: dict[str, tuple[list[str], list[ast.Lambda]]] = {}


def _lambdas_in(tree: ast.AST) -> list[ast.Lambda]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]


def _at_position(code: CodeType, candidates: list[ast.Lambda]) -> list[ast.Lambda]:
    """The innermost whose body holds the columns that the code was compiled from."""
    spans = list(_spans(code))
    if not spans:  # python -X no_debug_ranges
        return []
    start = min((line, column) for line, _, column, _ in spans)
    end = max((line, column) for _, line, _, column in spans)
    around = [node for node in candidates if _holds(_extent(node.body), start, end)]
    return [max(around, key=lambda node: _extent(node.body))] if around else []


def _holds(extent: tuple[Place, Place], start: Place, end: Place) -> bool:
    # Not equal to it: a body that ends in brackets is wider than its instructions.
    return extent[0] <= start and end <= extent[1]


def _extent(node: ast.expr) -> tuple[Place, Place]:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def _spans(code: CodeType) -> Iterator[Span]:
    for line, end_line, column, end_column in code.co_positions():
        if None in (line, end_line, column, end_column) or column == end_column:
            continue  # bookkeeping instructions stand at column 0 and have no width
        yield line or 0, end_line or 0, column or 0, end_column or 0


def _all_spans(code: CodeType) -> Iterator[Span]:
    """Those of the functions within, too."""
    yield from _spans(code)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all_spans(constant)
