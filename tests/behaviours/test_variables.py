"""tf.Variable, what it is: statements V1 to V4 and V10 to V17."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.modes import both

# ---- names and representation


@behaviour("V1")
@pytest.mark.parametrize("show", [repr, str])
def test_a_variable_shows_name_shape_dtype_and_value(show: Any):
    v = tf.Variable(1.0)
    assert show(v) == "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=1.0>"


@behaviour("V1")
def test_inside_a_trace_no_value_is_shown():
    v = tf.Variable([1.0, 2.0], name="weights")
    seen: list[str] = []

    @tf.function
    def f() -> Any:
        seen.append(repr(v))
        return v + 1.0

    f()
    assert seen == ["<tf.Variable 'weights:0' shape=(2,) dtype=float32>"]


@behaviour("V1")
def test_eager_names_are_kept_as_they_are_given():
    assert [tf.Variable(1, name="foo").name for _ in range(2)] == ["foo:0", "foo:0"]
    assert tf.Variable(1).name == "Variable:0"
    assert tf.Variable(1, name="two words").name == "two words:0"
    with tf.name_scope("s"):
        assert tf.Variable(1, name="q").name == "s/q:0"


# ---- construction


@behaviour("V2")
def test_the_constructor_takes_these_arguments():
    v = tf.Variable(
        initial_value=[1.0], trainable=False, validate_shape=True, caching_device=None, name="n",
        variable_def=None, dtype=tf.float64, import_scope=None, constraint=tf.abs,
        synchronization=tf.VariableSynchronization.AUTO,
        aggregation=tf.VariableAggregation.NONE, shape=[1],
        experimental_enable_variable_lifting=True,
    )  # fmt: skip
    assert (v.name, v.dtype, v.trainable) == ("n:0", tf.float64, False)
    assert v.synchronization == tf.VariableSynchronization.AUTO
    assert v.aggregation == tf.VariableAggregation.NONE


@behaviour("V2")
@pytest.mark.parametrize("value", [1.0, 1, True, "text", 1j])
def test_variables_of_every_dtype_are_trainable_by_default(value: Any):
    assert tf.Variable(value).trainable is True


@behaviour("V2")
def test_what_is_synchronized_on_read_is_not_trainable():
    on_read = tf.VariableSynchronization.ON_READ
    assert tf.Variable(1.0, synchronization=on_read).trainable is False


@behaviour("V2")
@differs
def test_that_an_integer_variable_has_no_gradient_is_said_with_its_name(caplog: Any):
    v, steps = tf.Variable(2.0), tf.Variable(3, name="steps")
    with tf.GradientTape() as tape:
        y = v * tf.cast(steps, tf.float32)
    tf.get_logger().addHandler(caplog.handler)
    try:
        gradients = tape.gradient(y, [v, steps])
    finally:
        tf.get_logger().removeHandler(caplog.handler)

    assert gradients[1] is None
    assert "'steps:0'" in caplog.text


@behaviour("V2")
def test_counters_that_are_not_trainable_are_not_among_what_is_trained(caplog: Any):
    module = tf.Module()
    module.v, module.steps = tf.Variable(2.0), tf.Variable(3, trainable=False)
    with tf.GradientTape() as tape:
        y = module.v * tf.cast(module.steps, tf.float32)

    assert [float(one) for one in tape.gradient(y, module.trainable_variables)] == [3.0]
    assert caplog.text == ""


@behaviour("V3")
@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, tf.int32), ([1, 2], tf.int32), (1.5, tf.float32), (True, tf.bool), ("a", tf.string),
        (np.int64(1), tf.int64), (np.zeros(2), tf.float64), (lambda: 2.5, tf.float32),
    ],
)  # fmt: skip
def test_dtypes_are_those_of_constants(value: Any, dtype: Any):
    assert tf.Variable(value).dtype == dtype


@behaviour("V3")
def test_a_callable_gives_the_initial_value():
    assert float(tf.Variable(lambda: tf.constant(1.5))) == 1.5


@behaviour("V3")
@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: tf.Variable(1.5, dtype=tf.int32), TypeError, "Cannot convert 1.5 to EagerTensor"),
        (lambda: tf.Variable(), ValueError, "initial_value.* must be specified"),
        (lambda: tf.Variable(None), ValueError, "initial_value.* must be specified"),
        (
            lambda: tf.Variable(tf.constant(1), dtype=tf.float32),
            ValueError,
            "Tensor conversion requested dtype",
        ),
        (lambda: tf.Variable(tf.ragged.constant([[1], []])), ValueError, None),
    ],
)
def test_bad_initial_values(make: Any, error: Any, words: str | None):
    with pytest.raises(error, match=words):
        make()


@behaviour("V4")
def test_a_declared_shape_allows_other_sizes():
    v = tf.Variable([1.0], shape=[None])
    v.assign([1.0, 2.0, 3.0])
    assert v.shape.as_list() == [None]
    assert v.numpy().tolist() == [1, 2, 3]

    w = tf.Variable([1.0], shape=tf.TensorShape(None))
    w.assign([[1.0], [2.0]])
    assert w.numpy().tolist() == [[1], [2]]
    assert w.shape.rank is None
    with pytest.raises(ValueError, match="incompatible"):
        v.assign([[1.0]])


@behaviour("V4")
def test_the_initial_value_has_the_declared_shape():
    with pytest.raises(ValueError, match="not compatible with the explicitly supplied `shape`"):
        tf.Variable([1.0], shape=[2])


# ---- reading


@behaviour("V10")
@pytest.mark.parametrize(
    "read",
    [
        lambda v: v.value(),
        lambda v: v.read_value(),
        lambda v: tf.convert_to_tensor(v),
        lambda v: np.asarray(v),
        lambda v: v.numpy(),
    ],
    ids=["value", "read_value", "convert_to_tensor", "asarray", "numpy"],
)
@pytest.mark.parametrize(
    "change",
    [
        lambda v: v.assign([5.0, 6.0]),
        lambda v: v.assign_add([1.0, 1.0]),
        lambda v: v[0].assign(9.0),
        lambda v: tf.function(lambda: v.assign_sub([1.0, 1.0]))(),
    ],
    ids=["assign", "assign_add", "slice", "compiled"],
)
def test_what_was_read_is_a_snapshot(read: Any, change: Any):
    v = tf.Variable([1.0, 2.0])
    before = read(v)
    change(v)

    assert np.asarray(before).tolist() == [1.0, 2.0]
    assert v.numpy().tolist() != [1.0, 2.0]


@behaviour("V10")
def test_writing_into_its_array_does_not_change_a_variable():
    v = tf.Variable([1.0, 2.0])
    array = v.numpy()
    try:
        array[0] = 7.0
    except ValueError:  # read-only says it, too
        pass
    assert v.numpy().tolist() == [1.0, 2.0]


# ---- as Python values


@behaviour("V11")
def test_scalars_convert_to_python_numbers():
    assert int(tf.Variable(3)) == 3
    assert float(tf.Variable(1.5)) == 1.5
    assert bool(tf.Variable(True)) is True
    assert [int(one) for one in list(tf.Variable([1, 2]))] == [1, 2]


@behaviour("V11")
def test_the_truth_of_a_vector_is_ambiguous():
    with pytest.raises(ValueError, match=r"truth value .* ambiguous"):
        bool(tf.Variable([True, False]))


@behaviour("V11")
@differs
def test_a_variable_has_a_length_and_a_number_of_axes():
    v = tf.Variable([[1.0], [2.0]])
    assert len(v) == 2
    assert v.ndim == 2


@behaviour("V11")
@differs
def test_an_integer_variable_is_an_index():
    assert ["a", "b", "c"][tf.Variable(1)] == "b"


@behaviour("V12")
def test_operators_are_those_of_tensors():
    v, w = tf.Variable([1, 2]), tf.Variable([1, 3])

    assert (v + 1).numpy().tolist() == [2, 3]
    assert (2 * v - w).numpy().tolist() == [1, 1]
    assert (v == w).numpy().tolist() == [True, False]
    assert (v != w).numpy().tolist() == [False, True]
    assert (v < w).numpy().tolist() == [False, True]
    assert (tf.Variable([[1.0]]) @ [[2.0]]).numpy().tolist() == [[2.0]]


@behaviour("V12")
def test_a_reference_stands_for_a_variable_where_a_hash_is_needed():
    v, w = tf.Variable(1.0), tf.Variable(1.0)
    words = r"Variable is unhashable. Instead, use variable.ref\(\) as the key."
    with pytest.raises(TypeError, match=words):
        hash(v)

    assert v.ref() == v.ref()
    assert v.ref() != w.ref()
    assert hash(v.ref()) == hash(v.ref())
    assert v.ref().deref() is v


@behaviour("V12")
def test_membership_in_a_list_is_ambiguous_for_vectors():
    with pytest.raises(ValueError, match="truth value"):
        assert tf.Variable([1, 2]) in [tf.Variable([1, 2])]


@behaviour("V13")
def test_a_variable_is_a_tensor_for_is_tensor_only():
    v = tf.Variable(1.0)
    assert not isinstance(v, tf.Tensor)
    assert tf.is_tensor(v)


@behaviour("V13")
def test_copies_and_pickles():
    v = tf.Variable([1.0, 2.0], name="n", trainable=False)
    deep, same, round_trip = copy.deepcopy(v), copy.copy(v), pickle.loads(pickle.dumps(v))
    v.assign([3.0, 4.0])

    assert same is v
    assert deep.numpy().tolist() == [1.0, 2.0]
    assert round_trip.numpy().tolist() == [1.0, 2.0]
    assert deep.name == round_trip.name == "n:0"


# ---- what is not there


@behaviour("V14")
@pytest.mark.parametrize(
    ("use", "error"),
    [
        (lambda v: v.op, AttributeError),
        (lambda v: v.graph, AttributeError),
        (lambda v: v.initial_value, RuntimeError),
        (lambda v: v.eval(), RuntimeError),
        (lambda v: v.to_proto(), RuntimeError),
    ],
    ids=["op", "graph", "initial_value", "eval", "to_proto"],
)
def test_what_belongs_to_graphs_of_old_is_not_there(use: Any, error: Any):
    with pytest.raises(error, match="eager execution is enabled"):
        use(tf.Variable(1.0))


@behaviour("V14")
def test_what_a_variable_says_of_itself():
    v = tf.Variable([1.0], trainable=False)
    assert v.initializer is None
    assert v.device == "/job:localhost/replica:0/task:0/device:CPU:0"
    assert v.handle.dtype == tf.resource
    assert (v.shape.as_list(), v.dtype, v.trainable) == ([1], tf.float32, False)


@behaviour("V14")
def test_there_is_no_array_in_a_trace():
    v = tf.Variable(1.0)
    with pytest.raises(NotImplementedError, match="only available when eager execution is enabled"):
        tf.function(lambda: v.numpy(), autograph=False)()


# ---- creation and state


@behaviour("V15")
def test_a_creator_sees_every_argument_and_may_change_them():
    seen: list[dict[str, Any]] = []

    def creator(next_creator: Any, **arguments: Any) -> Any:
        seen.append(dict(arguments))
        return next_creator(**{**arguments, "name": "changed", "initial_value": 7.0})

    with tf.variable_creator_scope(creator):
        v = tf.Variable(1.0, trainable=False, name="n")

    assert (v.name, float(v)) == ("changed:0", 7.0)
    assert {
        "initial_value", "trainable", "validate_shape", "caching_device", "name", "variable_def",
        "dtype", "import_scope", "constraint", "synchronization", "aggregation", "shape",
    } <= set(seen[0])  # fmt: skip
    assert (seen[0]["name"], seen[0]["trainable"]) == ("n", False)


@behaviour("V15")
def test_the_innermost_creator_comes_first():
    order: list[str] = []

    def creator(label: str) -> Any:
        def create(next_creator: Any, **arguments: Any) -> Any:
            order.append(label)
            return next_creator(**arguments)

        return create

    with (
        tf.variable_creator_scope(creator("outer")),
        tf.variable_creator_scope(creator("inner")),
    ):
        tf.Variable(1.0)
    assert order == ["inner", "outer"]


@behaviour("V16")
@both
def test_two_variables_swap_their_values(mode: Any):
    v, w = tf.Variable(1.0), tf.Variable(2.0)

    def swap() -> Any:
        before = v.read_value()
        v.assign(w)
        w.assign(before)
        return v + 0.0

    assert float(mode(swap)()) == 2.0
    assert (float(v), float(w)) == (2.0, 1.0)


@behaviour("V16")
@pytest.mark.parametrize(("pred", "expected"), [(True, 5.0), (False, 1.0)])
def test_a_conditional_assignment_is_seen_by_what_reads_later(pred: bool, expected: float):
    v = tf.Variable(1.0)

    @tf.function
    def f(pred: Any) -> Any:
        if pred:
            v.assign(5.0)
        return v * 1.0

    assert float(f(tf.constant(pred))) == expected


@behaviour("V16")
@pytest.mark.parametrize(("x", "expected"), [(1, 11), (-1, -1)])
def test_a_variable_may_be_assigned_in_both_branches(x: int, expected: int):
    v, w = tf.Variable(0), tf.Variable(0)

    @tf.function
    def f(x: Any) -> Any:
        if x > 0:
            v.assign(x)
            w.assign_add(10)
            both = v + w
        else:
            v.assign(-x)
            both = -v
        return both, v.read_value()

    both, last = f(tf.constant(x))
    assert int(both) == expected
    assert int(last) == abs(x)


@behaviour("V16")
def test_variables_are_assigned_in_nested_branches_and_loops():
    count, total = tf.Variable(0), tf.Variable(0)

    @tf.function
    def f(n: Any) -> Any:
        for i in tf.range(n):
            if i % 2 == 0:
                total.assign_add(i)
                if total > 5:
                    total.assign(0)
                    count.assign_add(1)
            else:
                total.assign_sub(1)
        return total.read_value()

    def expected(n: int) -> tuple[int, int]:
        number = running = 0
        for i in range(n):
            if i % 2:
                running -= 1
                continue
            running += i
            if running > 5:
                running, number = 0, number + 1
        return running, number

    assert (int(f(tf.constant(20))), int(count)) == expected(20)


@behaviour("V16")
def test_an_assignment_that_nobody_returns_still_runs_and_the_last_one_wins():
    v = tf.Variable(1.0)

    @tf.function
    def f() -> None:
        v.assign(2.0)
        v.assign_add(5.0)
        v.assign(3.0)

    assert f() is None
    assert float(v) == 3.0


@behaviour("V17")
def test_a_constraint_is_kept_and_not_applied():
    v = tf.Variable(1.0, constraint=tf.nn.relu)
    v.assign(-2.0)
    assert v.constraint is tf.nn.relu
    assert float(v) == -2.0


@behaviour("V17")
def test_a_constraint_can_be_called():
    with pytest.raises(ValueError, match="must be None or a callable"):
        tf.Variable(1.0, constraint=3)


@behaviour("V17")
def test_variables_are_initialized():
    assert bool(tf.Variable(1.0).is_initialized())


@behaviour("V17")
def test_how_copies_combine_is_the_same_under_both_names():
    new, old = tf.VariableAggregation, tf.compat.v1.VariableAggregation

    assert (str(new.SUM), str(old.SUM)) == ("VariableAggregationV2.SUM", "VariableAggregation.SUM")
    assert (new.SUM, hash(new.SUM)) == (old.SUM, hash(old.SUM))
    assert new.SUM != old.MEAN
    assert old.ONLY_FIRST_TOWER is old.ONLY_FIRST_REPLICA
    assert not hasattr(new, "ONLY_FIRST_TOWER")
