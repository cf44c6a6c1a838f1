"""Python's builtins and statements on tensors: statements B36 to B46."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from tests.behaviours.library import behaviour, differs, tf

Feature = tf.autograph.experimental.Feature
NotAllowed = tf.errors.OperatorNotAllowedInGraphError
VECTOR = tf.TensorSpec([None], tf.int32)


def run(function: Any, *values: Any, **options: Any) -> Any:
    """What a `tf.function` returns for tensors of these values, as Python values."""
    return plain(tf.function(function, **options)(*map(tf.constant, values)))


def of_any_length(function: Any, value: Any) -> Any:
    return run(function, value, input_signature=[VECTOR])


def plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value))
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    value = value.numpy() if hasattr(value, "numpy") else value
    return value.tolist() if hasattr(value, "tolist") else value


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


@behaviour("B38")
@differs
@pytest.mark.parametrize("name", STAGED_BUILTINS)
def test_builtins_that_ask_every_item_take_tensors(name: str):
    function, value, expected = STAGED_BUILTINS[name]

    assert of_any_length(function, value) == expected


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
@pytest.mark.parametrize("function", [list, tuple, set, lambda x: list(map(abs, x))], ids=str)
def test_items_whose_number_is_not_known_are_refused(function: Any):
    with pytest.raises(NotAllowed, match=r"Iterating over a symbolic `tf\.Tensor` is not allowed"):
        of_any_length(lambda x: function(x), [1, 2])


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
    flags = tf.data.Dataset.range(5).map(lambda v: v > 3)

    assert run(lambda: (any(flags), all(flags))) == (True, False)


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


def double(x: Any) -> Any:
    return tf.add(x, x, name="twice")


@behaviour("B41")
@pytest.mark.parametrize("feature", [Feature.NAME_SCOPES, Feature.ALL])
def test_functions_are_name_scopes_where_asked_for(feature: Any):
    f = tf.function(lambda x: double(x), experimental_autograph_options=feature)

    operations = f.get_concrete_function(tf.constant(1)).graph.get_operations()

    assert any(operation.name.endswith("double/twice") for operation in operations)


@behaviour("B41")
@differs
def test_options_that_are_no_features_are_refused_by_name():
    with pytest.raises(TypeError, match=r"autograph\.experimental\.Feature"):
        run(lambda x: x, 1, experimental_autograph_options="ALL")


# --- comprehensions ---


@behaviour("B42")
def test_comprehensions_over_python_containers_work():
    assert run(lambda a, b: [v * 2 for v in [a, b]], 1, 2) == [2, 4]
    assert run(lambda a: {k: v * 2 for k, v in {"x": a}.items()}, 1) == {"x": 2}
    assert run(lambda a, b: sum(v * 2 for v in (a, b)), 1, 2) == 6


@behaviour("B42")
def test_conditional_expressions_in_comprehensions_are_staged():
    assert run(lambda a, b: [v if v > 1 else 0 for v in [a, b]], 1, 2) == [0, 2]


@behaviour("B42")
def test_an_if_of_a_comprehension_over_python_items_cannot_be_a_tensor():
    with pytest.raises(NotAllowed, match="as a Python `bool` is not allowed"):
        run(lambda a, b: [v for v in [a, b] if v > 1], 1, 2)


@behaviour("B42")
@differs
def test_comprehensions_over_rows_whose_number_is_known_are_pythons():
    assert run(lambda x: [v * 2 for v in x], [3, 1, 2]) == [6, 2, 4]
    assert run(lambda x: [v for i, v in enumerate(x) if i > 0], [3, 1, 2]) == [1, 2]


@behaviour("B42")
@differs
def test_comprehensions_over_other_rows_are_stacked():
    assert of_any_length(lambda x: [v * 2 for v in x], [3, 1, 2]) == [6, 2, 4]
    assert of_any_length(lambda x: [v * 2 for v in x if v > 1], [3, 1, 2]) == [6, 4]
    assert of_any_length(lambda x: sum(v * v for v in x if v < 3 if v > 0), [3, 1, 2]) == 5
    assert run(lambda n: [i * i for i in range(n)], 4) == [0, 1, 4, 9]


# --- statements ---


@contextlib.contextmanager
def noted(log: list[str]) -> Any:
    log.append("in")
    yield 5
    log.append("out")


@behaviour("B43", "B47")
def test_with_blocks_work():
    log: list[str] = []

    def f(x):
        with tf.name_scope("scope"), noted(log) as five:
            if x > 0:
                x = x + five
            else:
                x = x - five
        return x

    assert run(f, 1) == 6
    assert log[:2] == ["in", "out"]


def in_with(x: Any) -> Any:
    with tf.name_scope("scope"):
        if x > 0:
            return x
    return -x


def in_try(x: Any) -> Any:
    try:
        if x > 0:
            return x
    finally:
        pass
    return -x


@behaviour("B43")
@differs
@pytest.mark.parametrize("function", [in_with, in_try])
def test_a_return_that_a_tensor_decides_may_stand_in_with_and_try(function: Any):
    assert (run(function, 3), run(function, -4)) == (3, 4)


@behaviour("B43")
def test_a_return_at_the_end_of_try_works():
    log = []

    def f(x):
        try:
            return x * 2
        finally:
            log.append("finally")

    assert run(f, 3) == 6
    assert "finally" in log


@behaviour("B43")
def test_exceptions_of_python_are_caught_while_tracing():
    def f(x):
        try:
            x = {}["key"]
        except KeyError:
            x = x + 1
        else:
            x = x + 10
        finally:
            x = x * 2
        return x

    assert run(f, 3) == 8


@behaviour("B44")
@differs
def test_a_walrus_binds():
    def f(x):
        if (y := x * 2) > 3:
            return y
        while (z := x + 1) < 5:
            x = z
        return -z

    assert (run(f, 3), run(f, 1)) == (6, -5)


@behaviour("B44")
@differs
def test_a_walrus_binds_in_a_lambda():
    assert [run(lambda x: y if (y := x * 2) > 3 else -y, one) for one in (3, 1)] == [6, -2]


def matched(x: Any, shape: Any) -> Any:
    match shape:
        case "same":
            if x > 0:
                return x
            return -x
        case {"plus": y}:
            return x + y
        case [first, *_] if first > 1:
            return x * first
        case _:
            return x * 0


@behaviour("B44")
@differs
def test_match_on_python_values_is_pythons_and_its_cases_are_converted():
    shapes = ("same", {"plus": 4}, [2, 3], [1])

    assert [run(lambda x, s=shape: matched(x, s), -3) for shape in shapes] == [3, 1, -6, 0]


@behaviour("B44")
def test_generators_run_as_written():
    def numbers(x):
        yield x
        yield x + 1

    def f(x):
        total = 0
        for v in numbers(x):
            total = total + v
        return total

    def branches(x):
        if x > 0:
            yield x

    assert run(f, 3) == 7
    with pytest.raises(NotAllowed, match="as a Python `bool` is not allowed"):
        run(lambda x: list(branches(x)), 3)


@behaviour("B44")
def test_coroutines_run_as_written():
    async def waits(x):
        return x * 2

    async def branches(x):
        return x if x > 0 else -x

    def awaited(coroutine):
        try:
            coroutine.send(None)
        except StopIteration as finished:
            return finished.value

    assert run(lambda x: awaited(waits(x)), 3) == 6
    with pytest.raises(NotAllowed, match="as a Python `bool` is not allowed"):
        run(lambda x: awaited(branches(x)), 3)


@behaviour("B44")
def test_a_generator_is_no_result():
    def f(x):
        yield x

    with pytest.raises(TypeError, match="must return zero or more Tensors"):
        run(f, 3)


OFFSET = 5


@behaviour("B45")
def test_eval_globals_and_locals_work():
    def f(x):
        y = 1
        seen.append(locals())
        return eval("x + y") + globals()["OFFSET"]

    seen: list[Any] = []
    assert run(f, 3) == 9
    assert set(seen[0]) >= {"x", "y"}
    assert seen[0]["y"] == 1


@behaviour("B45")
def test_f_strings_show_what_there_is_while_tracing():
    assert run(lambda x: f"{x.shape} {x.dtype.name}", [1, 2]) == b"(2,) int32"


@behaviour("B46")
def test_tensors_are_not_changed_and_index_no_lists():
    def assigned(x):
        x[0] = 5
        return x

    with pytest.raises(TypeError, match="does not support item assignment"):
        run(assigned, [1, 2])
    with pytest.raises(TypeError, match="list indices must be integers or slices"):
        run(lambda i: [1, 2, 3][i], 1)


@behaviour("B46")
def test_augmented_assignments_work():
    def f(x):
        x += 1
        x -= 2
        x *= 9
        x //= 2
        x **= 2
        x %= 50
        y = tf.cast(x, tf.float32)
        y /= 2
        return x, y

    assert run(f, 3) == (31, 15.5)


@behaviour("B46")
def test_lists_unpack_and_tensors_do_not():
    def starred(a, b):
        first, *rest = [a, b, a]
        return first, rest

    def unpacked(x):
        a, b = x
        return a + b

    assert run(starred, 1, 2) == (1, [2, 1])
    with pytest.raises(NotAllowed, match=r"Iterating over a symbolic `tf\.Tensor` is not allowed"):
        run(unpacked, [1, 2])
