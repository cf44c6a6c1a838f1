"""Arithmetic in f64 for texts of the loop language, which wants all its parentheses and types.

`formula("a * log(x) - 2")` is `((a * log(x)) - 2.0f64)`; names of buffers, registers and functions
are the loop language's.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

_INFIX: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.BitAnd: "&", ast.BitOr: "|",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip


def formula(text: str) -> str:
    """The expression of f64 that a Python expression stands for."""
    return _read(ast.parse(text, mode="eval").body)


def _read(node: ast.expr) -> str:
    match node:
        case ast.BinOp(left, operator, right):
            return f"({_read(left)} {_INFIX[type(operator)]} {_read(right)})"
        case ast.Compare(left, [operator], [right]):
            return f"({_read(left)} {_INFIX[type(operator)]} {_read(right)})"
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
            return f"-{float(value)!r}f64"
        case ast.UnaryOp(ast.USub(), operand):
            return f"neg({_read(operand)})"
        case ast.Constant(bool() as value):
            return str(value).lower()
        case ast.Constant(int() | float() as value):
            return f"{float(value)!r}f64"
        case ast.Call(ast.Name(function), arguments):
            return f"{function}({', '.join(map(_read, arguments))})"
        case ast.Subscript(ast.Name(buffer), ast.Name(index)):
            return f"{buffer}[{index}]"
        case ast.Name(name):
            return name
        case _:
            raise ValueError(f"no formula: {ast.unparse(node)}")


def lets(indent: int, text: str) -> str:
    """Lines `name = expression`, or `name? = condition`, as registers; buffer[k] as stores."""
    found: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, expression = line.partition(" = ")
        if name.endswith("?"):
            found.append(f"let {name[:-1]}: bool = {formula(expression)}")
        elif name.endswith("]"):
            found.append(f"{name} = {formula(expression)}")
        else:
            found.append(f"let {name}: f64 = {formula(expression)}")
    return "".join(f"{' ' * indent}{one}\n" for one in found)


def horner(x: str, coefficients: Sequence[float]) -> str:
    """A polynomial in x, for `lets`."""
    total = repr(float(coefficients[-1]))
    for coefficient in coefficients[-2::-1]:
        total = f"fma({total}, {x}, {float(coefficient)!r})"
    return total
