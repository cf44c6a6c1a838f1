"""`[f(x) for x in xs if c]` → a call of the runtime, which may stage it; generators alike.

    ag__.comprehension(xs, text,
        lambda items, wanted: [f(x) for x in items if wanted or ag__.item_test(c, text)],
        lambda items: [(c,) for x in items])

The items are those of `xs`, or, in the graph, one row at a time. What has several `for`s, a `:=` or
an `await` is Python's, and so are sets and dicts, whose elements and keys cannot be tensors; but
they may run over the rows of tensors, as `ag__.iter_items(xs)`.
"""

from __future__ import annotations

import ast
import copy

from ..template import Template, placed
from .walk import ExpressionWalk

COMPREHENSION = Template("ag__.comprehension(iterable, text, *functions)")
ELEMENTS = Template("lambda items, wanted: elements")
CONDITIONS = Template("lambda items: elements")
ITEMS = Template("ag__.iter_items(iterable)")
TEST = Template("wanted or ag__.item_test(test, text)")

Node = ast.ListComp | ast.GeneratorExp


def convert_comprehension(node: Node, walk: ExpressionWalk) -> ast.expr:
    text = placed(ast.Constant(ast.unparse(node)), node)
    walk.inside(node)
    if not _is_simple(node):
        return _over_rows(node)
    fresh = walk.conversion.names.fresh
    names = {"items": fresh("items"), "wanted": fresh("wanted")}
    generator = node.generators[0]
    iterable, generator.iter = generator.iter, placed(ast.Name(names["items"], ast.Load()), node)
    tests = [_conditions(node, names)] if generator.ifs else []
    generator.ifs = [TEST.expression(one, test=one, text=text, **names) for one in generator.ifs]
    elements = ELEMENTS.expression(node, elements=node, **names)
    return COMPREHENSION.expression(
        node, iterable=iterable, text=text, functions=[elements, *tests]
    )


def convert_other(node: ast.SetComp | ast.DictComp, walk: ExpressionWalk) -> ast.expr:
    walk.inside(node)
    return _over_rows(node)


def _over_rows(node: Node | ast.SetComp | ast.DictComp) -> ast.expr:
    for generator in node.generators:
        if not generator.is_async:
            generator.iter = ITEMS.expression(generator.iter, iterable=generator.iter)
    return node


def _is_simple(node: Node) -> bool:
    suspends = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
    return (
        len(node.generators) == 1
        and not node.generators[0].is_async
        and not any(isinstance(one, suspends) for one in ast.walk(node))
    )


def _conditions(node: Node, names: dict[str, str]) -> ast.expr:
    generator = copy.deepcopy(node.generators[0])
    conditions = placed(ast.Tuple(generator.ifs, ast.Load()), node)
    generator.ifs = []
    every = placed(ast.ListComp(conditions, [generator]), node)
    return CONDITIONS.expression(node, elements=every, **names)
