"""Python's builtins on tensors: statements B36 to B41."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.running import of_any_length, run

Feature = tf.autograph.experimental.Feature
NotAllowed = tf.errors.OperatorNotAllowedInGraphError


# --- builtins ---


@behaviour("B36")
def test_the_length_of_a_tensor_is_an_int_where_it_is_known():
    found = []

    @tf.function
    def f(x):
        found.append(len(x))
        return len(x)

    assert f(tf.constant([[1, 2], [3, 4], [5, 6]])).numpy() == 3
    assert found == [3]
    assert of_any_length(lambda x: len(x) + 1, [5, 6]) == 3


@behaviour("B36")
def test_the_length_of_a_dataset_is_an_int64():
    length = tf.function(lambda: len(tf.data.Dataset.range(5)))()

    assert (length.dtype, length.numpy()) == (tf.int64, 5)


@behaviour("B36")
def test_the_length_of_an_endless_dataset_is_an_error():
    endless = tf.function(lambda: len(tf.data.Dataset.range(5).repeat()))

    with pytest.raises(tf.errors.InvalidArgumentError, match="cardinality, got"):
        endless()


@behaviour("B36", "B27")
def test_a_scalar_has_no_length():
    with pytest.raises(ValueError, match="len requires a non-scalar tensor"):
        run(lambda x: len(x), 1)


@behaviour("B37")
def test_int_and_float_cast():
    whole, real = tf.function(lambda x: (int(x), float(int(x))))(tf.constant(2.7))

    assert (whole.dtype, whole.numpy()) == (tf.int32, 2)
    assert (real.dtype, real.numpy()) == (tf.float32, 2.0)


@behaviour("B37")
def test_int_and_float_read_strings():
    assert run(lambda s: (int(s), float(s)), "42") == (42, 42.0)


@behaviour("B37")
def test_abs_and_range_take_tensors():
    assert run(lambda x: abs(x), [-1, 2]) == [1, 2]
    assert run(lambda n: range(n), 3) == [0, 1, 2]
    assert run(lambda n: range(1, n, 2), 6) == [1, 3, 5]


@behaviour("B37")
def test_vectors_are_sorted():
    assert run(lambda x: sorted(x), [3, 1, 2]) == [1, 2, 3]
    assert run(lambda x: sorted(x, reverse=True), [3, 1, 2]) == [3, 2, 1]
    assert run(lambda x: sorted(x, key=lambda v: -v), [3, 1, 2]) == [3, 2, 1]


@behaviour("B37")
def test_only_vectors_are_sorted():
    with pytest.raises(ValueError, match=r"only 1D|1D tensors only"):
        run(lambda x: sorted(x), [[1, 2], [3, 4]])


STAGED_BUILTINS = {
    "min": (lambda x: min(x), [3, 1, 2], 1),
    "max": (lambda x: max(x), [3, 1, 2], 3),
    "any": (lambda x: any(x > 2), [3, 1, 2], True),
    "all": (lambda x: all(x > 2), [3, 1, 2], False),
    "sum": (lambda x: sum(x), [3, 1, 2], 6),
    "sum with a start": (lambda x: sum(x, 10), [3, 1, 2], 16),
    "bool": (lambda x: bool(x[0]), [3, 1, 2], True),
    "divmod": (lambda x: divmod(x, 2), [3, 1, 2], ([1, 0, 1], [1, 1, 0])),
    "round": (lambda x: round(x / 2), [3, 1, 4], [2.0, 0.0, 2.0]),
    "min of two": (lambda x: min(x[0], x[1]), [3, 1, 2], 1),
    "max of two": (lambda x: max(x[0], 2, x[1]), [3, 1, 2], 3),
    "min with a key": (lambda x: min(x, key=lambda v: -v), [3, 1, 2], 3),
    "max with a default": (lambda x: max(x[:0], default=7), [3, 1, 2], 7),
    "filter": (lambda x: sum(filter(lambda v: v > 1, x)), [3, 1, 2], 5),
    "in": (lambda x: (2 in x, 5 not in x, x[0] in (1, 2)), [3, 1, 2], (True, True, False)),
}


@pytest.mark.sampled
@behaviour("B38")
@differs
@pytest.mark.parametrize("name", STAGED_BUILTINS)
def test_builtins_that_ask_every_item_take_tensors(name: str):
    function, value, expected = STAGED_BUILTINS[name]

    assert of_any_length(function, value) == expected


@behaviour("B38")
@differs
def test_the_truth_of_a_tensor_is_that_of_its_only_element():
    assert of_any_length(lambda x: bool(x[:1]), [3, 1, 2]) is True
    assert run(lambda x: bool(x), [[0.0]]) is False
    with pytest.raises(ValueError, match="wants one element"):
        run(lambda x: bool(x), [3, 1, 2])
    with pytest.raises(tf.errors.InvalidArgumentError):
        of_any_length(lambda x: bool(x), [3, 1, 2])


def indexed(x: Any) -> Any:
    total = 0
    for i, v in enumerate(x):
        total = total + i * v
    return total


def paired(x: Any) -> Any:
    total = 0
    for v, w in zip(x, reversed(x), strict=True):
        total = total + v * w
    return total


def mapped(x: Any) -> Any:
    total = 0
    for v in map(lambda v: v * 10, x):
        total = total + v
    return total


@behaviour("B38")
@differs
@pytest.mark.parametrize(("function", "expected"), [(indexed, 5), (paired, 13), (mapped, 60)])
def test_enumerate_zip_reversed_and_map_are_loops_over_rows(function: Any, expected: int):
    assert of_any_length(function, [3, 1, 2]) == expected


@behaviour("B38")
@differs
def test_zip_may_demand_equal_lengths():
    def f(x):
        for v, w in zip(x, [1, 2], strict=True):
            x = x + v * w
        return x

    with pytest.raises(ValueError, match=r"zip\(\) argument 2"):
        run(f, [3, 1, 2])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"zip\(\) argument 2"):
        of_any_length(f, [3, 1, 2])


ITEMS_IN_PYTHON = {
    "list": (lambda x: list(x), [3, 1, 2]),
    "tuple": (lambda x: tuple(x), (3, 1, 2)),
    "reversed": (lambda x: list(reversed(x)), [2, 1, 3]),
    "map": (lambda x: list(map(lambda v: v + 1, x)), [4, 2, 3]),
    "iter": (lambda x: next(iter(x)), 3),
    "zip": (lambda x: list(zip(x, x, strict=True)), [(3, 3), (1, 1), (2, 2)]),
}


@behaviour("B38")
@differs
@pytest.mark.parametrize("name", ITEMS_IN_PYTHON)
def test_as_many_items_as_are_known_may_be_pythons(name: str):
    function, expected = ITEMS_IN_PYTHON[name]

    assert run(function, [3, 1, 2]) == expected


@behaviour("B38")
@pytest.mark.parametrize("function", [tuple, set, lambda x: tuple(map(abs, x))])
def test_items_whose_number_is_not_known_are_refused(function: Any):
    with pytest.raises(NotAllowed, match=r"Iterating over a symbolic `tf\.Tensor` is not allowed"):
        of_any_length(lambda x: function(x), [1, 2])


@behaviour("B38")
@differs
@pytest.mark.parametrize("function", [list, lambda x: list(map(abs, x)), lambda x: [*x]])
def test_items_whose_number_is_not_known_make_a_list_that_grows(function: Any):
    assert of_any_length(lambda x: function(x), [1, 2]) == [1, 2]


@behaviour("B38")
def test_builtins_over_python_lists_of_tensors_work():
    assert run(lambda a, b: sum([a, b]), 1, 2) == 3
    assert run(lambda a, b: list(map(lambda v: v + 1, [a, b])), 1, 2) == [2, 3]


@behaviour("B38")
@differs
def test_any_all_min_and_max_ask_the_tensors_of_a_list():
    assert run(lambda a, b: (any([a > 1, b > 1]), all([a > 1, b > 1])), 1, 2) == (True, False)
    assert run(lambda a, b: (min([a, b]), max(v * 2 for v in (a, b, 1))), 1, 2) == (1, 4)
    assert run(lambda a: (any([a > 9, True]), all([])), 1) == (True, True)


def total_of(items: Any) -> Any:
    total = tf.constant(0, tf.int64)
    for item in items:
        total += item
    return total


@behaviour("B38")
def test_map_and_filter_take_datasets():
    numbers = tf.data.Dataset.range(5)

    assert run(lambda: total_of(map(lambda v: v + 1, numbers))) == 15
    assert run(lambda: total_of(filter(lambda v: v > 2, numbers))) == 7
    assert run(lambda: next(iter(map(lambda v: v + 1, numbers)))) == 1


@behaviour("B38")
def test_any_and_all_take_datasets():
    none, some, every = (
        tf.data.Dataset.range(5).map(lambda v, least=least: v > least) for least in (9, 3, -1)
    )

    assert run(lambda: (any(none), all(none))) == (False, False)
    assert run(lambda: (any(some), all(some))) == (True, False)
    assert run(lambda: (any(every), all(every))) == (True, True)


@behaviour("B38")
def test_next_takes_an_iterator_over_a_dataset():
    assert run(lambda: next(iter(tf.data.Dataset.range(3, 5)))) == 3


def two_of_one() -> Any:
    iterator = iter(tf.data.Dataset.range(3, 4))
    default = tf.constant(9, tf.int64)
    return next(iterator, default), next(iterator, default)


@behaviour("B38")
@differs
def test_the_default_of_next_stands_for_what_is_not_there():
    assert run(two_of_one) == (3, 9)


# --- print, assert ---


@behaviour("B39")
def test_print_prints_while_the_function_is_traced(capsys: pytest.CaptureFixture[str]):
    f = tf.function(lambda x: print("x is", x))

    f(tf.constant(3))
    f(tf.constant(4))

    assert capsys.readouterr().out == 'x is Tensor("x:0", shape=(), dtype=int32)\n'


@behaviour("B39")
@pytest.mark.parametrize("features", [Feature.BUILTIN_FUNCTIONS, Feature.ALL, (Feature.ALL,)])
def test_print_is_part_of_the_graph_where_asked_for(
    features: Any, capfd: pytest.CaptureFixture[str]
):
    f = tf.function(lambda x: print("x is", x), experimental_autograph_options=features)

    f(tf.constant(3))
    f(tf.constant(4))

    printed = capfd.readouterr()
    assert (printed.out + printed.err).count("x is") == 2


def positive(x: Any) -> Any:
    assert x > 0, "must be positive"
    return x


@behaviour("B40")
@differs
def test_an_assertion_on_a_tensor_is_checked_when_the_graph_runs():
    f = tf.function(positive)

    assert f(tf.constant(1)).numpy() == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be positive"):
        f(tf.constant(-1))


@behaviour("B40")
@pytest.mark.parametrize("feature", [Feature.ASSERT_STATEMENTS, Feature.ALL])
def test_an_assertion_that_the_graph_checks_carries_its_message(feature: Any):
    f = tf.function(positive, experimental_autograph_options=feature)

    assert f(tf.constant(1)).numpy() == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be positive"):
        f(tf.constant(-1))


@behaviour("B40")
@pytest.mark.parametrize("options", [None, Feature.ALL])
def test_an_assertion_on_a_python_value_is_pythons(options: Any):
    def f(x):
        assert x.shape == (), "a scalar, please"
        return x

    assert run(f, 1, experimental_autograph_options=options) == 1
    with pytest.raises(AssertionError, match="a scalar, please"):
        run(f, [1], experimental_autograph_options=options)


@behaviour("B41")
def test_these_are_the_features():
    assert {feature.name for feature in Feature} == {
        "ALL",
        "AUTO_CONTROL_DEPS",
        "ASSERT_STATEMENTS",
        "BUILTIN_FUNCTIONS",
        "EQUALITY_OPERATORS",
        "LISTS",
        "NAME_SCOPES",
    }
    assert Feature.LISTS not in Feature.all_but([Feature.LISTS])
    assert set(Feature.all_but(Feature.LISTS)) == set(Feature) - {Feature.ALL, Feature.LISTS}


def double(x: Any) -> Any:
    return tf.add(x, x, name="twice")


@behaviour("B41")
@pytest.mark.parametrize("feature", [Feature.NAME_SCOPES, Feature.ALL])
def test_functions_are_name_scopes_where_asked_for(feature: Any):
    f = tf.function(lambda x: double(x), experimental_autograph_options=feature)

    operations = f.get_concrete_function(tf.constant(1)).graph.get_operations()

    assert any(operation.name.endswith("double/twice") for operation in operations)


def _double(x: Any) -> Any:
    return tf.add(x, x, name="sum")


@behaviour("B41")
def test_name_scopes_of_functions_without_a_public_name_begin_with_letters():
    private = tf.function(_double, experimental_autograph_options=Feature.NAME_SCOPES)
    nameless = tf.function(lambda x: _double(x), experimental_autograph_options=Feature.ALL)

    for f, name in ((private, "fn_double/sum"), (nameless, "lambda_/fn_double/sum")):
        operations = f.get_concrete_function(tf.constant(1)).graph.get_operations()
        assert name in [operation.name for operation in operations]


@behaviour("B41")
@differs
def test_options_that_are_no_features_are_refused_by_name():
    with pytest.raises(TypeError, match=r"autograph\.experimental\.Feature"):
        run(lambda x: x, 1, experimental_autograph_options="ALL")
