"""All converters, in the order in which they are applied."""

from __future__ import annotations

import ast
from types import CodeType

from . import (
    branches,
    breaks,
    continues,
    directives,
    expressions,
    finally_blocks,
    loop_tests,
    refusals,
    returns,
    structure,
)
from .context import Conversion, ConvertedFunction

ORDER = (
    refusals.convert,  # refuses before anything is changed
    finally_blocks.convert,  # moves jumps to where the converters of jumps find them
    branches.of_expressions,  # makes `if`s, which all the others know
    directives.convert,  # before anything is put in front of a loop's first statement
    loop_tests.convert,  # makes a `break`, and may move a `return` into a loop
    returns.convert,  # before breaks: a `return` in a loop becomes a `break`
    breaks.convert,  # before continues: the `else` of a loop moves out of it
    continues.convert,
    structure.convert,  # if, while, for. After all jumps: liveness wants blocks that nest
    expressions.convert,  # last: the lambdas it makes would look like captures to the analysis
)


def convert_definition(node: ast.FunctionDef, conversion: Conversion) -> None:
    """Convert a function and all functions inside of it, in place."""
    function = ConvertedFunction.of(node, conversion)
    for convert in ORDER:
        convert(function)
    function.finish()


def convert_lambda(node: ast.Lambda, conversion: Conversion) -> None:
    expressions.convert_lambda(node, conversion)


def conversion_of(code: CodeType) -> Conversion:
    """The side tables of one conversion."""
    return Conversion.of(code, convert_definition)
