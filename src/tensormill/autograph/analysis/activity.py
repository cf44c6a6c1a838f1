"""Which variables the expressions of one statement read, bind and capture.

A statement that holds other statements counts for its head only (the test of an `if`, the target
and iterable of a `for`); `blocks.py` sums up what is inside.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeGuard

from ...core.process.named_tuples import NamedTuple
from .paths import AttributePath, object_of, path_of, root_of

ScopeNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)

# Methods that change a list, dict, set or deque in place.
MUTATORS = frozenset(
    "append extend insert pop remove clear sort reverse update setdefault popitem add discard "
    "appendleft extendleft popleft rotate".split()
)


# Methods of a TensorArray that return the changed array.
WRITERS = frozenset("write scatter unstack split".split())


class Mutation(NamedTuple):
    """A container that is changed in place: `receiver.append(…)`, `receiver[i + 1] = …`.

    Or a TensorArray whose changed form is dropped: a line `array.write(…)`.
    """

    receiver: ast.expr
    line: int


@dataclass(slots=True, eq=False, repr=False)  # quick to make: 0.1 ms
class Activity:
    """What evaluating an expression or a statement's head does to variables."""

    reads: set[str]
    writes: set[str]  # bound or deleted
    captures: set[str]  # free in functions made here: they may be read at any later time
    called: set[str]  # read only to be called
    mentioned: set[str]  # read for anything else than being called
    walruses: set[str]  # bound by `:=`
    calls: bool
    paths: list[AttributePath]
    mutations: list[Mutation]
    # What is called, or handed to a call (as an argument, or as the object with the method).
    lent: set[str]

    @staticmethod
    def nothing() -> Activity:
        return Activity(set(), set(), set(), set(), set(), set(), False, [], [], set())


def activity(statement: ast.stmt) -> Activity:
    """What the head of a statement does (all of it, if it holds no other statements)."""
    scan = _Scan()
    scan.statement(statement)
    return scan.found


def expression_activity(*expressions: ast.expr) -> Activity:
    scan = _Scan()
    for expression in expressions:
        scan.visit(expression)
    return scan.found


class _Scan:
    """Walks heads and expressions. Not an `ast.NodeVisitor`: this is on the first call's path."""

    def __init__(self) -> None:
        self.found = Activity.nothing()
        # What `:=` has bound for sure when what is visited next is evaluated.
        self.bound: set[str] = set()

    # --- statements ---

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.If() | ast.While():
                self.visit(node.test)
            case ast.For() | ast.AsyncFor():
                self.visit(node.iter)
                self.visit(node.target)
            case ast.With() | ast.AsyncWith():
                self.visit_all(node.items)
            case ast.Match():
                self.visit(node.subject)
                self.visit_all(case.pattern for case in node.cases)
                self.visit_all(case.guard for case in node.cases if case.guard)
            case ast.Try() | ast.TryStar():
                self.handlers(node.handlers)
            case ast.Import() | ast.ImportFrom():
                self.found.writes |= {_bound(alias) for alias in node.names}
            case ast.AugAssign(ast.Name(name)):
                self.visit(node.value)
                self.found.reads.add(name)
                self.found.mentioned.add(name)
                self.found.writes.add(name)
            case ast.AnnAssign():
                self.annotated(node)
            case ast.Expr(ast.Call(ast.Attribute(receiver, method))) if method in WRITERS:
                if path_of_receiver(receiver):
                    self.found.mutations.append(Mutation(receiver, node.lineno))
                self.visit(node)
            case _:
                self.visit(node)

    def handlers(self, handlers: list[ast.ExceptHandler]) -> None:
        for handler in handlers:
            if handler.type:
                self.visit(handler.type)
            if handler.name:
                self.found.writes.add(handler.name)

    def annotated(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)
            self.visit(node.target)

    # --- expressions ---

    def visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def visit(self, node: ast.AST) -> None:
        special = _SPECIAL.get(type(node))
        if special is not None:
            special(self, node)
            return
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, ast.AST):
                self.visit(value)
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, ast.AST):
                        self.visit(item)

    def ignore(self, node: ast.AST) -> None:
        pass

    def name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.found.mentioned.add(node.id)
            if node.id not in self.bound:
                self.found.reads.add(node.id)
            return
        self.found.writes.add(node.id)
        if isinstance(node.ctx, ast.Del):
            self.found.reads.add(node.id)

    def walrus(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self.found.writes.add(node.target.id)
        self.found.walruses.add(node.target.id)
        self.bound.add(node.target.id)

    def in_turn(self, node: ast.BoolOp) -> None:
        """`a and b and c`: what comes first is evaluated, what comes later perhaps."""
        first, *rest = node.values
        self.visit(first)
        bound = set(self.bound)
        self.visit_all(rest)
        self.bound = bound

    def choice(self, node: ast.IfExp) -> None:
        self.visit(node.test)
        bound = set(self.bound)
        for branch in (node.body, node.orelse):
            self.bound = set(bound)
            self.visit(branch)
        self.bound = bound

    def call(self, node: ast.Call) -> None:
        self.found.calls = True
        match node.func:
            case ast.Name(name):
                self.found.reads.add(name)
                self.found.called.add(name)
                self.found.lent.add(name)
            case ast.Attribute(receiver, method):
                if method in MUTATORS and path_of_receiver(receiver):
                    self.found.mutations.append(Mutation(receiver, node.lineno))
                self.visit(receiver)
            case _:
                self.visit(node.func)
        self.visit_all(node.args)
        self.visit_all(node.keywords)
        self.lend(node)

    def lend(self, node: ast.Call) -> None:
        """Note what the function that is called may change."""
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if isinstance(node.func, ast.Attribute):
            given.append(node.func.value)
        self.found.lent |= {name for one in given if (name := object_of(one))}

    def place(self, node: ast.Attribute | ast.Subscript) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.written_place(node)
        elif isinstance(node, ast.Attribute) and node.attr in MUTATORS:
            if path_of_receiver(node.value):  # `add = found.append`: who calls it changes `found`
                self.found.mutations.append(Mutation(node.value, node.lineno))
        self.visit(node.value)
        if isinstance(node, ast.Subscript):
            self.visit(node.slice)

    def written_place(self, node: ast.Attribute | ast.Subscript) -> None:
        path = path_of(node) if isinstance(node.ctx, ast.Store) else None
        if (owner := object_of(node.value)) and path:
            self.found.lent.add(owner)  # a property, or `__setitem__`, may change anything in it
        if path:
            self.found.paths.append(path)
        elif isinstance(node, ast.Subscript) and path_of_receiver(node.value):
            self.found.mutations.append(Mutation(node.value, node.lineno))

    def comprehension(self, node: ast.expr) -> None:
        """Targets are the comprehension's own; `:=` in it binds outside."""
        inner = _Scan()
        for field in node._fields:
            value = getattr(node, field)
            inner.visit_all(value) if isinstance(value, list) else inner.visit(value)
        own = {
            name.id
            for generator in node.generators  # pyright: ignore[reportAttributeAccessIssue]
            for name in ast.walk(generator.target)
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
        }
        self.merge(inner.found, own)

    def merge(self, inner: Activity, own: set[str]) -> None:
        self.found.reads |= inner.reads - own
        self.found.writes |= inner.writes - own
        self.found.captures |= inner.captures - own
        self.found.walruses |= inner.walruses
        self.found.called |= inner.called - own
        self.found.mentioned |= inner.mentioned - own
        self.found.calls |= inner.calls
        self.found.paths += [path for path in inner.paths if not path.names & own]
        self.found.mutations += inner.mutations
        self.found.lent |= inner.lent - own

    def definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.visit_all(node.decorator_list)
        self.defaults(node.args)
        self.found.writes.add(node.name)
        self.captured(free_names(node))

    def anonymous(self, node: ast.Lambda) -> None:
        self.defaults(node.args)
        self.captured(free_names(node))

    def class_definition(self, node: ast.ClassDef) -> None:
        self.visit_all(node.decorator_list)
        self.visit_all(node.bases)
        self.visit_all(node.keywords)
        self.found.writes.add(node.name)
        self.captured(_free_in_class(node))

    def defaults(self, arguments: ast.arguments) -> None:
        self.visit_all(arguments.defaults)
        self.visit_all(default for default in arguments.kw_defaults if default)

    def captured(self, names: set[str]) -> None:
        self.found.reads |= names
        self.found.mentioned |= names
        self.found.captures |= names

    def pattern_name(self, node: ast.MatchAs | ast.MatchStar) -> None:
        if node.name:
            self.found.writes.add(node.name)
        if isinstance(node, ast.MatchAs) and node.pattern:
            self.visit(node.pattern)

    def pattern_mapping(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self.found.writes.add(node.rest)
        self.visit_all(node.keys)
        self.visit_all(node.patterns)


_SPECIAL: dict[type[ast.AST], Callable[[_Scan, Any], None]] = {
    ast.Name: _Scan.name,
    ast.Constant: _Scan.ignore,
    ast.Load: _Scan.ignore,
    ast.Store: _Scan.ignore,
    ast.Global: _Scan.ignore,
    ast.Nonlocal: _Scan.ignore,
    ast.BoolOp: _Scan.in_turn,
    ast.Call: _Scan.call,
    ast.IfExp: _Scan.choice,
    ast.NamedExpr: _Scan.walrus,
    ast.Attribute: _Scan.place,
    ast.Subscript: _Scan.place,
    ast.Lambda: _Scan.anonymous,
    ast.FunctionDef: _Scan.definition,
    ast.AsyncFunctionDef: _Scan.definition,
    ast.ClassDef: _Scan.class_definition,
    ast.MatchAs: _Scan.pattern_name,
    ast.MatchStar: _Scan.pattern_name,
    ast.MatchMapping: _Scan.pattern_mapping,
    **{kind: _Scan.comprehension for kind in _COMPREHENSIONS},
}


def path_of_receiver(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or path_of(node) is not None


def _bound(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


# --- whole scopes ---


def free_names(function: ScopeNode) -> set[str]:
    """Names that a function reads or writes and does not own (globals and builtins included)."""
    if isinstance(function, ast.Lambda):
        inner = expression_activity(function.body)
        return inner.reads - inner.writes - parameters(function.args)
    scope = scope_of(function)
    return scope.used - scope.owned


def outer_writes(function: ScopeNode) -> set[str]:
    """Names that calling a function may bind in the function around it (`nonlocal`)."""
    if not isinstance(function, ast.FunctionDef):
        return set()
    scope = scope_of(function)
    inner = (
        outer_writes(statement)
        for statement in every_statement(function.body)
        if isinstance(statement, ast.FunctionDef)
    )
    return (scope.written & scope.nonlocal_names).union(*inner) - scope.owned


def outer_changes(function: ScopeNode) -> list[Mutation]:
    """What calling a function may change in place in the function around it."""
    if not isinstance(function, ast.FunctionDef):
        return expression_activity(function.body).mutations if _is_lambda(function) else []
    owned = scope_of(function).owned
    found = summed(function.body).mutations
    return [one for one in found if (root := root_of(one.receiver)) and root not in owned]


def _is_lambda(function: ScopeNode) -> TypeGuard[ast.Lambda]:
    return isinstance(function, ast.Lambda)


def _free_in_class(node: ast.ClassDef) -> set[str]:
    inner = summed(node.body)
    # A class body looks a name up in itself first and outside second.
    return inner.reads


@dataclass(slots=True, eq=False, repr=False)  # quick to make: 0.1 ms
class Scope:
    """The variables of one function."""

    owned: set[str]  # parameters and what is bound here
    used: set[str]  # read or written, here or by an inner function
    global_names: set[str]
    nonlocal_names: set[str]
    written: set[str]


def scope_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Scope:
    inner = summed(function.body)
    global_names, nonlocal_names = declared(function.body)
    own = parameters(function.args) | (inner.writes - global_names - nonlocal_names)
    used = inner.reads | inner.writes | nonlocal_names
    return Scope(own, used, global_names, nonlocal_names, inner.writes)


def summed(block: list[ast.stmt]) -> Activity:
    """The activity of every statement of a block and of the blocks in it."""
    scan = _Scan()
    for statement in every_statement(block):
        scan.statement(statement)
    return scan.found


def every_statement(block: list[ast.stmt]) -> Iterable[ast.stmt]:
    """The statements of one function, those of inner functions and classes left out."""
    waiting = [iter(block)]
    while waiting:
        statement = next(waiting[-1], None)
        if statement is None:
            waiting.pop()
            continue
        yield statement
        if not isinstance(statement, _DEFINITIONS):
            waiting += [iter(inner) for inner in reversed([*inner_blocks(statement)])]


def inner_blocks(statement: ast.stmt) -> Iterable[list[ast.stmt]]:
    """The lists of statements in a compound statement, in the order they are written."""
    for field in ("body", "handlers", "cases", "orelse", "finalbody"):
        block = getattr(statement, field, None)
        if not block:
            continue
        if field in ("handlers", "cases"):
            yield from (part.body for part in block)
        else:
            yield block


def declared(block: list[ast.stmt]) -> tuple[set[str], set[str]]:
    """The names in `global` and in `nonlocal` statements."""
    global_names: set[str] = set()
    nonlocal_names: set[str] = set()
    for statement in every_statement(block):
        if isinstance(statement, ast.Global):
            global_names.update(statement.names)
        elif isinstance(statement, ast.Nonlocal):
            nonlocal_names.update(statement.names)
    return global_names, nonlocal_names


def parameters(arguments: ast.arguments) -> set[str]:
    names = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    return names | {a.arg for a in (arguments.vararg, arguments.kwarg) if a}
