"""Which callables are converted, and which are called as they are."""

from __future__ import annotations

import contextlib
import functools
import operator
import sys
from types import FunctionType, MethodType
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import errors
from tensormill.autograph.api import convert_function, converted_call, do_not_convert
from tensormill.autograph.conversion import is_converted
from tensormill.autograph.options import ConversionOptions, Feature
from tensormill.autograph.runtime.namespace import runtime_for
from tests.autograph.programs import elsewhere
from tests.autograph.staging import staged

converted = runtime_for(ConversionOptions()).converted


def test_a_function_of_the_user_is_converted() -> None:
    assert is_converted(converted(elsewhere.plain).__code__)


def test_a_converted_function_is_not_converted_again() -> None:
    once = converted(elsewhere.plain)

    assert converted(once) is once


def test_a_method_stays_bound() -> None:
    scale = elsewhere.Scale()
    method = converted(scale.method)

    assert isinstance(method, MethodType)
    assert method.__self__ is scale
    assert method(5) == 10


def test_partials_and_callable_objects_are_converted_inside() -> None:
    partial = converted(functools.partial(elsewhere.plain, 3))
    instance = converted(elsewhere.Scale(1))

    assert (partial(), instance(2)) == (6, 7)
    assert is_converted(partial.func.__code__)
    assert is_converted(instance.__func__.__code__)


@pytest.mark.parametrize(
    "function",
    [
        np.add,
        np.mean,
        tf.add,
        functools.reduce,
        operator.add,
        contextlib.contextmanager,
        elsewhere.cached,
        elsewhere.Scale,
        [].append,
        print,
        isinstance,
        tf.function(elsewhere.plain),
        tf.Variable,
        do_not_convert(elsewhere.plain),
    ],
)
def test_these_are_called_as_they_are(function: Any) -> None:
    assert converted(function) is function


def test_a_librarys_function_is_converted_only_where_itself_is_asked_for() -> None:
    names = vars(elsewhere) | {"__name__": "keras.losses"}
    librarys = FunctionType(elsewhere.plain.__code__, names)
    method = MethodType(FunctionType(elsewhere.Scale.method.__code__, names), elsewhere.Scale())
    three = tf.constant(3)

    assert librarys is converted(librarys)
    for asked in (librarys, functools.partial(librarys), method):
        assert 6 == tf.function(asked)(three)
    assert 6 == tf.function(tf.autograph.to_graph(librarys), autograph=False)(three)
    for calls in (lambda: tf.function(lambda x: librarys(x))(three), lambda: mapped(librarys)):
        with pytest.raises(errors.OperatorNotAllowedInGraphError):
            calls()


def mapped(function: Any) -> Any:
    return tf.data.Dataset.from_tensors(3).map(function)


def test_generators_run_as_written() -> None:
    def numbers(n):
        yield from range(n)

    assert converted(numbers) is numbers


def test_a_users_module_may_have_the_name_of_a_standard_one() -> None:
    scope: dict[str, Any] = {"__name__": "queue"}
    exec("def f(x): return x", scope)

    assert converted(scope["f"]) is not scope["f"]  # tried, and explained: it has no source


def test_called_functions_are_converted_too() -> None:
    def f(x):
        scale = elsewhere.Scale(1)
        return [
            elsewhere.plain(x),
            elsewhere.decorated(x),
            functools.partial(elsewhere.plain, x)(),
            scale(x),
            scale.method(x),
            elsewhere.Child()(x),
            elsewhere.Scale.static(x),
            elsewhere.Scale.of_class(x),
            elsewhere.cached(3),
            list(map(elsewhere.plain, [x, x + 1])),
            sorted([2, 1], key=lambda v: elsewhere.plain(v)),
        ]

    expected = [4, 4, 4, 7, 4, 7, 4, 5, 3, 4, 6, 1, 2]
    assert expected == staged(f, 2)


def test_keys_to_sort_by_are_converted() -> None:
    total = tf.Variable(0)

    def key(number: int) -> int:
        if total >= 0:
            total.assign_add(number)
        return -number

    assert [3, 2, 1] == [int(one) for one in tf.function(lambda: sorted([1, 2, 3], key=key))()]
    assert 6 == total.numpy()


def test_functions_given_to_control_flow_are_converted() -> None:
    def f(x):
        return [
            tf.cond(x > 0, functools.partial(elsewhere.plain, x), lambda: x),
            tf.map_fn(elsewhere.plain, tf.stack([x, -x])),
            tf.while_loop(cond=lambda i: i < 9, body=elsewhere.plain, loop_vars=[x])[0],
        ]

    assert [4, [4, 2], 16] == staged(f, 2)


def test_functions_that_are_called_are_converted_unless_somebody_says_no() -> None:
    assert ConversionOptions() == ConversionOptions.of() == ConversionOptions.of([], True)
    assert ConversionOptions(recursive=False) == ConversionOptions.of(recursive=False)


def test_without_recursion_only_the_function_itself_is_converted() -> None:
    alone = runtime_for(ConversionOptions(recursive=False))

    assert alone.converted(elsewhere.plain) is elsewhere.plain
    assert is_converted(alone.entry(elsewhere.plain).__code__)
    assert alone.converted(len) is not len


def test_vectors_are_sorted() -> None:
    def f(xs):
        by_distance = sorted(xs, key=lambda v: abs(v - 3), reverse=True)
        return sorted(xs), sorted(xs, reverse=True), by_distance, sorted([2, 1])

    assert [[1, 2, 5], [5, 2, 1], [5, 1, 2], 1, 2] == staged(f, [5, 1, 2])


def test_print_becomes_a_graphs_print_where_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    def f(x):
        print("x is", x, sep=": ", file=sys.stdout, flush=True)
        return x

    options = Feature.BUILTIN_FUNCTIONS
    traced = tf.function(f, experimental_autograph_options=options)
    assert traced(tf.constant(3)).numpy() == 3
    assert capfd.readouterr().out == "x is: 3\n"
    assert runtime_for(ConversionOptions.of(Feature.ALL)).converted(print) is not print
    assert runtime_for(ConversionOptions.of([Feature.LISTS])).converted(print) is print


def test_a_wrapper_of_a_marked_function_is_converted() -> None:
    marked = do_not_convert()(elsewhere.plain)

    @functools.wraps(marked)
    def wrapper(x):
        return 1 if x > 0 else 2

    assert [1] == staged(wrapper, 1)


def test_a_function_without_source_says_so_where_it_matters() -> None:
    scope: dict[str, Any] = {}
    for name, value in (("fine", "x + 1"), ("branches", "1 if x > 0 else 2")):
        exec(f"def {name}(x): return {value}", scope)  # a text that nobody keeps

    assert [3] == staged(lambda x: scope["fine"](x), 2)
    with pytest.raises(errors.OperatorNotAllowedInGraphError) as caught:
        staged(scope["branches"], 1)
    assert "did not convert branches: the source of branches could not be read" in str(caught.value)


def test_what_cannot_be_converted_is_named_once(caplog: pytest.LogCaptureFixture) -> None:
    def f(x):
        try:
            return x
        finally:
            return x + 1  # noqa: B012

    for _ in range(2):
        assert [2] == staged(f, 1)

    (record,) = caplog.records
    assert record.name == "tensorflow"
    for text in ("could not transform", "will run it as-is", "Cause: line", "do_not_convert"):
        assert text in record.getMessage()


def test_converted_call_calls() -> None:
    assert converted_call(elsewhere.plain, (3,)) == 6
    assert converted_call(dict, (), {"a": 1}) == {"a": 1}


def test_wrong_features_are_refused() -> None:
    with pytest.raises(TypeError, match=r"tf\.autograph\.experimental\.Feature, got 'ALL'"):
        convert_function(elsewhere.plain, ["ALL"])  # type: ignore[list-item]


BUILTINS: dict[Any, Any] = {
    float: [3.0, 1.0, 2.0], int: [3, 1, 2], abs: [3, 1, 2], len: 3, sum: 6, max: 3, any: True,
}  # fmt: skip


@pytest.mark.parametrize("builtin", BUILTINS)
def test_a_builtin_that_is_all_there_is_takes_tensors_too(builtin: Any) -> None:
    assert tf.function(builtin)(tf.constant([3, 1, 2])).numpy().tolist() == BUILTINS[builtin]


def test_builtins_are_functions_of_elements() -> None:
    numbers = tf.data.Dataset.range(3)

    assert [0.0, 1.0, 2.0] == [float(x) for x in numbers.map(float)]
    assert [[], [0], [0, 1]] == [x.tolist() for x in numbers.map(range).as_numpy_iterator()]
    mapped = tf.function(lambda x: tf.map_fn(abs, x))(tf.constant([-1.0, 2.0]))
    assert [1.0, 2.0] == mapped.numpy().tolist()
