"""Compiling converted code: its names, its lines, its cache."""

from __future__ import annotations

import dis
import gc
import inspect
import linecache
import sys
import threading
import traceback
import weakref
from typing import Any

import pytest

from tensormill.autograph import conversion
from tensormill.autograph.api import to_graph
from tensormill.autograph.options import ConversionOptions
from tensormill.autograph.runtime.namespace import runtime_for
from tests.autograph.programs import elsewhere, python_control_flow, python_functions

PROGRAMS = python_control_flow.PROGRAMS | python_functions.PROGRAMS


def test_a_function_is_converted_once() -> None:
    code = elsewhere.plain.__code__

    assert conversion.converted_code(code) is conversion.converted_code(code)


def test_functions_of_one_definition_share_their_code() -> None:
    def make(k):
        def f(x):
            return x * k if x else k

        return f

    two, three = to_graph(make(2)), to_graph(make(3))

    assert two.__code__ is three.__code__
    assert (two(5), three(5)) == (10, 15)


def test_a_closure_is_shared_with_the_original() -> None:
    count = 0

    def increment():
        nonlocal count
        if count >= 0:
            count += 1
        return count

    converted = to_graph(increment)

    assert (converted(), increment(), converted(), count) == (1, 2, 3, 3)


def test_a_converted_function_looks_like_the_original() -> None:
    def f(x: int, *, y: int = 2) -> int:
        """Text."""
        return x if x else y

    converted = to_graph(f)

    for name in ("__name__", "__qualname__", "__doc__", "__module__", "__kwdefaults__"):
        assert getattr(converted, name) == getattr(f, name)
    assert inspect.signature(converted) == inspect.signature(f)
    assert inspect.getsource(converted) == inspect.getsource(f)


def test_annotations_that_were_replaced_stay_replaced() -> None:
    def f(x: int) -> int:
        return x

    f.__annotations__ = {"x": "a number"}

    assert {"x": "a number"} == to_graph(f).__annotations__


def made_of(text: str) -> Any:
    """The function `f` of a text that older Pythons cannot read."""
    scope: dict[str, Any] = {}
    exec(text, scope)
    return scope["f"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="has no type parameters")
def test_a_function_with_type_parameters_is_converted() -> None:
    text = """
class Box[T]:
    def f[U](self, x: T) -> U:
        def inner[V](y: V) -> V:
            return y, str(V)
        return inner(x), str(T), str(U)
f = Box.f
"""
    original = made_of(text)

    converted: Any = to_graph(original)

    assert ((1, "V"), "T", "U") == converted(None, 1)
    assert original.__type_params__ == converted.__type_params__
    assert original.__annotations__ == converted.__annotations__


@pytest.mark.skipif(sys.version_info < (3, 14), reason="has no t-strings")
def test_values_within_a_t_string_are_converted() -> None:
    text = "f = lambda x: t'{-x if x > 0 else x} of {(lambda y: y + 1)(x)!r:>{x}}'"

    template = to_graph(made_of(text))(3)

    assert (-3, 4) == template.values
    assert ("", ">3") == tuple(one.format_spec for one in template.interpolations)
    assert (None, "r") == tuple(one.conversion for one in template.interpolations)


def test_dropped_functions_leave_nothing_behind() -> None:
    gc.collect()
    before = len(conversion._conversions), len(conversion._made)
    function = made_from("def f(x):\n    return f if x else (lambda: x)\n")
    to_graph(function)
    assert before < (len(conversion._conversions), len(conversion._made))

    dead = weakref.ref(function.__code__)
    del function
    gc.collect()

    assert dead() is None
    assert (len(conversion._conversions), len(conversion._made)) == before


def test_an_instance_is_not_kept_alive() -> None:
    scale = elsewhere.Scale()
    runtime_for(ConversionOptions()).converted(scale)(1)
    dead = weakref.ref(scale)
    del scale

    assert dead() is None


def test_a_function_may_call_itself_by_its_global_name() -> None:
    power = made_from("def f(x, n):\n    return x * f(x, n - 1) if n else 1\n")

    assert to_graph(power)(2, 10) == 1024


def test_threads_convert_once() -> None:
    def f(x):
        return x if x else 0

    barrier, made = threading.Barrier(4), []

    def work():
        barrier.wait()
        made.append(conversion.converted_code(f.__code__))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(map(id, made))) == 1


@pytest.mark.sampled
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_instruction_stands_on_a_line_of_the_function(name: str) -> None:
    function, _ = PROGRAMS[name]
    lines, first = inspect.getsourcelines(function)
    converted = conversion.converted_code(function.__code__)
    assert not isinstance(converted, Exception)

    found = {position.lineno for code in all_codes(converted) for position in positions(code)}
    assert found <= {None, *range(first, first + len(lines))}


def all_codes(code: Any) -> list[Any]:
    inner = [
        one
        for constant in code.co_consts
        if hasattr(constant, "co_code")
        for one in all_codes(constant)
    ]
    return [code, *inner]


def positions(code: Any) -> list[dis.Positions]:
    return [i.positions for i in dis.get_instructions(code) if i.positions and i.opname != "RESUME"]


def test_python_shows_the_users_lines_and_names() -> None:
    def f(x):
        for i in range(2):
            if i > 0:
                x = (elsewhere
                     .fails(x))  # fmt: skip
        return x

    with pytest.raises(ValueError, match="no 3") as caught:
        to_graph(f)(3)

    frames = [
        (frame.name, frame.line)
        for frame in traceback.extract_tb(caught.value.__traceback__)
        if "/tensormill/" not in frame.filename
    ]
    assert frames[1:] == [
        ("f", "for i in range(2):"),
        ("f", "if i > 0:"),
        ("f", ".fails(x))  # fmt: skip"),
        ("fails", "if x > 0:"),
        ("fails", "raise ValueError("),
    ]


def test_private_names_are_those_of_the_class() -> None:
    scale = elsewhere.Scale(5)

    assert to_graph(elsewhere.Scale.__call__)(scale, 2) == 11
    assert to_graph(scale.method)(3) == 6
    assert scale._Scale__last == 6  # type: ignore[attr-defined]


def test_the_name_of_a_class_stays_global() -> None:
    class Local:
        def make(self):
            return Local if self else None

    assert to_graph(Local().make)() is Local
    assert to_graph(elsewhere.Child().__call__)(20) == 60


def test_long_chains_are_converted() -> None:
    chain = "\n".join(f"    elif x == {k}:\n        y = {k}" for k in range(1, 150))
    total = " + ".join(["x"] * 500)
    text = f"def f(x):\n    if x == 0:\n        y = 0\n{chain}\n    return y, {total}\n"
    function = made_from(text)

    assert to_graph(function)(120) == (120, 60_000)


def made_from(text: str) -> Any:
    linecache.cache["<chain>"] = (len(text), None, text.splitlines(keepends=True), "<chain>")
    scope: dict[str, Any] = {}
    exec(compile(text, "<chain>", "exec"), scope)
    return scope["f"]
