"""`if` on tensors: statements B1 to B10."""

from __future__ import annotations

# Some variables are unbound on purpose.
# ruff: noqa: E731, E741
# pyright: reportAttributeAccessIssue=false, reportPossiblyUnboundVariable=false, reportUndefinedVariable=false
import re
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.running import run

LEVEL: Any = 0


class Box:
    v: Any = None


# ---- B1: what is staged


@behaviour("B1")
def test_both_branches_run_once_while_tracing() -> None:
    calls = []

    @tf.function
    def f(x: Any) -> Any:
        if x > 10:
            calls.append("main")
            y = x + 1
        elif x > 0:
            calls.append("elif")
            y = x + 2
        else:
            calls.append("else")
            y = x + 3
        return y

    assert [f(tf.constant(n)).numpy() for n in (11, 5, -5)] == [12, 7, -2]
    assert calls == ["main", "elif", "else"]


@behaviour("B1")
@pytest.mark.parametrize(("flag", "expected"), [(True, ["main"]), (0, ["else"]), (None, ["else"])])
def test_python_conditions_run_as_python(flag: Any, expected: list[str]) -> None:
    calls = []

    @tf.function
    def f(x: Any) -> Any:
        if flag:
            calls.append("main")
        else:
            calls.append("else")
        return x

    f(tf.constant(1))
    assert calls == expected


# ---- B2, B3, B4: what comes out of both branches has to agree


@behaviour("B2")
@pytest.mark.parametrize("assigned", ["main", "else"])
def test_a_variable_of_one_branch_only_cannot_be_used_later(assigned: str) -> None:
    def in_main(x: Any) -> Any:
        if x > 0:
            y = x
        return y

    def in_else(x: Any) -> Any:
        if x > 0:
            pass
        else:
            y = x
        return y

    f, missing = (in_main, "else") if assigned == "main" else (in_else, "main")
    with pytest.raises(ValueError, match=f"'y' must also be initialized in the {missing} branch"):
        run(f, 1)


@behaviour("B2")
def test_a_variable_of_one_branch_only_may_stay_unused() -> None:
    def f(x: Any) -> Any:
        z = x
        if x > 0:
            y = x * 2
            z = y + 1
        return z

    assert [run(f, 1), run(f, -1)] == [3, -1]


@behaviour("B2")
def test_an_attribute_of_one_branch_only_cannot_be_used_later() -> None:
    def f(x: Any) -> Any:
        o = Box()
        if x > 0:
            o.q = x
        return o.q

    with pytest.raises(ValueError, match=r"'o\.q' must also be initialized in the else branch"):
        run(f, 1)


@behaviour("B3")
def test_none_and_a_value_do_not_go_together() -> None:
    def f(x: Any) -> Any:
        if x > 0:
            y = None
        else:
            y = x
        return y

    with pytest.raises(ValueError, match="'y' is None at the end of the main branch"):
        run(f, 1)


@behaviour("B4")
@pytest.mark.parametrize(
    ("main", "orelse", "one", "other"),
    [
        (1, 1.0, "int32", "float32"),
        (np.array(1, np.int64), np.array(1, np.int32), "int64", "int32"),
        (tf.constant(1), tf.constant(1.0), "int32", "float32"),
        (1, "a", "int32", "string"),
        (True, 1, "bool", "int32"),
    ],
)
def test_dtypes_have_to_agree(main: Any, orelse: Any, one: str, other: str) -> None:
    def f(x: Any) -> Any:
        if x > 0:
            y = main
        else:
            y = orelse
        return y

    words = f"'y' has dtype {one} in the main branch, but dtype {other} in the else branch"
    with pytest.raises(TypeError, match=words):
        run(f, 1)


@behaviour("B4")
def test_shapes_may_differ_and_the_static_one_is_what_is_common() -> None:
    shapes = []

    def f(x: Any) -> Any:
        if x > 0:
            y = tf.constant([1])
        else:
            y = tf.constant([1, 2])
        shapes.append(y.shape.as_list())
        return y

    assert [run(f, 1), run(f, -1)] == [[1], [1, 2]]
    assert shapes[0] == [None]


@behaviour("B4")
@pytest.mark.parametrize("other", [lambda x: [x, x], lambda x: {"a": x}, lambda x: (x, x)])
def test_structures_have_to_agree(other: Any) -> None:
    def f(x: Any) -> Any:
        if x > 0:
            y = (x,)
        else:
            y = other(x)
        return y

    with pytest.raises(
        TypeError, match="'y' must have the same nested structure in the main and else branches"
    ):
        run(f, 1)


# ---- B5: return


@behaviour("B5")
def test_a_return_in_one_branch_only_needs_another_one() -> None:
    def f(x: Any) -> Any:
        if x > 0:
            return x

    with pytest.raises(ValueError, match="the else branch must also have a return statement"):
        run(f, 1)


@behaviour("B5")
def test_a_return_may_leave_early() -> None:
    def f(x: Any) -> Any:
        if x > 0:
            return x * 2
        return -x

    assert [run(f, 3), run(f, -3)] == [6, 3]


@behaviour("B5")
def test_a_value_and_none_cannot_both_be_returned() -> None:
    def f(x: Any) -> Any:
        if x > 0:
            return x
        else:
            return None

    with pytest.raises(ValueError, match="is None at the end of the else branch"):
        run(f, 1)


@behaviour("B5")
@differs
@pytest.mark.parametrize(
    ("other", "error", "words"),
    [
        (lambda x: None, ValueError, "is None at the end of the else branch, and int32 () in"),
        (lambda x: [x, x], TypeError, "int32 () in the main branch, but [int32 (), int32 ()] in"),
        (lambda x: x > 1, TypeError, "has dtype int32 in the main branch, but dtype bool"),
    ],
)
def test_a_value_that_is_returned_is_called_so(other: Any, error: Any, words: str) -> None:
    def f(x: Any) -> Any:
        if x > 0:
            return x * 3
        return other(x)

    with pytest.raises(error, match="the value returned ") as caught:
        run(f, 1)
    text = str(caught.value)

    assert words in text
    assert "retval" not in text
    assert re.search(
        r"main branch: .*\.py:\d+  return x \* 3\n *else branch: .*  return other", text
    )


@behaviour("B5")
@differs
@pytest.mark.parametrize(
    ("value", "rewrite"),
    [
        (1, "return 0"),
        (1.5, "return 0.0"),
        ([1.5, 2.5], r"return tf.zeros\(\[2\]\)"),
        ("a", 'return ""'),
    ],
)
def test_a_missing_return_is_told_what_it_might_be(value: Any, rewrite: str) -> None:
    def f(x: Any) -> Any:
        if tf.size(x) > 0:
            return x

    with pytest.raises(ValueError, match=rf"the else branch must also .*`{rewrite}`"):
        run(f, value)


@behaviour("B5")
@differs
def test_the_message_shows_both_branches_with_their_lines() -> None:
    def f(x: Any) -> Any:
        y = None
        if x > 0:
            y = x * 3
        return y

    with pytest.raises(ValueError, match=r"main branch: .*\.py:\d+  y = x \* 3\n *else branch: "):
        run(f, 1)


# ---- B6: conditions


@behaviour("B6")
@pytest.mark.parametrize("condition", ["a", [True, False], [1, 0]])
def test_a_condition_is_a_scalar_and_no_string(condition: Any) -> None:
    def f(x: Any) -> Any:
        if x:
            return 1
        else:
            return 2

    words = (
        r"condition of if statement expected to be `tf\.bool` scalar, got .*Tensor(.|\n)*"
        "to check for None, use `is not None`"
    )
    with pytest.raises(ValueError, match=words) as caught:
        run(f, condition)
    if isinstance(condition, str):
        assert "to use as boolean Tensor, use `tf.cast`" in str(caught.value)


@behaviour("B6")
@pytest.mark.parametrize("shape", [[1], [1, 1], [None], [1, None]])
def test_a_condition_may_have_axes_of_size_one(shape: list[int | None]) -> None:
    @tf.function(input_signature=[tf.TensorSpec(shape, tf.bool)])
    def f(x: Any) -> Any:
        n = 1
        while x and tf.constant(True):
            n += 2
            x = tf.logical_not(x)
        return n * 2 if x else -n

    assert -3 == f(tf.constant([True], shape=[1] * len(shape)))
    with pytest.raises((ValueError, TypeError, tf.errors.InvalidArgumentError)):
        f(tf.constant([True, False], shape=[*[1] * (len(shape) - 1), 2]))


@behaviour("B6")
@differs
@pytest.mark.parametrize("condition", ["a", [True, False], [1, 0]])
def test_a_condition_of_an_expression_is_checked_while_tracing_too(condition: Any) -> None:
    with pytest.raises(ValueError, match=r"condition of if expression expected to be `tf\.bool`"):
        run(lambda x: 1 if x else 2, condition)


@behaviour("B6")
@differs
@pytest.mark.parametrize("number", [0, 3, -0.5, 0.0, 1j])
def test_a_number_decides_as_it_does_in_python(number: Any) -> None:
    def f(x: Any) -> Any:
        if x:
            return 1, not x
        return 2, not x

    assert run(f, number) == (1 if number else 2, not number)
    assert run(lambda x: 1 if x else 2, number) == (1 if number else 2)


# ---- B7: what may be a result


@behaviour("B7")
def test_variables_that_are_chosen_become_tensors() -> None:
    v, w = tf.Variable(1), tf.Variable(2)
    found = []

    def f(x: Any) -> Any:
        if x > 0:
            y = v
        else:
            y = w
        found.append(isinstance(y, tf.Variable))
        return y + 0

    assert [run(f, 1), run(f, -1)] == [1, 2]
    assert found[0] is False


@behaviour("B7")
@pytest.mark.parametrize("values", [("a", "b"), (1, 2), (1.5, 2.5)])
def test_texts_and_numbers_become_tensors(values: Any) -> None:
    first, second = values
    found = []

    def f(x: Any) -> Any:
        if x > 0:
            y = first
        else:
            y = second
        found.append(tf.is_tensor(y))
        return y

    expected = [one.encode() if isinstance(one, str) else one for one in values]
    assert [run(f, 1), run(f, -1)] == expected
    assert found[0]


@behaviour("B7")
@pytest.mark.parametrize("pair", [(object(), object()), (abs, len), (lambda: 1, lambda: 2)])
def test_objects_cannot_be_chosen(pair: Any) -> None:
    first, second = pair

    def f(x: Any) -> Any:
        if x > 0:
            y = first
        else:
            y = second
        return [y, x][1]

    with pytest.raises(TypeError, match=r"(?s)zero or more Tensors or ExtensionTypes or None"):
        run(f, 1)


@behaviour("B7")
def test_objects_that_nobody_uses_later_may_differ() -> None:
    def f(x: Any) -> Any:
        if x > 0:
            g = lambda n: n + 1
            x = g(x)
        else:
            g = lambda n: n - 1
            x = g(x)
        return x

    assert [run(f, 1), run(f, -1)] == [2, -2]


# ---- B8: raise


@behaviour("B8")
@differs
def test_a_raise_under_a_condition_fails_where_the_condition_holds() -> None:
    @tf.function
    def f(x: Any) -> Any:
        if x > 0:
            raise KeyError("too large")
        return x

    assert f(tf.constant(-1)).numpy() == -1
    with pytest.raises(KeyError, match="too large"):
        f(tf.constant(1))


@behaviour("B8")
@differs
def test_a_branch_that_raises_needs_no_values() -> None:
    @tf.function
    def f(x: Any) -> Any:
        if x > 0:
            y, name = x * 2, "positive"
        else:
            raise ValueError("not positive")
        return y, name

    assert [one.numpy() for one in f(tf.constant(2))] == [4, b"positive"]
    with pytest.raises(ValueError, match="not positive"):
        f(tf.constant(0))


# ---- B9: state in objects, containers


@behaviour("B9")
def test_attributes_items_and_list_places_are_state() -> None:
    def f(x: Any) -> Any:
        o, d, l = Box(), {"a": x}, [x]
        o.v = x
        if x > 0:
            o.v = x + 1
            d["a"] = x + 2
            l[0] = x + 3
        return o.v, d["a"], l[0]

    assert [run(f, 1), run(f, -1)] == [(2, 3, 4), (-1, -1, -1)]


@behaviour("B9")
@differs
def test_no_symbolic_tensor_stays_in_an_object_after_tracing() -> None:
    o, d, l = Box(), {"a": 1}, [1, 2]
    o.v = 5

    @tf.function
    def f(x: Any) -> Any:
        if x > 0:
            o.v = x + 1
            d["a"] = x
            l[0] = x
        return o.v + d["a"] + l[0]

    assert [f(tf.constant(1)).numpy(), f(tf.constant(-1)).numpy()] == [4, 7]
    assert (o.v, d, l) == (5, {"a": 1}, [1, 2])


@behaviour("B9")
@differs
def test_a_global_keeps_no_symbolic_tensor_either() -> None:
    @tf.function
    def f(x: Any) -> Any:
        global LEVEL
        if x > 0:
            LEVEL = x + 1
        return LEVEL + 0 * x

    assert [f(tf.constant(1)).numpy(), f(tf.constant(-1)).numpy()] == [2, 0]
    assert LEVEL == 0


@behaviour("B9")
@differs
def test_a_list_grows_where_the_condition_holds() -> None:
    @tf.function
    def f(x: Any) -> Any:
        l = [x]
        if x > 0:
            l.append(x * 10)
        return tf.stack(l), len(l)

    assert f(tf.constant(2))[0].numpy().tolist() == [2, 20]
    assert f(tf.constant(-2))[0].numpy().tolist() == [-2]
    assert [int(f(tf.constant(n))[1]) for n in (2, -2)] == [2, 1]


# ---- B10: closures


@behaviour("B10")
@differs
def test_a_counter_of_a_closure_counts_in_a_staged_loop_and_branch() -> None:
    def f(n: Any) -> Any:
        count = 0

        def inc() -> None:
            nonlocal count
            count += 1

        for _ in tf.range(n):
            inc()
        if n > 2:
            inc()
        return count

    assert [run(f, 3), run(f, 2)] == [4, 2]


# ---- decided by Python


def decided(value: Any) -> Any:
    """A tensor of a rank that tracing does not know."""
    return tf.numpy_function(lambda: np.array(value), [], tf.bool)


@behaviour("B6")
def test_a_condition_may_come_from_a_python_function():
    @tf.function
    def f(value: Any):
        done = decided(value)
        count = 0
        for _ in tf.range(5):
            count += 1
            if tf.cast(done, tf.bool):
                break
        return count, 1 if done else 2, done or tf.constant(False)

    assert [one.numpy() for one in f(True)] == [1, 1, True]
    assert [one.numpy() for one in f(False)] == [5, 2, False]


@behaviour("B6")
def test_a_condition_of_one_element_may_come_from_a_python_function():
    @tf.function
    def f(value: Any):
        if decided(value):
            return 1
        return 2

    assert int(f([True])) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"2 values"):
        f([True, False])
