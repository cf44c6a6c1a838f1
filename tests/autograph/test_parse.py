from __future__ import annotations

import ast
import linecache
from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest

from tensormill.autograph.errors import ConversionError
from tensormill.autograph.parse import parse


def source_of(function: Any) -> str:
    return ast.unparse(parse(function.__code__).node)


def show(text: str, file: str) -> None:
    """Let `linecache` have the text of a file."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)


def made_from(text: str, name: str, file: str) -> FunctionType:
    """A function of a file that exists in `linecache` only, as a notebook's cells do."""
    show(text, file)
    scope: dict[str, Any] = {}
    exec(compile(text, file, "exec"), scope)
    return scope[name]


def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


@decorated
@decorated
def with_decorators(a, b=2, *c, d, **e) -> int:
    return a


def with_odd_layout(a):
    text = """
left of the def
"""
    return (
        text,
        a,
)  # fmt: skip


def test_a_definition_is_found_at_its_own_lines() -> None:
    node = parse(with_decorators.__code__).node

    assert isinstance(node, ast.FunctionDef)
    assert node.lineno == with_decorators.__code__.co_firstlineno + 2  # below its decorators
    assert (node.body[0].lineno, node.body[0].col_offset) == (node.lineno + 1, 4)


def test_a_string_may_continue_left_of_the_definition() -> None:
    assert source_of(with_odd_layout).endswith("return (text, a)")


def test_an_inner_function_keeps_its_columns() -> None:
    if True:

        def inner():
            return 1

    assert parse(inner.__code__).node.col_offset == 8


def test_lambdas_on_one_line_are_told_apart_by_their_columns() -> None:
    first, second, third = (lambda x: x + 1), (lambda x: x * 2), (lambda x: x)

    assert [source_of(f) for f in (first, second, third)] == [
        "lambda x: x + 1",
        "lambda x: x * 2",
        "lambda x: x",
    ]


def test_lambdas_of_statements_on_one_line_are_told_apart() -> None:
    first = lambda x: x + 1; second = lambda x: x * 2  # noqa: E702, E731  # fmt: skip

    assert source_of(first) == "lambda x: x + 1"
    assert source_of(second) == "lambda x: x * 2"


def test_a_lambda_that_ends_in_brackets_is_told_apart() -> None:
    make = lambda: lambda x: 1 if x else (2 if x is None else 3)  # noqa: E731

    assert source_of(make()) == "lambda x: 1 if x else 2 if x is None else 3"


def test_a_lambda_inside_a_lambda_is_found() -> None:
    outer = lambda x: lambda x: x - 1  # noqa: E731

    assert source_of(outer) == "lambda x: lambda x: x - 1"
    assert source_of(outer(0)) == "lambda x: x - 1"


@pytest.mark.parametrize(
    "body", ["x * 2\n    - x", "x\n    .real", "1\n    + 2", "lambda: (x\n    )\n    + x"]
)
def test_a_lambda_in_brackets_is_read_to_its_end(body: str) -> None:
    text = f"f = (\n    lambda x: {body}\n)\n"

    function = made_from(text, "f", "brackets.py")

    assert source_of(function) == ast.unparse(ast.parse(f"(lambda x: {body})"))


def test_a_lambda_among_other_lines_is_found() -> None:
    functions = dict(
        plus=lambda x: x + 1,
        times=lambda x, y=(1,): (
            x * 2
        ),
    )  # fmt: skip

    assert source_of(functions["plus"]) == "lambda x: x + 1"
    assert source_of(functions["times"]) == "lambda x, y=(1,): x * 2"


def test_a_function_of_a_notebook_is_found() -> None:
    function = made_from("x = 1\ndef f(a):\n  return a + x\n", "f", "<cell 1>")

    assert source_of(function) == "def f(a):\n    return a + x"


def test_a_file_that_changed_is_noticed() -> None:
    function = made_from("def f(a):\n  return a\n", "f", "<cell 2>")
    show("# a new line\ndef f(b):\n  return b\n", "<cell 2>")

    with pytest.raises(ConversionError, match="the file changed"):
        parse(function.__code__)


def test_lambdas_without_columns_are_told_apart_by_their_arguments() -> None:
    pair = (lambda x: x), (lambda y: y)
    bare = [f.__code__.replace(co_linetable=without_columns(f)) for f in pair]

    assert [ast.unparse(parse(code).node) for code in bare] == ["lambda x: x", "lambda y: y"]


def test_equal_lambdas_without_columns_are_refused() -> None:
    pair = (lambda x: x), (lambda x: x + 1)
    bare = pair[0].__code__.replace(co_linetable=without_columns(pair[0]))

    with pytest.raises(ConversionError, match="multiple definitions with identical signatures"):
        parse(bare)


def without_columns(function: Any) -> bytes:
    """A line table as `python -X no_debug_ranges` makes it: every instruction on the first line."""
    units = len(function.__code__.co_code) // 2
    # Entries of kind 13 ("no column"): 0x80 | kind << 3 | units - 1, then the line's difference.
    table = bytearray()
    while units:
        length = min(units, 8)
        table += bytes([0x80 | 13 << 3 | length - 1, 0])
        units -= length
    return bytes(table)
