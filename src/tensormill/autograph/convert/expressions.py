"""One walk over the expressions of a function, handing each kind to its converter."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from . import (
    booleans,
    calls,
    comparisons,
    comprehensions,
    exceptions,
    items,
    ternaries,
    walrus,
)
from .context import Conversion, ConvertedFunction
from .walk import ExpressionWalk

# Each knows one kind of node and asks the walk to convert what is inside; order does not matter.
CONVERTERS: dict[type[ast.AST], Callable[[Any, ExpressionWalk], ast.AST]] = {
    ast.Assert: exceptions.convert_assert,
    ast.Assign: items.convert_assignment,
    ast.AugAssign: items.convert_update,
    ast.BoolOp: booleans.convert_boolean,
    ast.UnaryOp: booleans.convert_not,
    ast.Compare: comparisons.convert_comparison,
    ast.IfExp: ternaries.convert_ternary,
    ast.List: items.convert_list,
    ast.Raise: exceptions.convert_raise,
    ast.ListComp: comprehensions.convert_comprehension,
    ast.GeneratorExp: comprehensions.convert_comprehension,
    ast.SetComp: comprehensions.convert_other,
    ast.DictComp: comprehensions.convert_other,
    ast.NamedExpr: walrus.convert_walrus,
    ast.Call: calls.convert_call,
    ast.Subscript: items.convert_item,
}


def convert_expressions(function: ConvertedFunction) -> None:
    scope = function.scope
    variables = scope.owned | scope.nonlocal_names
    walk = ExpressionWalk(
        function.conversion, CONVERTERS, first_parameter(function.node.args), variables
    )
    function.body = [walk.now(statement) for statement in function.body]


def convert_lambda(node: ast.Lambda, conversion: Conversion) -> None:
    ExpressionWalk(conversion, CONVERTERS, first_parameter(node.args)).now(node)


def first_parameter(arguments: ast.arguments) -> str | None:
    """`self`, in a method: what `super()` means."""
    positional = [*arguments.posonlyargs, *arguments.args]
    return positional[0].arg if positional else None
