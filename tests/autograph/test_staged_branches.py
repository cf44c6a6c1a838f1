"""`if`, ternaries, `and`, `or`, `not`, chains, `assert`: what is traced, and what is refused."""

from __future__ import annotations

# Some variables are unbound on purpose.
# pyright: reportPossiblyUnboundVariable=false, reportAttributeAccessIssue=false
from typing import Any

import pytest

import tensormill as tf
from tensormill import errors
from tests.autograph.staging import Traced, constant, staged

LEVEL = 0


def traced(function: Any, *arguments: Any) -> Traced:
    return Traced(function, [tf.TensorSpec.from_tensor(constant(one)) for one in arguments])


def plain_list(function: Any, *arguments: Any) -> Any:
    """The flat results of the compiled function: lists in them are as long as it makes them."""
    results = tf.function(function)(*map(tf.constant, arguments))
    return [one.numpy().tolist() for one in tf.nest.flatten(results)]


class Box:
    pass


# --- if ---


def test_both_branches_are_traced_once() -> None:
    calls = []

    def f(x):
        if x > 0:
            calls.append("main")
        else:
            calls.append("else")
        return x

    traced(f, 1)
    assert calls == ["main", "else"]


def test_a_python_condition_is_not_staged() -> None:
    def f(x):
        if x.shape.rank == 0:
            return x
        return x.missing

    assert [5] == staged(f, 5)
    assert "StatelessIf" not in traced(f, 5).operations()


def test_a_value_in_one_branch_only_is_refused() -> None:
    def f(x):
        if x > 0:
            y = 1
        return y

    with pytest.raises(ValueError, match="'y' must also be initialized in the else branch"):
        staged(f, 1)


def test_a_value_in_the_else_branch_only_is_refused() -> None:
    def f(x):
        if x > 0:
            pass
        else:
            y = 1
        return y

    with pytest.raises(ValueError, match="'y' must also be initialized in the main branch"):
        staged(f, 1)


def test_a_value_that_nobody_reads_may_be_missing() -> None:
    def f(x):
        if x > 0:
            y = x + 1
            x = y
        return x

    assert [[2], [-1]] == [staged(f, 1), staged(f, -1)]


def test_an_attribute_in_one_branch_only_is_refused() -> None:
    def f(x):
        o = Box()
        if x > 0:
            o.q = 1
        return o.q

    with pytest.raises(ValueError, match=r"'o\.q' must also be initialized in the else branch"):
        staged(f, 1)


def test_none_in_one_branch_is_refused() -> None:
    def f(x):
        y = x
        if x > 0:
            y = None
        return y

    with pytest.raises(ValueError, match="'y' is None at the end of the main branch"):
        staged(f, 1)


def test_the_message_shows_both_branches() -> None:
    def f(x):
        y = None
        if x > 0:
            y = x * 3
        return y

    with pytest.raises(ValueError, match=r"y = x \* 3\n *else branch: there is none"):
        staged(f, 1)


@pytest.mark.parametrize(
    ("first", "second"), [(1, 1.0), (1, "a"), (True, 1), (tf.constant(1), tf.constant(1.0))]
)
def test_dtypes_have_to_agree(first: Any, second: Any) -> None:
    def f(x):
        y = first if False else 0
        if x > 0:
            y = first
        else:
            y = second
        return y

    with pytest.raises(TypeError, match=r"'y' has dtype .* in the main branch, but dtype .* in"):
        staged(f, 1)


def test_structures_have_to_agree() -> None:
    def f(x):
        y = {"a": x}
        if x > 0:
            y = {"a": [x]}
        return y

    with pytest.raises(TypeError, match="'y' must have the same nested structure in the main and"):
        staged(f, 1)


def test_shapes_may_differ() -> None:
    def f(x):
        if x > 0:
            y = tf.constant([1])
        else:
            y = tf.constant([1, 2])
        shapes.append(y.shape)
        return y

    shapes: list[Any] = []
    assert [[[1]], [[1, 2]]] == [staged(f, 1), staged(f, -1)]
    assert shapes[0] == (None,)


def test_functions_cannot_be_chosen() -> None:
    def f(x):
        if x > 0:
            g = lambda v: v  # noqa: E731
        else:
            g = lambda v: -v  # noqa: E731
        return g(x)

    with pytest.raises(TypeError, match="zero or more Tensors or ExtensionTypes or None values"):
        staged(f, 1)


@pytest.mark.parametrize("condition", [1, 1.0, "a", [True]])
def test_a_condition_is_a_bool_scalar(condition: Any) -> None:
    def f(x):
        return 1 if x else 2

    with pytest.raises(ValueError, match=r"expected to be `tf\.bool` scalar, got Tensor"):
        staged(f, condition)


def test_variables_are_read() -> None:
    v, w = tf.Variable(1), tf.Variable(2)

    def f(x):
        if x > 0:
            y = v
        else:
            y = w
        if v > w:
            y = y * 100
        return y

    assert [[1], [2]] == [staged(f, 1), staged(f, -1)]


def test_assignments_run_in_the_chosen_branch_only() -> None:
    v = tf.Variable(0)

    def f(x):
        if x > 0:
            v.assign_add(x)
        return v

    function = traced(f, 1)
    assert [[3], [3], [4]] == [function(constant(n)) for n in (3, -5, 1)]


def test_a_global_variable_is_merged() -> None:
    def f(x):
        global LEVEL
        LEVEL = 1
        if x > 0:
            LEVEL = 2
        level, LEVEL = LEVEL, 0
        return level

    assert [[2], [1]] == [staged(f, 1), staged(f, -1)]


def test_a_raise_happens_when_the_graph_gets_there() -> None:
    def f(x):
        if x > 0:
            raise KeyError("no", x)
        return x

    assert [-1] == staged(f, -1)
    with pytest.raises(KeyError) as caught:
        staged(f, 3)
    assert caught.value.args == ("no", 3)
    assert (
        f'line {f.__code__.co_firstlineno + 2}, in f  *\n        raise KeyError("no", x)'
        in (caught.value.__notes__[0])
    )


def test_an_exception_keeps_its_class_and_attributes() -> None:
    class Refused(Exception):
        def __init__(self, code: int, *, hint: str) -> None:
            super().__init__(f"refused with {code}")
            self.code, self.hint = code, hint

    def check(x):
        if x > 0:
            raise Refused(7, hint="ask again")

    def f(x):
        check(x)
        return x

    for _ in range(2):
        with pytest.raises(Refused, match="refused with 7") as caught:
            tf.function(f)(tf.constant(1))
        assert (caught.value.code, caught.value.hint) == (7, "ask again")


def test_both_branches_may_raise() -> None:
    def f(x):
        if x > 0:
            if x > 10:
                raise KeyError("large")
            else:
                raise ValueError("small")
        return x

    assert [-1] == staged(f, -1)
    with pytest.raises(KeyError, match="large"):
        staged(f, 11)
    with pytest.raises(ValueError, match="small"):
        staged(f, 1)


def test_an_error_of_the_library_in_a_branch_is_raised_while_tracing() -> None:
    def f(x):
        if x > 0:
            x = x + tf.constant("text")
        return x

    with pytest.raises(TypeError):
        traced(f, -1)


def test_a_raise_inside_of_an_expression_or_an_operand() -> None:
    def refuse(x):
        raise ValueError("refused")

    def f(x):
        y = x if x > 0 else refuse(x)
        return y, x > 5 or refuse(x)

    assert [6, True] == staged(f, 6)
    for n in (-1, 1):
        with pytest.raises(ValueError, match="refused"):
            staged(f, n)


def test_a_failed_branch_fails_when_the_graph_runs_whatever_is_around_it() -> None:
    def f(x):
        y = x
        try:
            if x > 0:
                y = x + 1
                raise KeyError
        except KeyError:
            pass
        return y

    assert [-5] == staged(f, -5)
    with pytest.raises(KeyError):
        staged(f, 5)


# --- containers ---


def test_a_list_grows_in_the_chosen_branch() -> None:
    def f(x):
        results = []
        if x > 0:
            results.append(x)
        return len(results), results

    assert [[1, 3], [0]] == [plain_list(f, 3), plain_list(f, -3)]


def test_adding_to_a_list_variable_grows_it() -> None:
    def f(x):
        results = [1]
        if x > 0:
            results += [2, x]
        else:
            results.append(0)
        return results

    assert [[1, 2, 7], [1, 0]] == [plain_list(f, 7), plain_list(f, -1)]


def test_lists_of_equal_length_stay_python_lists() -> None:
    def f(x):
        results = [x]
        other = results
        if x > 0:
            results.append(1)
        else:
            results.append(2)
        assert len(other) == 2
        return other[1]

    assert [[1], [2]] == [staged(f, 1), staged(f, -1)]


def test_an_item_at_a_computed_place_is_merged() -> None:
    def f(x):
        items, i, names = [x, x], 0, {"a": [1]}
        same = items
        if x > 0:
            items[i + 1] = 5
            names["a"].append(2)
            names["a"].pop(0)
        return same, names

    assert [[3, 5, 2], [-3, -3, 1]] == [staged(f, 3), staged(f, -3)]


def test_a_list_with_another_name_cannot_grow() -> None:
    def f(x):
        results = [x]
        same = results
        if x > 0:
            results.append(x)
        return same

    with pytest.raises(ValueError, match=r"'results' grows.*Write `results = list\(results\)`"):
        staged(f, 1)


@pytest.mark.parametrize(
    ("element", "words"),
    [
        (object(), "'results' grows.*has to be tensors: Failed to convert elements of <object"),
        ("text", "'results' grows.*one dtype: here one has dtype int32, another string"),
        ((1, 2), "'results' grows.*built alike"),
    ],
)
def test_elements_of_a_list_that_grows_are_alike(element: Any, words: str) -> None:
    def f(x):
        results = [x]
        if x > 0:
            results.append(element)
        return results

    with pytest.raises(TypeError, match=words):
        staged(f, 1)


def test_a_set_changed_in_a_branch_is_noticed() -> None:
    def f(x):
        seen = set()
        if x > 0:
            seen.add(1)
        return len(seen)

    with pytest.raises(ValueError, match=r"'seen' is changed in place.*`if`"):
        staged(f, 1)


def test_a_log_outside_of_the_function_may_grow() -> None:
    log = []

    def f(x):
        if x > 0:
            log.append("positive")
        return x

    assert [1] == staged(f, 1)
    assert log == ["positive"]


def test_a_tensor_may_not_leak_into_a_list_outside() -> None:
    log = []

    def f(x):
        if x > 0:
            log.append(x + 1)
        return x

    with pytest.raises(ValueError, match="'log' is changed in place"):
        staged(f, 1)


def test_a_list_made_in_the_branch_is_its_own() -> None:
    def f(x):
        if x > 0:
            parts = []
            parts.append(x)
            parts.append(x * 2)
            x = tf.stack(parts)[1]
        return x

    assert [6] == staged(f, 3)


# --- return ---


def test_a_return_in_one_branch_only_is_refused() -> None:
    def f(x):
        if x > 0:
            return x

    with pytest.raises(ValueError, match="the else branch must also have a return statement"):
        staged(f, 1)


def test_a_return_in_the_else_branch_only_is_refused() -> None:
    def f(x):
        if x > 0:
            x = 1
        else:
            return x

    with pytest.raises(ValueError, match="the main branch must also have a return statement"):
        staged(f, 1)


def test_returning_none_or_a_tensor_is_refused() -> None:
    def f(x):
        if x > 0:
            return x
        return None

    with pytest.raises(ValueError, match="'retval_' is None at the end of the else branch"):
        staged(f, 1)


def test_returning_a_vector_or_a_made_up_one() -> None:
    def f(x, n):
        with tf.name_scope("a"):
            if n > 0:
                return x * 2
        return x

    assert [[2, 4]] == Traced(f, [tf.TensorSpec([None], tf.int32), tf.TensorSpec([], tf.int32)])(
        constant([1, 2]), constant(1)
    )


# --- ternaries and booleans ---


def test_a_ternary_is_called_by_its_condition() -> None:
    with pytest.raises(TypeError, match="'x > 0' has dtype int32 in the main branch, but dtype"):
        staged(lambda x: 1 if x > 0 else 2.0, 1)
    with pytest.raises(ValueError, match="'x > 0' is None at the end of the else branch"):
        staged(lambda x: 1 if x > 0 else None, 1)


def test_the_second_operand_runs_only_when_needed() -> None:
    v = tf.Variable(0)

    def f(x):
        return x > 0 and v.assign_add(1) > 0

    function = traced(f, 1)
    assert [[False], [True]] == [function(constant(-1)), function(constant(1))]
    assert v.numpy() == 1


def test_operands_are_bools() -> None:
    with pytest.raises(errors.InvalidArgumentError, match="expected bool"):
        staged(lambda x: x and x, 1)
    with pytest.raises(ValueError, match="Lengths of branch outputs of cond must match"):
        staged(lambda x: (x > 0) and None, 1)


def test_not_is_elementwise() -> None:
    assert [[False, True]] == staged(lambda x: not x, [True, False])
    with pytest.raises(TypeError):
        staged(lambda x: not x, 1)


def test_none_is_compared_while_tracing() -> None:
    assert [False, False, True] == staged(lambda x: (x == None, x is None, x is not None), 1)  # noqa: E711


def test_numbers_are_read_from_strings() -> None:
    assert [12, 2.5] == staged(lambda x, y: (int(x), float(y)), "12", "2.5")


# --- assert ---


def test_a_tensor_is_asserted_when_the_graph_runs() -> None:
    def f(x):
        assert x > 0, "x has to be positive"
        return x

    assert [1] == staged(f, 1)
    with pytest.raises(errors.InvalidArgumentError, match="x has to be positive"):
        staged(f, -1)


def test_a_python_value_is_asserted_while_tracing() -> None:
    def f(x):
        assert x.shape.rank == 1, f"rank is {x.shape.rank}"
        return x

    with pytest.raises(AssertionError, match="rank is 0"):
        staged(f, 1)


def test_the_message_shows_where_a_branch_assigns_the_variable() -> None:
    @tf.function
    def f(x: Any) -> Any:
        if x > 0:
            sign = x * 2
            y = sign * 2
        return y

    with pytest.raises(ValueError, match=r"(?s)'y' must .* give it a value.*  y = sign \* 2\n"):
        f(tf.constant(1))
