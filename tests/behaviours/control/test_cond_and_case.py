"""tf.cond, tf.switch_case, tf.case: statements C1 to C7 and C16 to C18."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.modes import both, traced


def branches(true: Any, false: Any) -> Any:
    """The result of a traced tf.cond whose branches return these."""
    return traced(lambda: tf.cond(tf.constant(True), lambda: true, lambda: false))


# ---- tf.cond


@behaviour("C1")
@pytest.mark.parametrize("result", [None, [1, "a"], "text", 3, {"k": (1, None)}])
def test_eager_cond_calls_the_chosen_function_only_and_returns_its_very_result(result: Any):
    called = []
    chosen = tf.cond(tf.constant(True), lambda: result, lambda: called.append(1))

    assert chosen is result
    assert called == []
    assert tf.cond(pred=tf.constant(False), true_fn=lambda: 1, false_fn=lambda: 2, name="c") == 2


@behaviour("C1")
@pytest.mark.parametrize(("pred", "expected"), [(1, "t"), (0, "f"), (True, "t"), (False, "f")])
@pytest.mark.parametrize("convert", [lambda p: p, lambda p: tf.constant(p)])
def test_eager_cond_takes_ints_and_bools_as_predicates(pred: Any, expected: str, convert: Any):
    assert tf.cond(convert(pred), lambda: "t", lambda: "f") == expected


@behaviour("C1")
@pytest.mark.parametrize("pred", [tf.identity, object(), None, {"a": 1}, tf.data.Options()])
def test_what_is_no_tensor_is_no_predicate(pred: Any):
    with pytest.raises(ValueError, match=r"convert"):
        tf.cond(pred, lambda: 1, lambda: 2)


@behaviour("C1")
def test_a_list_is_the_predicate_that_it_holds():
    assert tf.cond([0], lambda: 1, lambda: 2) == 2


@behaviour("C2")
@both
@pytest.mark.parametrize(
    ("true_fn", "false_fn", "words"),
    [
        (1, lambda: 1, "'true_fn' must be callable."),
        (lambda: 1, 1, "'false_fn' must be callable."),
        (None, lambda: 1, "'true_fn' argument required"),
        (lambda: 1, None, "'false_fn' argument required"),
    ],
)
def test_cond_wants_two_functions(true_fn: Any, false_fn: Any, words: str, mode: Any):
    with pytest.raises(TypeError, match=words):
        mode(lambda: tf.cond(tf.constant(True), true_fn, false_fn))()


@behaviour("C2")
def test_a_python_bool_is_no_predicate_in_a_graph():
    with pytest.raises(TypeError, match="pred must not be a Python bool"):
        traced(lambda: tf.cond(True, lambda: 1, lambda: 2))


@behaviour("C3")
def test_branches_are_traced_once_each_the_true_one_first():
    order: list[str] = []

    @tf.function
    def f(pred: Any) -> Any:
        return tf.cond(pred, lambda: order.append("true") or 1, lambda: order.append("false") or 2)

    assert [int(f(tf.constant(one))) for one in (False, True, True)] == [2, 1, 1]
    assert order == ["true", "false"]


@behaviour("C3")
def test_only_the_effects_of_the_branch_that_is_taken_happen():
    v, w = tf.Variable(0), tf.Variable(0)

    @tf.function
    def f(pred: Any) -> Any:
        tf.cond(pred, lambda: v.assign_add(1), lambda: w.assign_add(1))

    for one in (True, False, True):
        f(tf.constant(one))
    assert [int(v), int(w)] == [2, 1]


@behaviour("C3")
def test_the_operation_is_called_cond_and_its_results_are_identities():
    f = tf.function(lambda p, x: tf.cond(p, lambda: x, lambda: -x))
    graph = f.get_concrete_function(tf.TensorSpec((), tf.bool), tf.TensorSpec((), tf.float32)).graph
    types = {op.name: op.type for op in graph.get_operations()}

    assert types["cond"] in {"StatelessIf", "If"}
    assert types["cond/Identity"] == "Identity"


@behaviour("C4")
@pytest.mark.parametrize(
    ("true", "false"),
    [
        (1, 2.0),
        (np.float32(1), np.float64(1)),
        ([1, 2], (1, 2)),
        ([1], 1),
        ({"a": 1}, {"b": 1}),
    ],
)
def test_branches_must_return_the_same_structure_of_the_same_dtypes(true: Any, false: Any):
    words = (
        "true_fn and false_fn arguments to tf.cond must have the same number, type, and overall "
        "structure of return values"
    )
    with pytest.raises(TypeError, match=words):
        branches(true, false)


@behaviour("C4")
@pytest.mark.parametrize("false", [[1, 2], []])
def test_branches_must_return_as_many_results(false: Any):
    with pytest.raises((TypeError, AssertionError)):  # there a bare AssertionError for more
        branches([1], false)


@behaviour("C4")
@differs
@pytest.mark.parametrize(
    ("true", "false", "words"),
    [
        ([1], [1, 2], "same number, type, and overall structure of return values"),
        ({"a": 1}, {"a": 2.0}, r"at \.a true_fn returns int32 \(\), false_fn returns float32 \(\)"),
        ([1, (2, 3)], [1, (2, 3.0)], r"at \[1\]\[1\] true_fn returns int32"),
        ([1], (1,), r"true_fn returns \[int32 \(\)\], false_fn returns \(int32 \(\),\)"),
    ],
)
def test_where_branches_differ_is_said_in_one_sentence(true: Any, false: Any, words: str):
    with pytest.raises(TypeError, match=words):
        branches(true, false)


@behaviour("C4")
def test_none_and_a_tensor_do_not_go_together():
    with pytest.raises(ValueError, match="Lengths of branch outputs of cond must match"):
        branches(None, tf.constant(1))


@behaviour("C4")
@pytest.mark.parametrize("result", [None, [], ()])
def test_branches_may_both_return_nothing(result: Any):
    assert branches(result, result) == result


@behaviour("C4")
def test_structures_of_results_are_kept():
    assert [1] == branches([1], [2])
    nested = branches({"a": [None, 1], "b": (2,)}, {"a": [None, 3], "b": (4,)})

    assert nested["a"][0] is None
    assert int(nested["a"][1]) == 1
    assert isinstance(nested["b"], tuple)


@behaviour("C4")
def test_slices_and_a_tensor_do_not_go_together():
    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))
    with pytest.raises(TypeError, match=r"Cannot reconcile tf.cond 0-th outputs"):
        branches(slices, tf.constant([1.0]))


@behaviour("C5")
@pytest.mark.parametrize(
    ("true", "false", "merged"),
    [
        ((1,), (2,), (None,)),
        ((2, 3), (2, 4), (2, None)),
        ((1,), (1, 1), None),
        ((2,), (2,), (2,)),
    ],
)
def test_what_shapes_have_in_common_is_known(true: Any, false: Any, merged: Any):
    seen = []

    @tf.function
    def f(pred: Any) -> Any:
        result = tf.cond(pred, lambda: tf.ones(true), lambda: tf.ones(false))
        seen.append(result.shape)
        return result

    assert f(tf.constant(True)).shape == true
    assert f(tf.constant(False)).shape == false
    assert seen == [tf.TensorShape(merged)]


@behaviour("C5")
@both
def test_branches_may_return_sparse_tensors_slices_and_arrays(mode: Any):
    def sparse(k: int) -> Any:
        return tf.SparseTensor([[k]], tf.constant([k]), [3])

    def slices(k: int) -> Any:
        return tf.IndexedSlices(tf.constant([k]), tf.constant([1]), tf.constant([3]))

    def array(k: int) -> Any:
        return tf.TensorArray(tf.int32, 1).write(0, k)

    def f(pred: Any) -> Any:
        one = tf.cond(pred, lambda: sparse(1), lambda: sparse(2))
        two = tf.cond(pred, lambda: slices(1), lambda: slices(2))
        three = tf.cond(pred, lambda: array(1), lambda: array(2))
        return tf.sparse.to_dense(one), tf.convert_to_tensor(two), three.stack()

    found = [part.numpy().tolist() for part in mode(f)(tf.constant(False))]
    assert found == [[0, 0, 2], [0, 2, 0], [2]]


@behaviour("C5")
def test_an_operation_as_result_becomes_a_bool():
    f = tf.function(lambda p: tf.cond(p, lambda: tf.no_op(), lambda: tf.no_op()))
    result = f(tf.constant(True))

    assert result.dtype == tf.bool
    assert bool(result)


@behaviour("C6")
@differs
@pytest.mark.parametrize("pred", [1, "yes", 1.0])
def test_the_predicates_dtype_is_checked_while_tracing(pred: Any):
    f = tf.function(lambda p: tf.cond(p, lambda: 1, lambda: 2))
    with pytest.raises(TypeError, match="expected bool"):
        f.get_concrete_function(tf.TensorSpec((), tf.constant(pred).dtype))


@behaviour("C6")
@pytest.mark.parametrize("pred", [1, "yes"])
def test_a_predicate_of_another_dtype_is_an_invalid_argument(pred: Any):
    f = tf.function(lambda p: tf.cond(p, lambda: 1, lambda: 2))
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected bool"):
        f(tf.constant(pred))


@behaviour("C6")
def test_a_vector_with_one_bool_is_a_predicate():
    f = tf.function(lambda p: tf.cond(p, lambda: 1, lambda: 2))
    assert int(f(tf.constant([True]))) == 1
    assert int(f(tf.constant([False]))) == 2


@behaviour("C7")
@both
@pytest.mark.parametrize(("value", "expected"), [(3.0, 6.0), (-3.0, 5.0)])
def test_gradients_go_through_the_branch_that_ran(value: float, expected: float, mode: Any):
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.cond(x > 0, lambda: x * x, lambda: 5.0 * x)
        return tape.gradient(y, x)

    assert float(mode(f)(tf.constant(value))) == expected


@behaviour("C7")
def test_in_a_graph_the_gradient_of_a_branch_that_does_not_use_the_source_is_zero():
    @tf.function
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.cond(x > 0, lambda: x * x, lambda: 1.0)
        return tape.gradient(y, x)

    assert float(f(tf.constant(-3.0))) == 0.0


# ---- tf.switch_case


ONE, TWO, THREE = (lambda: 1), (lambda: 2), (lambda: 3)


@pytest.mark.sampled
@behaviour("C16")
@both
@pytest.mark.parametrize(
    "fns", [[ONE, TWO, THREE], {2: THREE, 0: ONE, 1: TWO}, [(1, TWO), (2, THREE), (0, ONE)]]
)
@pytest.mark.parametrize(("index", "expected"), [(0, 1), (1, 2), (2, 3), (3, 3), (-1, 3), (99, 3)])
def test_the_last_branch_serves_every_other_index(fns: Any, index: int, expected: int, mode: Any):
    assert int(mode(lambda: tf.switch_case(tf.constant(index), fns))()) == expected


@behaviour("C16")
@both
@pytest.mark.parametrize(("index", "expected"), [(0, 1), (1, 2), (2, 9), (-1, 9)])
def test_default_serves_every_other_index(index: int, expected: int, mode: Any):
    f = mode(lambda: tf.switch_case(tf.constant(index), [ONE, TWO], default=lambda: 9))
    assert int(f()) == expected


@behaviour("C17")
@both
@pytest.mark.parametrize(
    ("index", "fns", "error", "words"),
    [
        (tf.constant(0), {0: ONE, 2: TWO}, ValueError, r"must form contiguous range of \[0 to 2\)"),
        (tf.constant(0), {1: ONE}, ValueError, r"must form contiguous range of \[0 to 1\)"),
        (tf.constant(0), [], ValueError, "at least one item"),
        (0, [ONE, TWO], TypeError, "must be a Tensor"),
        (tf.constant(0.0), [ONE, TWO], TypeError, "must be an integer Tensor"),
        (tf.constant(0), [ONE, 2], TypeError, "must be a 2-tuple"),
    ],
)
def test_bad_arguments_of_switch_case(index: Any, fns: Any, error: Any, words: str, mode: Any):
    with pytest.raises(error, match=words):
        mode(lambda: tf.switch_case(index, fns))()


@behaviour("C17")
@pytest.mark.parametrize("dtype", [tf.int64, tf.int32, tf.uint8])
def test_an_eager_index_is_of_any_integer_dtype(dtype: Any):
    assert tf.switch_case(tf.constant(1, dtype), [ONE, TWO]) == 2


@behaviour("C17")
@differs
@pytest.mark.parametrize("dtype", [tf.int64, tf.uint8])
def test_a_traced_index_is_of_any_integer_dtype(dtype: Any):
    assert int(traced(lambda i: tf.switch_case(i, [ONE, TWO]), tf.constant(1, dtype))) == 2


@behaviour("C17")
def test_traced_branches_of_switch_case_must_agree_eager_ones_need_not():
    fns = [ONE, lambda: 2.0]
    words = r"branches\[0\] and branches\[1\] arguments to tf.switch_case must have the same"
    with pytest.raises(TypeError, match=words):
        traced(lambda: tf.switch_case(tf.constant(1), fns))
    assert tf.switch_case(tf.constant(1), fns) == 2.0


# ---- tf.case


@behaviour("C18")
@both
@pytest.mark.parametrize(("x", "expected"), [(0, 1), (1, 1), (2, 2), (5, 3)])
def test_the_first_true_predicate_wins(x: int, expected: int, mode: Any):
    def f(x: Any) -> Any:
        return tf.case([(x < 2, ONE), (x < 4, TWO)], default=THREE)

    assert int(mode(f)(tf.constant(x))) == expected


@behaviour("C18")
@both
def test_some_predicate_must_be_true(mode: Any):
    f = mode(lambda x: tf.case([(x < 2, ONE), (x < 4, TWO)]))
    assert int(f(tf.constant(3))) == 2
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="None of conditions evaluated as True"
    ):
        f(tf.constant(5))


@behaviour("C18")
@both
def test_an_int_is_no_predicate_of_case(mode: Any):
    with pytest.raises(TypeError, match="pred must be a Tensor"):
        mode(lambda: tf.case([(1, ONE)]))()


@behaviour("C18")
@both
def test_case_wants_a_pair(mode: Any):
    with pytest.raises(ValueError, match="unpack"):
        mode(lambda: tf.case([]))()


@behaviour("C18")
@differs
@both
def test_an_int_tensor_is_no_predicate_of_case_in_either_mode(mode: Any):
    with pytest.raises(TypeError, match="pred must be a Tensor of dtype bool"):
        mode(lambda: tf.case([(tf.constant(1), ONE)]))()


@behaviour("C18")
@differs
@both
def test_two_true_predicates_are_found_where_only_one_may_be(mode: Any):
    f = mode(lambda x: tf.case([(x < 2, ONE), (x < 4, TWO)], exclusive=True))
    assert int(f(tf.constant(3))) == 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="More than one condition evaluated"):
        f(tf.constant(1))


@behaviour("C1")
def test_a_branch_that_does_not_run_does_not_fail():
    @tf.function
    def f(p: Any, x: Any) -> Any:
        return tf.cond(p, lambda: tf.cumsum(x, axis=1), lambda: x)

    x = tf.constant([1.0, 2.0])
    assert f(tf.constant(False), x).numpy().tolist() == [1.0, 2.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"in the range \[-1, 1\), but got 1"):
        f(tf.constant(True), x)


@behaviour("C1")
@pytest.mark.parametrize("pred", [True, False])
def test_indices_of_slices_become_int64_where_they_differ(pred: bool):
    def slices(places: Any, dtype: Any) -> Any:
        places = tf.constant(places, dtype)
        return tf.IndexedSlices(tf.ones_like(places, tf.float32), places, tf.constant([3]))

    @tf.function
    def f(pred: Any):
        return tf.cond(
            pred, lambda: (slices([0, 1], tf.int64), 1), lambda: (slices([2], tf.int32), 2)
        )

    found, number = f(tf.constant(pred))
    assert found.indices.dtype == tf.int64
    assert found.indices.numpy().tolist() == ([0, 1] if pred else [2])
    assert int(number) == (1 if pred else 2)


# ---- names


@behaviour("C1")
def test_names_in_branches_and_bodies_begin_with_that_of_the_operation():
    scopes, names = list[str](), list[str]()

    def noted(x: Any) -> Any:
        scopes.append(tf.get_current_name_scope())
        names.append((x + 1.0).name)
        return x

    def f(x: Any) -> Any:
        with tf.name_scope("s"):
            y = noted(x)
            if x > 0:
                y = noted(x)
            while y < 3.0:
                y += 1.0
                noted(y)
                if y > 2.0:
                    y = noted(y)
            for _ in tf.range(3):
                y = noted(y)
            y = tf.cond(x > 0, lambda: noted(y), lambda: y)
            (y,) = tf.while_loop(lambda y: y < 0, lambda y: [noted(y)], [y], name="loop")
            tf.map_fn(noted, tf.ones([3]))
        if x > 5.0:
            y = noted(y)
        return y

    tf.function(f)(tf.constant(1.0))

    wanted = ["s", "s/cond", "s/while", "s/while/cond", "s/while_1", "s/cond_1", "s/loop"]
    wanted += ["s/map/while", "cond"]
    assert wanted == scopes
    assert all(name.startswith(f"{scope}/add") for name, scope in zip(names, scopes, strict=True))


def _names(choose, shape=()):
    """The names of what branches and bodies multiply."""
    found = []

    def doubled(x):
        result = x * 2.0
        found.append(result.name)
        return result

    tf.function(lambda x: choose(x, doubled)).get_concrete_function(tf.TensorSpec(shape))
    return found


@behaviour("I10")
def test_names_in_cases_begin_with_theirs():
    def by_conditions(x, doubled):
        pairs = [(x > 2.0, lambda: doubled(x)), (x > 1.0, lambda: doubled(x))]
        return tf.case(pairs, default=lambda: doubled(x), name="kind")

    def by_number(x, doubled):
        return tf.switch_case(tf.cast(x, tf.int32), [lambda: doubled(x), lambda: doubled(x)])

    nested = "kind/cond/cond/mul:0"
    assert ["kind/cond/mul:0", nested, nested] == _names(by_conditions)
    assert ["switch_case/indexed_case/mul:0"] * 2 == _names(by_number)


@behaviour("I10")
def test_names_in_vectorized_bodies_begin_with_loop_body():
    def twice(x, doubled):
        with tf.name_scope("s"):
            tf.vectorized_map(doubled, x)
        return tf.vectorized_map(doubled, tf.vectorized_map(doubled, x))

    wanted = ["s/loop_body/mul:0", "loop_body/mul:0", "loop_body_1/mul:0"]
    assert wanted == _names(twice, [3, 2])
