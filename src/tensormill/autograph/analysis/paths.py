"""Attributes and items that a statement assigns: `o.v`, `d["a"]`, `self.cells[i].state`."""

from __future__ import annotations

import ast

from ...core.process.named_tuples import NamedTuple


class AttributePath(NamedTuple):
    """A place that can be read before and written after a staged statement.

    `names` are the variables in it. While none of them changes, the path is one place.
    """

    text: str
    node: ast.Attribute | ast.Subscript
    names: frozenset[str]


def path_of(target: ast.expr) -> AttributePath | None:
    """The path that an assignment to `target` writes, or None if it is not one place.

    `f().x` and `a[i + 1]` are none: evaluating them twice may give two places.
    """
    names: set[str] = set()
    node = target
    while not isinstance(node, ast.Name):
        match node:
            case ast.Attribute():
                node = node.value
            case ast.Subscript() if (used := _names_of_key(node.slice)) is not None:
                names |= used
                node = node.value
            case _:
                return None
    assert isinstance(target, ast.Attribute | ast.Subscript)
    return AttributePath(ast.unparse(target), target, frozenset(names | {node.id}))


def _names_of_key(key: ast.expr) -> set[str] | None:
    """The variables of a key that is the same wherever they are; None of any other."""
    match key:
        case ast.Constant() | ast.UnaryOp(ast.USub(), ast.Constant()):
            return set()
        case ast.Name(name):
            return {name}
        case _:
            return None


def root_of(receiver: ast.expr) -> str | None:
    """The variable that holds a container, or that holds one in it: `l`, in `l[0]`."""
    while isinstance(receiver, ast.Subscript):
        receiver = receiver.value
    return receiver.id if isinstance(receiver, ast.Name) else None


def object_of(node: ast.expr) -> str | None:
    """The variable at the start of attributes and items: `o`, in `o.parts[0].add`."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
