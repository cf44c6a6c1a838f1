from __future__ import annotations

import ast
import textwrap

import pytest

from tensormill.autograph.analysis.activity import activity, free_names, outer_writes, scope_of
from tensormill.autograph.analysis.effects import FunctionEffects
from tensormill.autograph.analysis.jumps import always_jumps, always_returns, holds_jump
from tensormill.autograph.analysis.liveness import Liveness
from tensormill.autograph.analysis.paths import path_of


def block(text: str) -> list[ast.stmt]:
    return ast.parse(textwrap.dedent(text)).body


def function(text: str) -> ast.FunctionDef:
    (node,) = block(text)
    assert isinstance(node, ast.FunctionDef)
    return node


def names(text: str) -> set[str]:
    return set(text.split())


# --- activity ---


@pytest.mark.parametrize(
    ("text", "reads", "writes"),
    [
        ("a = b + c[d].e", "b c d", "a"),
        ("a += 1", "a", "a"),
        ("a[i] = b", "a i b", ""),
        ("x, (y, *z) = f(w)", "f w", "x y z"),
        ("del a", "a", "a"),
        ("[x for x in xs if x in seen]", "xs seen", ""),
        ("{k: (last := v) for k, v in items}", "items", "last"),
        ("lambda x, y=z: x + y + w", "z w", ""),
        ("if (n := f()): pass", "f", "n"),
        ("for i in xs: body", "xs", "i"),
        ("with a as b, c as (d, e): body", "a c", "b d e"),
        ("import a.b, c as d", "", "a d"),
        ("x: T = y", "y", "x"),
        ("x: T", "", ""),
        ("def f(a=b): return c + a", "b c", "f"),
        ("class C(B): x = y", "B y", "C"),
        ("match a:\n case {'k': v, **rest}: pass", "a", "v rest"),
        ("match a:\n case [P(q), *r] as s if g: pass", "a P g", "q r s"),
        ("try: pass\nexcept E as e: pass", "E", "e"),
    ],
)  # fmt: skip
def test_a_statement_reads_and_writes(text: str, reads: str, writes: str) -> None:
    found = activity(block(text)[0])

    assert (names(reads), names(writes)) == (found.reads, found.writes)


def test_an_inner_function_captures_what_is_free_in_it() -> None:
    found = activity(block("def f(a):\n  b = a + c\n  def g(): return b + d\n  return g")[0])

    assert found.captures == {"c", "d"}


def test_a_scope_owns_what_it_binds() -> None:
    scope = scope_of(function("def f(a):\n  global g\n  nonlocal n\n  g = n = b = 1\n  return c"))

    assert scope.owned == {"a", "b"}
    assert scope.used == names("g n b c")


def test_outer_writes_go_through_inner_functions() -> None:
    node = function("def f():\n  def g():\n    nonlocal a, b\n    a = b = 1\n  b = 2\n  g()")

    assert outer_writes(node) == {"a"}
    assert free_names(node) == {"a"}


@pytest.mark.parametrize("text", ["o.v", "d['a']", "l[-1]", "l[i]", "o.a['k'].b"])
def test_a_path_is_one_place(text: str) -> None:
    path = path_of(ast.parse(text, mode="eval").body)

    assert path is not None
    assert path.text == text


@pytest.mark.parametrize("text", ["f().x", "l[i + 1]", "l[1:2]", "l[f()]"])
def test_what_may_be_two_places_is_no_path(text: str) -> None:
    assert path_of(ast.parse(text, mode="eval").body) is None


# --- effects ---


def effects(text: str) -> FunctionEffects:
    return FunctionEffects(block(text), {})


def test_a_call_changes_what_the_function_declares_nonlocal() -> None:
    body = block("def inc():\n  nonlocal n\n  n += 1\nif c:\n  inc()")

    assert FunctionEffects(body, {}).of_block([body[1]]).writes == {"n"}


def test_a_function_that_escaped_may_be_behind_any_call() -> None:
    body = block("def inc():\n  nonlocal n\n  n += 1\nother = inc\nif c:\n  g()\nif d:\n  1")
    found = FunctionEffects(body, {})

    assert found.of_block([body[2]]).writes == {"n"}
    assert found.of_block([body[3]]).writes == set()


def test_a_call_reads_what_the_function_reads() -> None:
    body = block("def get():\n  return n\nf = lambda: m\nget()\nf()")
    found = FunctionEffects(body, {})

    assert found.of(body[2]).reads == {"get", "n"}
    assert found.of(body[3]).reads == {"f", "m"}


def test_paths_of_variables_that_the_block_binds_are_left_out() -> None:
    found = effects("").of_block(block("o.v = 1\np = P()\np.v = 2\nl[i] = 3"))

    assert [path.text for path in found.paths] == ["o.v", "l[i]"]


def test_mutations_are_noted() -> None:
    found = effects("").of_block(block("l.append(1)\nself.d.update(x)\nl[i + 1] = 2\ndel d['k']"))

    receivers = [ast.unparse(mutation.receiver) for mutation in found.mutations]
    assert receivers == ["l", "self.d", "l", "d"]


# --- jumps ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("return 1", True),
        ("if a: return 1\nelse: raise E", True),
        ("if a: return 1", False),
        ("while True:\n  if a: return 1", True),
        ("while True:\n  if a: break\n  return 1", False),
        ("while a: return 1", False),
        ("for a in b: return 1", False),
        ("with a: return 1", True),
        ("try: return 1\nexcept E: pass", False),
        ("try: return 1\nexcept E: raise", True),
        ("try: pass\nfinally: return 1", True),
    ],
)
def test_a_block_always_returns(text: str, expected: bool) -> None:
    assert always_returns(block(text)) == expected


def test_a_break_counts_as_a_jump() -> None:
    assert always_jumps(block("if a: break\nelse: continue"))


def test_jumps_of_inner_loops_are_their_own() -> None:
    assert not holds_jump(ast.Break, block("for a in b: break"))
    assert holds_jump(ast.Break, block("for a in b: pass\nelse: break"))


# --- liveness ---


def live(text: str, at_exit: str = "") -> list[tuple[set[str], set[str]]]:
    """For each `if` and loop, outermost first: what is live after it and inside of it."""
    body = block(text)
    table = Liveness(body, FunctionEffects(body, {}), frozenset(at_exit.split()))
    nodes = [
        n for n in ast.walk(ast.Module(body, [])) if isinstance(n, ast.If | ast.For | ast.While)
    ]
    return [(set(table[node].after), set(table[node].inside)) for node in nodes]


def test_a_variable_that_is_bound_again_is_dead() -> None:
    assert live("if c: x = 1; y = 2\nx = 3\nuse(x, y)") == [(names("use y"), names("use y"))]


def test_a_loop_keeps_what_its_next_iteration_reads() -> None:
    assert live("while c: s = s + t; t = 1; u = 2") == [(set(), names("c s t"))]


def test_the_target_of_a_loop_is_bound_by_each_iteration() -> None:
    assert live("for i in xs: s += i\nuse(s)") == [(names("use s"), names("use s"))]


def test_what_a_handler_reads_lives_in_all_of_the_body() -> None:
    found = live("try:\n  if c: x = 1\n  x = 2\nexcept E:\n  use(x)")

    assert "x" in found[0][0]


def test_what_a_function_captured_is_kept() -> None:
    body = block("f = lambda: x\nif c: x = 1\nreturn_(f)")
    table = Liveness(body, FunctionEffects(body, {}), frozenset())

    assert "x" not in table[body[1]].after
    assert table[body[1]].kept == {"x"}


def test_nonlocal_variables_live_at_the_exit() -> None:
    assert live("if c: n = 1", at_exit="n") == [({"n"}, {"n"})]
    assert live("if c: n = 1\nreturn x", at_exit="n") == [(names("n x"), names("n x"))]
    assert live("while c: n = 1\nraise x", at_exit="n") == [(names("n x"), names("c n x"))]
