"""tf.print and tf.strings.format write what TensorFlow writes."""

from __future__ import annotations

import collections
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.strings.tensor_text import array_text, element_text, element_texts, shown

T = tf.constant
P = collections.namedtuple("P", "a b")
FLOATS = [1e-10, 1e10, 1e6, 16777216.0, 123456.789, 0.1, 100000.0]

# Arguments of tf.print, and what TensorFlow 2.21 prints for them.
PRINTED: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    ((), {}, "\n"),
    ((1, 1.5, "a", b"x", None, True), {}, "1 1.5 a b'x' None True\n"),
    ((T(1.0), T(1 / 3), T(1 / 3, tf.float64)), {}, "1 0.333333343 0.33333333333333331\n"),
    ((T(FLOATS),), {"summarize": -1}, "[1e-10 1e+10 1e+06 16777216 123456.789 0.1 100000]\n"),
    ((T([np.nan, np.inf, -np.inf, -0.0]),), {}, "[nan inf -inf -0]\n"),
    ((T(0.1, tf.float16), T(0.1, tf.bfloat16)), {}, "0.0999755859 0.100097656\n"),
    ((T(0.1 + 0.2, tf.float64), T(1e16, tf.float64)), {}, "0.30000000000000004 1e+16\n"),
    ((T([1, 2], tf.uint8), T(-3, tf.int8), T([True, False])), {}, "[1 2] -3 [1 0]\n"),
    ((tf.range(7), tf.range(6)), {}, "[0 1 2 ... 4 5 6] [0 1 2 3 4 5]\n"),
    ((tf.range(7),), {"summarize": 1}, "[0 ... 6]\n"),
    ((tf.range(7), tf.zeros([2, 3])), {"summarize": 0}, "[ ...] [\n ...]\n"),
    ((1.5, "a", tf.constant(2), tf.zeros(0)), {"summarize": 0}, "1.5 a ... []\n"),
    ((T([[0, 1], [2, 3]]),), {}, "[[0 1]\n [2 3]]\n"),
    ((tf.reshape(tf.range(8), [2, 2, 2]),), {}, "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]\n"),
    ((tf.reshape(tf.range(9), [9, 1]),), {"summarize": 1}, "[[0]\n ...\n [8]]\n"),
    ((tf.zeros([0]), tf.zeros([0, 2])), {}, "[] []\n"),
    ((T("b"), T(["c", "d"]), T('a\n"')), {}, '"b" ["c" "d"] "a\\n\\""\n'),
    (([1, T([2, 3])],), {}, "[1, [2 3]]\n"),
    (({"b": [1, {"c": T("s")}], "a": (2,)},), {}, "{'a': (2,), 'b': [1, {'c': \"s\"}]}\n"),
    ((P(1, T(2)), {"z": 1, "a": 2}), {}, "P(a=1, b=2) {'a': 2, 'z': 1}\n"),
    ((["a", T("b")], ("x",), [True, None, 1.5]), {}, "['a', \"b\"] ('x',) [True, None, 1.5]\n"),
    ((collections.OrderedDict(b=T(1), a=2),), {}, f"{collections.OrderedDict(b=1, a=2)}\n"),
    (({}, "{} %s", T(1)), {}, "{} {} %s 1\n"),
    ((tf.Variable([1.0, 2.0]), range(3)), {}, "[1 2] [0, 1, 2]\n"),
    (("a", "b"), {"sep": ",", "end": "!\n"}, "a,b!\n"),
]


@pytest.mark.parametrize(("inputs", "options", "expected"), PRINTED)
def test_the_text_is_tensorflows(
    inputs: Any, options: Any, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tf.print(*inputs, output_stream=sys.stdout, **options)

    assert expected == capsys.readouterr().out


def test_standard_error_is_where_it_goes_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    tf.print(T(1))

    assert capsys.readouterr().err == "1\n"


def test_a_traced_print_happens_at_every_call_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def f(x: Any) -> Any:
        tf.print("x is", x, output_stream=sys.stdout)
        y = x + 1
        tf.print([y, {"k": x}], output_stream=sys.stdout)
        return y

    f(T([1, 2]))
    f(T([3, 4]))

    first, second = "x is [1 2]\n[[2 3], {'k': [1 2]}]\n", "x is [3 4]\n[[4 5], {'k': [3 4]}]\n"
    assert first + second == capsys.readouterr().out


def test_a_trace_gets_the_operation(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def f(x):
        with tf.control_dependencies([tf.print(x, output_stream=sys.stdout)]):
            return tf.identity(x)

    assert T(1) == f(T(1))
    assert f.get_concrete_function(T(1)).graph.get_operation_by_name("PrintV2").type == "PrintV2"
    assert capsys.readouterr().out == "1\n"


def test_a_file_is_appended_to(tmp_path: Path) -> None:
    for number in (1, 2):
        tf.print("line", T(number), output_stream=f"file://{tmp_path}/log")

    assert (tmp_path / "log").read_text() == "line 1\nline 2\n"


def test_a_level_goes_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(30, logger="tensorflow"):
        tf.print("careful", T(1), output_stream=30)

    assert caplog.messages == ["careful 1"]


def test_levels_of_absl_are_levels(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(20, logger="tensorflow"):
        for level in (0, -1, -2):  # what absl.logging calls INFO, WARNING and ERROR
            tf.print(level, output_stream=level)

    assert [(20, "0"), (30, "-1"), (40, "-2")] == [
        (record.levelno, record.message) for record in caplog.records
    ]


@pytest.mark.parametrize(
    ("options", "words"),
    [({"output_stream": 3}, "Unsupported output stream"), ({"foo": 2}, "Unrecognized keyword")],
)
def test_wrong_options_are_refused(options: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        tf.print(1, **options)


def test_what_is_formatted_is_a_tensor_or_a_list() -> None:
    with pytest.raises(TypeError, match="got 1: give a list"):
        tf.strings.format("{}{}", 1)


def test_longer_characters_are_not_escaped_in_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    tf.print(T("é€"), T("\t\x01"), output_stream=sys.stdout)

    assert capsys.readouterr().out == '"é€" "\\t\\001"\n'


def test_three_entries_at_either_end_are_formatted_where_nothing_is_said() -> None:
    assert tf.strings.format("{}", tf.range(10)).numpy() == b"[0 1 2 ... 7 8 9]"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_many_floats_are_written_like_single_ones(dtype: Any) -> None:
    random = np.random.default_rng(0)
    word = np.uint32 if dtype is np.float32 else np.uint64
    numbers = random.integers(0, np.iinfo(word).max, 3000, word).view(dtype)
    few_digits = np.round(random.normal(0, 100, 500), 3).astype(dtype)
    every = np.concatenate(
        [numbers, few_digits, [np.nan, np.inf, -np.inf, -0.0, 1e38]], dtype=dtype
    )

    assert [element_text(one, False) for one in every] == element_texts(every, False)


def text_of(array: Any, rank: int, summarize: int) -> str:
    """The slow twin of `array_text`."""
    if array.ndim == 0:
        return element_text(array[()], True)
    depth = rank - array.ndim
    separator = " " if array.ndim == 1 else "\n" * (array.ndim - 1) + " " * (depth + 1)
    places = shown(len(array), summarize)
    if len(array) and not places:
        return "[" + "\n" * (array.ndim - 1) + " ...]"
    rows = [text_of(array[k, ...], rank, summarize) for k in places]
    if len(rows) < len(array):
        rows.insert(summarize, "...")
    return f"[{separator.join(rows)}]"


@pytest.mark.parametrize("shape", [(0,), (7,), (8, 9), (3, 1, 8), (0, 3), (9, 2, 8), (4, 3, 2, 9)])
@pytest.mark.parametrize("summarize", [-1, 0, 1, 3])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int64", "bool", "complex64", "object"])
def test_axes_are_written_like_rows_one_by_one(
    shape: tuple[int, ...], summarize: int, dtype: str
) -> None:
    numbers = np.random.default_rng(0).normal(0, 9, shape)
    array = np.array(numbers.astype("S9" if dtype == "object" else dtype), dtype)

    assert text_of(array, array.ndim, summarize) == array_text(array, summarize)
