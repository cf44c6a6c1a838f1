"""Functions inside of a function: each goes through all converters on its own.

Left as they are: generators, coroutines, and what is decorated with `do_not_convert`. A class
body runs as written; its methods are converted.
"""

from __future__ import annotations

import ast

from ..analysis.activity import every_statement
from .context import ConvertedFunction
from .refusals import suspends


def convert_inner_definition(
    statement: ast.FunctionDef | ast.ClassDef, function: ConvertedFunction
) -> None:
    if isinstance(statement, ast.ClassDef):
        _convert_methods(statement, function)
        return
    function.conversion.finished.add(statement)
    if not suspends(statement) and not _is_exempt(statement):
        function.conversion.convert_function(statement)


def _convert_methods(node: ast.ClassDef, function: ConvertedFunction) -> None:
    conversion = function.conversion
    outer, conversion.class_name = conversion.class_name, node.name
    for statement in every_statement(node.body):
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            convert_inner_definition(statement, function)
    conversion.class_name = outer


def _is_exempt(node: ast.FunctionDef) -> bool:
    return any(_last_name(decorator) == "do_not_convert" for decorator in node.decorator_list)


def _last_name(decorator: ast.expr) -> str | None:
    match decorator:
        case ast.Call():
            return _last_name(decorator.func)
        case ast.Attribute(_, name) | ast.Name(name):
            return name
        case _:
            return None
