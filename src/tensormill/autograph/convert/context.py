"""What the converters of one function share."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from types import CodeType

from ..analysis.activity import Scope, scope_of
from ..template import placed

# The runtime's name in converted code.
RUNTIME = "ag__"


class FreshNames:
    """New variable names that a piece of code does not use yet."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def fresh(self, wanted: str) -> str:
        """`wanted`, or `wanted_1`, … where that is taken."""
        name, count = wanted, 0
        while name in self._taken:
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        return name


@dataclass(slots=True, eq=False, repr=False)  # quick to make: 0.1 ms
class Conversion:
    """Side tables for one root function and all functions inside of it."""

    names: FreshNames
    # Names of the functions that converters make: frames of theirs belong to the user's function.
    bodies: dict[str, str]
    # The class around it, whose name is part of private names (`__x` is `_Class__x`).
    class_name: str | None
    # The variables that one function has of another one's.
    captured: frozenset[str]
    # Those of them that belong to the root function or to one inside of it.
    shared: frozenset[str]
    # Converts an inner function; here because the converters of blocks need what needs them.
    convert_definition: Callable[[ast.FunctionDef, Conversion], None]
    # Lambdas that converters make; `:=` in them must bind outside.
    lazy: set[ast.Lambda] = field(default_factory=set)
    # Inner functions that went through all converters.
    finished: set[ast.stmt] = field(default_factory=set)
    # The flag that ends a `for` loop.
    stops: dict[ast.stmt, str] = field(default_factory=dict)
    # The arguments of a loop's `set_loop_options(…)`.
    loop_options: dict[ast.stmt, ast.Call] = field(default_factory=dict)

    @staticmethod
    def of(
        code: CodeType, convert_definition: Callable[[ast.FunctionDef, Conversion], None]
    ) -> Conversion:
        names = FreshNames(_identifiers(code))
        bodies = {name: names.fresh(name) for name in _BODIES}
        class_name = enclosing_class(code.co_qualname)
        captured = frozenset(_captured(code))
        shared = captured.difference(code.co_freevars)
        return Conversion(names, bodies, class_name, captured, shared, convert_definition)

    def convert_function(self, node: ast.FunctionDef) -> None:
        """Convert an inner function."""
        self.convert_definition(node, self)

    def lazily(self, expression: ast.expr) -> ast.Lambda:
        """`lambda: expression`, to be evaluated by the runtime when its value is needed."""
        nothing = ast.arguments([], [], None, [], [], None, [])
        made = placed(ast.Lambda(nothing, expression), expression)
        self.lazy.add(made)
        return made

    def mangled(self, attribute: str) -> str:
        """An attribute's name as the compiler spells it."""
        if not self.class_name or not is_private(attribute):
            return attribute
        return f"_{self.class_name.lstrip('_')}{attribute}"


def enclosing_class(qualified_name: str) -> str | None:
    """The innermost class around a function, from its `__qualname__`.

    >>> enclosing_class("make.<locals>.Model.call.<locals>.inner")
    'Model'
    """
    parts = qualified_name.split(".")
    for outer, inner in reversed(list(pairwise(parts))):
        if "<locals>" not in (outer, inner):  # after a function's name comes <locals>
            return outer
    return None


def is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


# The functions that stand for blocks, and the parameter of a `for` body.
_BODIES = ("if_body", "else_body", "while_body", "for_body", "item_")


@dataclass(slots=True, eq=False, repr=False)  # quick to make: 0.1 ms
class ConvertedFunction:
    """One function on its way through the converters, which change its `body`."""

    node: ast.FunctionDef
    docstring: list[ast.stmt]
    body: list[ast.stmt]
    scope: Scope
    conversion: Conversion
    # Says whether the function has returned, where a `return` became an assignment.
    return_flag: str | None = None

    @staticmethod
    def of(node: ast.FunctionDef, conversion: Conversion) -> ConvertedFunction:
        scope = scope_of(node)
        count = 1 if ast.get_docstring(node, clean=False) is not None else 0
        body = node.body[count:] or [placed(ast.Pass(), node)]
        return ConvertedFunction(node, node.body[:count], body, scope, conversion)

    def flag(self, wanted: str) -> str:
        """A new boolean variable of this function."""
        name = self.conversion.names.fresh(wanted)
        self.scope.owned.add(name)
        return name

    def finish(self) -> None:
        """Put the converted body into the tree."""
        self.node.body = [*self.docstring, *self.body]
        self.conversion.finished.add(self.node)


def _captured(code: CodeType) -> set[str]:
    inner = (_captured(one) for one in code.co_consts if isinstance(one, CodeType))
    return set(code.co_freevars).union(*inner)


def _identifiers(code: CodeType) -> set[str]:
    names = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars, code.co_name}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _identifiers(constant)
    return names
