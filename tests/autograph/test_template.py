from __future__ import annotations

import ast

from tensormill.autograph.template import Template, position_of

AT = ast.parse("if a > b:\n    c = 1\n    d = 2").body[0]


def test_strings_rename_and_nodes_stand_in() -> None:
    template = Template("name = f(value, name.attribute)")
    made = template.statement(AT, name="x", value=ast.Constant(3), attribute="y")

    assert ast.unparse(made) == "x = f(3, x.y)"


def test_a_line_that_is_a_hole_takes_statements() -> None:
    template = Template("def f():\n  nonlocal names\n  body")
    made = template.statement(AT, f="g", names=["a", "b"], body=ast.parse("a = 1; b = 2").body)

    assert ast.unparse(made) == "def g():\n    nonlocal a, b\n    a = 1\n    b = 2"


def test_an_empty_list_of_names_drops_the_line() -> None:
    template = Template("def f():\n  nonlocal names\n  body")

    assert ast.unparse(template.statement(AT, names=[], body=[])) == "def f():\n    pass"


def test_a_starred_hole_takes_expressions() -> None:
    template = Template("f(first, *rest)")
    made = template.expression(AT, first=ast.Constant(1), rest=[ast.Constant(2), ast.Constant(3)])

    assert ast.unparse(made) == "f(1, 2, 3)"


def test_a_template_can_be_used_again() -> None:
    template = Template("f(hole)")
    template.expression(AT, hole=ast.Constant(1))

    assert ast.unparse(template.expression(AT, hole=ast.Constant(2))) == "f(2)"


def test_what_is_made_stands_at_the_head_of_a_statement() -> None:
    head = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 8}

    assert position_of(AT) == head
    assert position_of(Template("f(x)").expression(AT)) == head


def test_what_is_inserted_stays_where_it_was() -> None:
    value = ast.parse("\n\nz").body[0]
    assert isinstance(value, ast.Expr)

    made = Template("f(hole)").expression(AT, hole=value.value)

    assert isinstance(made, ast.Call)
    assert made.args[0].lineno == 3
