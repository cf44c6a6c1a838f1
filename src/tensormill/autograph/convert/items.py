"""Items of a list where a tensor says which, and values that are taken apart.

    l[i]                    ag__.get_item(l, i)
    l[a:b]                  ag__.get_slice(l, a, b, None)
    l[i] = v                ag__.set_items(v, (lambda: l, lambda: i))
    l[i], l[j] = v          ag__.set_items(v, (lambda: l, lambda: i), (lambda: l, lambda: j))
    l[i] += v               ag__.update_item('+=', lambda: l, i, lambda: v)
    a, b = v                a, b = ag__.unpacked(v, 2)
    a, *b = v               a, b = ag__.unpacked(v, 1, 0)
    [*l, x]                 ag__.spread(l, [x])

What is known where it is written stays: `l[0]`, `d["k"]`, `x[:, 0]`, `a, b = b, a`. So does what is
stored into anything but a variable of the function: that variable may have to become another list.
"""

from __future__ import annotations

import ast

from ..template import Template, placed
from .walk import ExpressionWalk

GET_ITEM = Template("ag__.get_item(owner, index)")
GET_SLICE = Template("ag__.get_slice(owner, *bounds)")
SET_ITEMS = Template("ag__.set_items(value, *places)")
UPDATE_ITEM = Template("ag__.update_item(sign, variable, index, value)")
SPREAD = Template("ag__.spread(*parts)")
UNPACKED = Template("ag__.unpacked(value, *counts)")

SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+=",
    ast.Sub: "-=",
    ast.Mult: "*=",
    ast.Div: "/=",
    ast.FloorDiv: "//=",
    ast.Mod: "%=",
    ast.Pow: "**=",
    ast.MatMult: "@=",
    ast.BitAnd: "&=",
    ast.BitOr: "|=",
    ast.BitXor: "^=",
}


def convert_item(node: ast.Subscript, walk: ExpressionWalk) -> ast.expr:
    walk.inside(node)
    if not isinstance(node.ctx, ast.Load) or not _may_be_tensor(node.slice):
        return node
    if not isinstance(node.slice, ast.Slice):
        return GET_ITEM.expression(node, owner=node.value, index=node.slice)
    bounds = [
        one or placed(ast.Constant(None), node)
        for one in (node.slice.lower, node.slice.upper, node.slice.step)
    ]
    return GET_SLICE.expression(node, owner=node.value, bounds=bounds)


def convert_list(node: ast.List, walk: ExpressionWalk) -> ast.expr:
    walk.inside(node)
    is_spread = any(isinstance(one, ast.Starred) for one in node.elts)
    if not is_spread or not isinstance(node.ctx, ast.Load):
        return node
    parts = [
        one.value if isinstance(one, ast.Starred) else placed(ast.List([one], ast.Load()), one)
        for one in node.elts
    ]
    return SPREAD.expression(node, parts=parts)


def convert_assignment(node: ast.Assign, walk: ExpressionWalk) -> ast.stmt:
    if len(node.targets) == 1:
        places = _places(node.targets[0], walk)
        if places:
            return _stored(node, places, walk)
        if isinstance(node.targets[0], ast.Tuple | ast.List):
            return _taken_apart(node, node.targets[0], walk)
    return walk.inside(node)


def convert_update(node: ast.AugAssign, walk: ExpressionWalk) -> ast.stmt:
    target, sign = node.target, SIGNS.get(type(node.op))
    if sign is None or not isinstance(target, ast.Subscript) or not _places(target, walk):
        return walk.inside(node)
    call = UPDATE_ITEM.expression(
        node,
        sign=placed(ast.Constant(sign), node),
        variable=walk.conversion.lazily(_loaded(target.value)),
        index=walk.now(target.slice),
        value=walk.later(node.value),
    )
    return placed(ast.Expr(call), node)


def _stored(node: ast.Assign, targets: list[ast.Subscript], walk: ExpressionWalk) -> ast.stmt:
    value = walk.now(node.value)
    places = [
        placed(
            ast.Tuple(
                [walk.conversion.lazily(_loaded(one.value)), walk.later(one.slice)], ast.Load()
            ),
            one,
        )
        for one in targets
    ]
    return placed(ast.Expr(SET_ITEMS.expression(node, value=value, places=places)), node)


def _places(target: ast.expr, walk: ExpressionWalk) -> list[ast.Subscript]:
    """The items that an assignment stores into, if a tensor may be the index of one of them."""
    items = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    found = [one for one in items if isinstance(one, ast.Subscript) and _is_owned(one.value, walk)]
    indices = [one.slice for one in found]
    if len(found) < len(items) or any(isinstance(one, ast.Slice | ast.Tuple) for one in indices):
        return []
    return found if any(map(_may_be_tensor, indices)) else []


def _is_owned(owner: ast.expr, walk: ExpressionWalk) -> bool:
    return isinstance(owner, ast.Name) and owner.id in walk.variables


def _taken_apart(node: ast.Assign, target: ast.Tuple | ast.List, walk: ExpressionWalk) -> ast.stmt:
    is_literal = isinstance(node.value, ast.Tuple | ast.List) or _is_item_of_loop(node.value, walk)
    walk.inside(node)
    stars = [k for k, one in enumerate(target.elts) if isinstance(one, ast.Starred)]
    if is_literal or len(stars) > 1:
        return node
    counts = [len(target.elts)]
    for place in stars:
        starred = target.elts[place]
        assert isinstance(starred, ast.Starred)
        target.elts[place] = starred.value
        counts = [place, len(target.elts) - 1 - place]
    numbers = [placed(ast.Constant(count), node) for count in counts]
    node.value = UNPACKED.expression(node.value, value=node.value, counts=numbers)
    return node


def _is_item_of_loop(value: ast.expr, walk: ExpressionWalk) -> bool:
    return isinstance(value, ast.Name) and value.id == walk.conversion.bodies["item_"]


def _may_be_tensor(index: ast.expr) -> bool:
    match index:
        case ast.Constant() | ast.Tuple() | ast.JoinedStr() | ast.Starred():
            return False
        case ast.UnaryOp(_, operand):
            return _may_be_tensor(operand)
        case ast.Slice(lower, upper, step):
            return any(one is not None and _may_be_tensor(one) for one in (lower, upper, step))
        case _:
            return True


def _loaded(owner: ast.expr) -> ast.expr:
    assert isinstance(owner, ast.Name)
    return placed(ast.Name(owner.id, ast.Load()), owner)
