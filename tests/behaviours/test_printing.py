"""tf.print and tf.strings.format: statements P1 to P6."""

from __future__ import annotations

import logging
import sys
from collections import OrderedDict, namedtuple
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.modes import both

Pair = namedtuple("Pair", "a b")


@pytest.fixture
def printed(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> Any:
    """What tf.print writes; the same function made anew for each test is warned of meanwhile."""
    caplog.set_level("ERROR", "tensorflow")

    def run(*inputs: Any, mode: Any = lambda f: f, **options: Any) -> str:
        def body() -> None:
            tf.print(*inputs, **options)

        mode(body)()
        sys.stderr.flush()
        return capfd.readouterr().err

    return run


# ---- streams and keywords


@behaviour("P1")
@both
def test_what_is_printed_goes_to_stderr(capfd: Any, mode: Any):
    def body() -> None:
        tf.print(tf.constant(1), "x")

    mode(body)()
    assert capfd.readouterr() == ("", "1 x\n")


@behaviour("P1")
@both
def test_it_may_go_to_stdout(capfd: Any, mode: Any):
    def body() -> None:
        tf.print("a", "b", output_stream=sys.stdout, sep="-", end="!\n")

    mode(body)()
    assert capfd.readouterr() == ("a-b!\n", "")


@behaviour("P1")
@both
def test_it_may_be_appended_to_a_file(tmp_path: Any, mode: Any):
    path = tmp_path / "log.txt"

    def body() -> None:
        tf.print("one", tf.constant(2), output_stream=f"file://{path}")

    f = mode(body)
    f()
    f()
    assert path.read_text() == "one 2\none 2\n"


@behaviour("P1")
@pytest.mark.parametrize("level", ["INFO", "WARN", "ERROR"])
def test_logging_levels_are_streams(level: str):
    number = getattr(tf.compat.v1.logging, level)
    assert number == getattr(logging, level)
    tf.print("logged", output_stream=number)


@behaviour("P1")
@pytest.mark.parametrize("stream", [7, "nowhere", object])
def test_other_streams_are_refused(stream: Any):
    with pytest.raises(ValueError, match="Unsupported output stream"):
        tf.print(1, output_stream=stream)


@behaviour("P1")
def test_other_keywords_are_refused():
    with pytest.raises(ValueError, match=r"Unrecognized keyword arguments for tf.print.*flush"):
        tf.print(1, flush=True)


@behaviour("P1")
def test_it_returns_nothing_eagerly_and_in_a_trace_what_others_can_wait_for(capfd: Any):
    assert tf.print("eager") is None

    @tf.function
    def f(x: Any) -> Any:
        with tf.control_dependencies([tf.print("first", x)]):
            return tf.identity(x)

    assert int(f(tf.constant(1))) == 1
    assert capfd.readouterr().err == "eager\nfirst 1\n"


@behaviour("P1")
@differs
def test_lines_come_in_order_with_those_of_pythons_print(capsys: pytest.CaptureFixture[str]):
    print("one")
    tf.print("two", output_stream=sys.stdout)
    print("three")
    assert capsys.readouterr().out == "one\ntwo\nthree\n"


# ---- numbers


@pytest.mark.sampled
@behaviour("P2")
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, "1"),
        (tf.constant(1.5), "1.5"),
        (tf.constant(1.0), "1"),
        (tf.constant(1 / 3), "0.333333343"),
        (tf.constant(1 / 3, tf.float64), "0.33333333333333331"),
        (tf.constant(1e-10), "1e-10"),
        (tf.constant(1e10), "1e+10"),
        (tf.constant(1e6), "1e+06"),
        (tf.constant(16777216.0), "16777216"),
        (tf.constant(np.nan), "nan"),
        (tf.constant([np.inf, -np.inf]), "[inf -inf]"),
        (tf.constant(0.1, tf.float16), "0.0999755859"),
        (tf.constant(200, tf.uint8), "200"),
        (tf.constant([-3, 4], tf.int8), "[-3 4]"),
        (tf.constant(True), "1"),
        (tf.constant([True, False]), "[1 0]"),
        (True, "True"),
        (1.0, "1.0"),
    ],
)
@both
def test_numbers(value: Any, expected: str, printed: Any, mode: Any):
    assert printed(value, mode=mode) == f"{expected}\n"


@behaviour("P2")
@differs
def test_complex_numbers_are_numbers(printed: Any):
    assert printed(tf.constant([1 + 2j, -0.5j])) == "[1+2j -0-0.5j]\n"


# ---- arrays


@behaviour("P3")
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([1, 2, 3], "[1 2 3]"),
        (list(range(6)), "[0 1 2 3 4 5]"),
        (list(range(7)), "[0 1 2 ... 4 5 6]"),
        ([[1, 2], [3, 4]], "[[1 2]\n [3 4]]"),
        (np.zeros((7, 1), int), "[[0]\n [0]\n [0]\n ...\n [0]\n [0]\n [0]]"),
        (np.zeros((2, 1, 2), int), "[[[0 0]]\n\n [[0 0]]]"),
        (np.zeros((2, 2, 1), int), "[[[0]\n  [0]]\n\n [[0]\n  [0]]]"),
        ([], "[]"),
    ],
)
@both
def test_arrays(value: Any, expected: str, printed: Any, mode: Any):
    assert printed(tf.constant(value), mode=mode) == f"{expected}\n"


@behaviour("P3")
@pytest.mark.parametrize(
    ("summarize", "expected"),
    [(1, "[0 ... 8]"), (2, "[0 1 ... 7 8]"), (-1, "[0 1 2 3 4 5 6 7 8]"), (5, None)],
)
@both
def test_summarize_says_how_many_are_shown(
    summarize: int, expected: str | None, printed: Any, mode: Any
):
    text = printed(tf.range(9), summarize=summarize, mode=mode)
    assert text == f"{expected or '[0 1 2 3 4 5 6 7 8]'}\n"


# ---- strings and nests


@behaviour("P4")
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("text", "text"),
        (tf.constant("b"), "b"),
        (tf.constant(["b"]), '["b"]'),
        (tf.constant(["c", "d"]), '["c" "d"]'),
        (b"x", "b'x'"),
        (None, "None"),
    ],
)
@both
def test_strings(value: Any, expected: str, printed: Any, mode: Any):
    assert printed(value, mode=mode) == f"{expected}\n"


@behaviour("P4")
@both
def test_string_tensors_beside_others_are_quoted(printed: Any, mode: Any):
    assert printed("a", tf.constant("b"), mode=mode) == 'a "b"\n'


@behaviour("P5")
@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda c: [1, c([2, 3])], "[1, [2 3]]"),
        (
            lambda c: {"b": [1, {"c": c("s")}], "a": (c(2),)},
            "{'a': (2,), 'b': [1, {'c': \"s\"}]}",
        ),
        (lambda c: Pair(1, c(2)), "Pair(a=1, b=2)"),
        (lambda c: ["q", c("r")], "['q', \"r\"]"),
        (lambda c: OrderedDict(b=c(1), a=2), repr(OrderedDict(b=1, a=2))),
        (lambda c: (1,), "(1,)"),
        (lambda c: {}, "{}"),
        (lambda c: "{} and %s", "{} and %s"),
        (lambda c: ["{}", c(1)], "['{}', 1]"),
        (lambda c: [None, c(1), True], "[None, 1, True]"),
    ],
)
@both
def test_nests_have_pythons_punctuation(make: Any, expected: str, printed: Any, mode: Any):
    assert printed(make(tf.constant), mode=mode) == f"{expected}\n"


@behaviour("P5")
@both
def test_variables_show_their_values(printed: Any, mode: Any):
    v = tf.Variable([1.0, 2.5])
    assert printed(v, [v], mode=mode) == "[1 2.5] [[1 2.5]]\n"


@behaviour("P5")
def test_no_arguments_give_an_empty_line(printed: Any):
    assert printed() == "\n"


@pytest.mark.sampled
@behaviour("P5")
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([[1], [2, 3]], "[[1], [2, 3]]"),
        ([[[1, 2], [3]], [], [[4]]], "[[[1, 2], [3]], [], [[4]]]"),
        ([["a", 'b"c'], []], "[['a', 'b\"c'], []]"),
        ([[True], [False]], "[[true], [false]]"),
        ([[1.0, 2.5], []], "[[1.000000, 2.500000], []]"),
        ([list(range(10)), [1]], "[[0, 1, 2, ..., 7, 8, 9], [1]]"),
        ([[k] for k in range(9)], "[[0], [1], [2], ..., [6], [7], [8]]"),
    ],
)
@both
def test_ragged_tensors_are_nested_lists(rows: Any, expected: str, printed: Any, mode: Any):
    ragged = tf.ragged.constant(rows)
    assert printed("r:", ragged, [1, ragged], mode=mode) == f"r: {expected} [1, {expected}]\n"


@behaviour("P5")
@both
def test_sparse_tensors_show_their_parts(printed: Any, mode: Any):
    sparse = tf.sparse.from_dense([0, 1])
    text = printed(sparse, mode=mode)
    assert "SparseTensor(indices=[[1]], values=[1], shape=[2])" in text


@behaviour("P5")
@differs
@both
def test_sparse_tensors_stand_without_quotes(printed: Any, mode: Any):
    sparse = tf.sparse.from_dense([0, 1])
    expected = "SparseTensor(indices=[[1]], values=[1], shape=[2])"
    assert printed(sparse, [sparse], mode=mode) == f"{expected} [{expected}]\n"


@behaviour("P5")
@differs
@both
def test_slices_of_tensors_show_their_parts(printed: Any, mode: Any):
    slices = tf.IndexedSlices(tf.constant([1.5]), tf.constant([3]))
    assert printed(slices, mode=mode) == "IndexedSlices(indices=[3], values=[1.5])\n"


# ---- order, and strings.format


@behaviour("P6")
def test_lines_come_in_the_order_of_the_program_at_every_call(capfd: Any):
    @tf.function
    def f(n: Any) -> Any:
        print("traced", file=sys.stderr)
        for i in tf.range(n):
            tf.print("i", i)
            if i > 0:
                tf.print("positive")
        tf.print("end")
        return n

    f(tf.constant(2))
    f(tf.constant(1))
    lines = capfd.readouterr().err.splitlines()
    assert lines == ["traced", "i 0", "i 1", "positive", "end", "i 0", "end"]


@behaviour("P6")
@both
def test_format_gives_a_string_tensor(mode: Any):
    f = mode(lambda a, b: tf.strings.format("{} x {}", (a, b)))
    assert f(tf.constant([1, 2]), tf.constant("s")).numpy() == b'[1 2] x "s"'


@behaviour("P6")
@pytest.mark.parametrize("inputs", [(1, 2), ()])
def test_format_wants_as_many_inputs_as_placeholders(inputs: Any):
    with pytest.raises(ValueError, match="The template expects 1 tensors"):
        tf.strings.format("{}", tuple(tf.constant(one) for one in inputs))


@behaviour("P7")
def test_containers_of_a_module_say_that_they_are_tracked():
    m: Any = tf.Module()
    m.listed, m.named, m.paired = [1, {"k": 2}], {"x": [1]}, (1, [2])

    assert str(m.listed) == repr(m.listed) == "ListWrapper([1, DictWrapper({'k': 2})])"
    assert str(m.named) == "{'x': ListWrapper([1])}"
    assert repr(m.named) == "DictWrapper({'x': ListWrapper([1])})"
    assert str(m.paired) == "(1, ListWrapper([2]))"
    assert repr(m.paired) == "_TupleWrapper((1, ListWrapper([2])))"
