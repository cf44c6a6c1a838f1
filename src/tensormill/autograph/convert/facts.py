"""What a runtime call is told about the variables of its bodies, all of it optional.

    ag__.if_stmt(x > 0, if_body, else_body,
        state=lambda: (y, z),                                 # cells to merge
        kept=lambda: (k,),                                    # the same, if they have a value
        scratch=lambda: (t,),                                 # cells to put back
        places=(ag__.attribute('o.v', lambda: o, 'v'),),      # other places to merge
        returned=lambda: do_return,                           # what is unset then is not read
        watched=(ag__.watched_container('l', lambda: l, 7, True),),  # which must not change
        lent=lambda: (m,),                                    # cells that calls are given
        objects=lambda: (o,),                                 # the same, of functions around
        elsewhere=lambda: (n,),                               # those of them that are `nonlocal`
        in_place=lambda: (l,),                                # those that are changed, not bound
        handled=True)                                         # a loop in a `try`

Lambdas, because their closures hold the variables, and because some of this may not exist yet.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from typing import TypeVar

from ...core.process.named_tuples import NamedTuple
from ..analysis.effects import BlockEffects
from ..analysis.paths import AttributePath
from ..template import Template, placed
from .context import Conversion, ConvertedFunction

Node = TypeVar("Node", bound=ast.AST)

ATTRIBUTE = Template("ag__.attribute(text, owner, attribute)")
ITEM = Template("ag__.item(text, owner_and_key)")
MODULE_NAME = Template("ag__.module_name(text, body)")
WATCH = Template("ag__.watched_container(text, container, line, is_local)")


class BoundVariables(NamedTuple):
    """The variables that the blocks of one statement bind, by what the runtime has to do."""

    state: list[str]  # may be read afterwards
    kept: list[str]  # may be read afterwards, but only by a function that captured them
    scratch: list[str]  # read inside, perhaps before they are bound, and not afterwards
    in_place: list[str]  # those of all these that the blocks change, but never bind
    outer: list[str]  # bound by a scope around the blocks
    module: list[str]  # declared `global`


def add_facts(
    call: ast.stmt,
    function: ConvertedFunction,
    variables: BoundVariables,
    effects: BlockEffects,
    body: ast.FunctionDef,
    is_handled: bool = False,
) -> None:
    """Add the facts, as keyword arguments, to the statement that calls the runtime."""
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    facts, conversion = _Facts(call, function.conversion), function.conversion
    owned = function.scope.owned
    found = {
        "state": facts.cells(variables.state),
        "kept": facts.cells(variables.kept),
        "scratch": facts.cells(variables.scratch),
        "places": facts.places(effects.paths, variables.module, body),
        "returned": facts.cells(_return_flag(function, variables)),
        "watched": facts.watched(effects, owned),
        "lent": facts.cells(sorted(effects.lent & owned)),
        "objects": facts.cells(sorted((effects.lent & conversion.captured) - owned)),
        "elsewhere": facts.cells(_elsewhere(function, variables)),
        "in_place": facts.cells(variables.in_place),
        "handled": facts.constant(True) if is_handled else None,
    }
    call.value.keywords += [facts.keyword(name, fact) for name, fact in found.items() if fact]


def _return_flag(function: ConvertedFunction, variables: BoundVariables) -> list[str]:
    """The flag of a function whose variables nobody sees once it has returned."""
    flag = function.return_flag
    is_set = flag in variables.outer and not function.scope.nonlocal_names
    return [flag] if flag and is_set else []


def _elsewhere(function: ConvertedFunction, variables: BoundVariables) -> list[str]:
    """The variables of functions around."""
    return sorted({*variables.state, *variables.kept} & function.scope.nonlocal_names)


class _Facts:
    """Makes the arguments of one call, at its position."""

    def __init__(self, at: ast.stmt, conversion: Conversion) -> None:
        self.at = at
        self.conversion = conversion

    def keyword(self, name: str, value: ast.expr) -> ast.keyword:
        return self._placed(ast.keyword(name, value))

    def cells(self, names: list[str]) -> ast.expr | None:
        if not names:
            return None
        loads = [self._placed(ast.Name(name, ast.Load())) for name in names]
        return self.conversion.lazily(self._tuple(loads))

    def places(
        self, paths: Sequence[AttributePath], module_names: list[str], body: ast.FunctionDef
    ) -> ast.expr | None:
        places = [self._place(path) for path in paths]
        for name in module_names:
            text = self.constant(name)
            places.append(MODULE_NAME.expression(self.at, text=text, body=body.name))
        return self._tuple(places) if places else None

    def _place(self, path: AttributePath) -> ast.expr:
        text, owner = self.constant(path.text), _loaded(path.node.value)
        if isinstance(path.node, ast.Attribute):
            attribute = self.constant(self.conversion.mangled(path.node.attr))
            owner = self.conversion.lazily(owner)
            return ATTRIBUTE.expression(self.at, text=text, owner=owner, attribute=attribute)
        both = self._tuple([owner, copy.deepcopy(path.node.slice)])
        return ITEM.expression(self.at, text=text, owner_and_key=self.conversion.lazily(both))

    def watched(self, effects: BlockEffects, owned: set[str]) -> ast.expr | None:
        """Containers that the block may change in place."""
        seen: dict[str, ast.expr] = {}
        for mutation in effects.mutations:
            text = ast.unparse(mutation.receiver)
            if text in seen:
                continue
            seen[text] = WATCH.expression(
                self.at,
                text=self.constant(text),
                container=self.conversion.lazily(_loaded(mutation.receiver)),
                line=self.constant(mutation.line),
                is_local=self.constant(text in owned | self.conversion.shared),
            )
        return self._tuple(list(seen.values())) if seen else None

    def constant(self, value: str | int | bool) -> ast.expr:
        return self._placed(ast.Constant(value))

    def _tuple(self, items: Sequence[ast.expr]) -> ast.expr:
        return self._placed(ast.Tuple(list(items), ast.Load()))

    def _placed(self, node: Node) -> Node:
        return placed(node, self.at)


def _loaded(node: ast.expr) -> ast.expr:
    """A copy of an expression, to be read."""
    made = copy.deepcopy(node)
    if isinstance(made, ast.Name | ast.Attribute | ast.Subscript):
        made.ctx = ast.Load()
    return made
