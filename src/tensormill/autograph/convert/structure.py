"""What the converters of `if`, `while` and `for` share: bodies become functions.

A branch or a loop body becomes a function without result. The variables it binds that matter
outside are `nonlocal` in it, and the runtime gets them through the closure of `lambda: (x, y)`:
cells that it can read, write and empty, whether Python or the graph decides.
"""

from __future__ import annotations

import ast

from ..analysis.activity import activity, expression_activity, parameters
from ..analysis.effects import BlockEffects, FunctionEffects
from ..analysis.liveness import Liveness
from ..template import Template, placed
from . import branches, functions, loops
from .context import ConvertedFunction
from .facts import BoundVariables

Block = list[ast.stmt]

BODY = Template("""
def name():
    nonlocal outer
    global module_names
    body
""")
DECLARE = Template("name: object")


def convert_structure(function: ConvertedFunction) -> None:
    function.body = Structure(function).top()


class Structure:
    """Statement-level conversion of one function."""

    def __init__(self, function: ConvertedFunction) -> None:
        at_exit = frozenset(function.scope.nonlocal_names)
        self.function = function
        self.conversion = function.conversion
        self.effects = FunctionEffects(function.body, _asked(function))
        self.liveness = Liveness(function.body, self.effects, at_exit)
        # Variables that the bodies made so far need from the scope that is being converted.
        self._wanted: set[str] = set()

    def variables(
        self, effects: BlockEffects, node: ast.If | ast.While | ast.For
    ) -> BoundVariables:
        scope, live = self.function.scope, self.liveness[node]
        bound = effects.writes & (scope.owned | scope.nonlocal_names)
        # What one iteration leaves for the next is state, too.
        wanted = live.after if isinstance(node, ast.If) else live.inside
        changed = effects.changes & (scope.owned | scope.nonlocal_names)
        state = (bound | changed) & wanted
        # Somebody may know a list or dict by another name, if it was there before.
        kept = ((bound & live.kept) | changed) - state
        # Operands that may not run bind variables by `:=`: what these held before is merged.
        scratch = (bound & (live.inside | self.effects.walruses)) - state - kept
        return BoundVariables(
            state=sorted(state),
            kept=sorted(kept),
            scratch=sorted(scratch),
            in_place=sorted((state | kept) - bound),
            outer=sorted(((state | kept) & bound) | scratch | (bound & self.effects.walruses)),
            module=sorted(effects.writes & scope.global_names),
        )

    def body(
        self, wanted: str, block: Block, variables: BoundVariables, at: ast.stmt, *parameters: str
    ) -> ast.FunctionDef:
        """The function that stands for a block."""
        above, self._wanted = self._wanted, set()
        converted = self.block(block)
        declarations = self._declarations(converted, set(variables.outer), at)
        self._wanted = above | set(variables.outer)
        writes = self.effects.of_block(block).writes
        made = BODY.statement(
            at,
            name=self.conversion.bodies[wanted],
            outer=[name for name in variables.outer if name in writes],
            module_names=[name for name in variables.module if name in writes],
            body=[*declarations, *converted],
        )
        assert isinstance(made, ast.FunctionDef)
        made.args.args = [placed(ast.arg(name), at) for name in parameters]
        return made

    def top(self) -> Block:
        """The function's whole body."""
        scope, node = self.function.scope, self.function.node
        converted = self.block(self.function.body)
        # What only code that is never reached binds is a variable of this function all the same.
        self._wanted |= scope.owned - self.effects.of_block(self.function.body).writes
        self._wanted |= self.effects.walruses & scope.owned
        elsewhere = scope.nonlocal_names | parameters(node.args)
        outside: Block = []
        if scope.global_names:
            outside.append(ast.Global(sorted(scope.global_names)))
        if scope.nonlocal_names:
            outside.append(ast.Nonlocal(sorted(scope.nonlocal_names)))
        for statement in outside:
            placed(statement, node)
        return [*outside, *self._declarations(converted, elsewhere, node), *converted]

    def _declarations(self, block: Block, elsewhere: set[str], at: ast.stmt) -> Block:
        """Bind to this scope what the bodies in it declare `nonlocal` and nobody binds here."""
        missing = self._wanted - elsewhere
        if missing:
            missing -= _bound_directly(block)
        return [DECLARE.statement(at, name=name) for name in sorted(missing)]

    def block(self, block: Block) -> Block:
        made: Block = []
        for statement in block:
            made += self._statement(statement)
        return made or [placed(ast.Pass(), block[0])]

    def _statement(self, statement: ast.stmt) -> Block:
        match statement:
            case ast.If():
                return branches.convert_branch(statement, self)
            case ast.While() | ast.For():
                return loops.convert_loop(statement, self)
            case ast.FunctionDef() | ast.ClassDef():
                functions.convert_inner_definition(statement, self.function)
            case ast.Global() | ast.Nonlocal():
                return []  # declared once, at the top
            case ast.AsyncFunctionDef():
                pass
            case _:
                self._convert_inner_blocks(statement)
        return [statement]

    def _convert_inner_blocks(self, statement: ast.stmt) -> None:
        for part in _parts(statement):
            for field in ("body", "orelse", "finalbody"):
                if block := getattr(part, field, None):
                    setattr(part, field, self.block(block))


def _parts(statement: ast.stmt) -> list[ast.AST]:
    handlers, cases = getattr(statement, "handlers", ()), getattr(statement, "cases", ())
    return [statement, *handlers, *cases]


def _bound_directly(block: Block) -> set[str]:
    """The names bound in the scope of a block, not by functions made in it."""
    bound: set[str] = set()
    for statement in block:
        found = activity(statement)
        bound |= found.writes - found.walruses  # a `:=` may become a call of the runtime
        if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            continue
        for part in _parts(statement):
            for field in ("body", "orelse", "finalbody"):
                bound |= _bound_directly(getattr(part, field, []))
    return bound


def _asked(function: ConvertedFunction) -> dict[ast.stmt, set[str]]:
    """The variables that the runtime reads before each iteration of a loop."""
    asked: dict[ast.stmt, set[str]] = {}
    for loop, flag in function.conversion.stops.items():
        asked.setdefault(loop, set()).add(flag)
    for loop, options in function.conversion.loop_options.items():
        asked.setdefault(loop, set()).update(expression_activity(options).reads)
    return asked
