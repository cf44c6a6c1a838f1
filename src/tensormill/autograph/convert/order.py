"""All converters, in the order in which they are applied."""

from __future__ import annotations

import ast
from types import CodeType

from .branches import convert_choice_statements
from .breaks import convert_breaks
from .context import Conversion, ConvertedFunction
from .continues import convert_continues
from .directives import convert_directives
from .expressions import convert_expressions
from .finally_blocks import convert_finally_blocks
from .loop_tests import convert_loop_tests
from .refusals import refuse_double_exits
from .returns import convert_returns
from .structure import convert_structure

ORDER = (
    refuse_double_exits,  # refuses before anything is changed
    convert_finally_blocks,  # moves jumps to where the converters of jumps find them
    convert_choice_statements,  # makes `if`s, which all the others know
    convert_directives,  # before anything is put in front of a loop's first statement
    convert_loop_tests,  # makes a `break`, and may move a `return` into a loop
    convert_returns,  # before breaks: a `return` in a loop becomes a `break`
    convert_breaks,  # before continues: the `else` of a loop moves out of it
    convert_continues,
    convert_structure,  # if, while, for. After all jumps: liveness wants blocks that nest
    convert_expressions,  # last: the lambdas it makes would look like captures to the analysis
)


def convert_definition(node: ast.FunctionDef, conversion: Conversion) -> None:
    """Convert a function and all functions inside of it, in place."""
    function = ConvertedFunction.of(node, conversion)
    for convert in ORDER:
        convert(function)
    function.finish()


def conversion_of(code: CodeType) -> Conversion:
    """The side tables of one conversion."""
    return Conversion.of(code, convert_definition)
