"""`tf.compat.v1.variable_scope` and `get_variable`: statement I10."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1


@behaviour("I10")
def test_scopes_name_variables_and_operations():
    with tf.Graph().as_default():
        with v1.variable_scope("a"), v1.variable_scope("b", reuse=v1.AUTO_REUSE):
            w = v1.get_variable("w", [2])
            again = v1.get_variable("w", [2])
            first = tf.add(w, 1.0)
        with v1.variable_scope("a"), v1.variable_scope("b", reuse=True):
            third = v1.get_variable("w", [2])
            second = tf.add(w, 1.0)

    assert w is again
    assert w is third
    assert (w.name, first.op.name, second.op.name) == ("a/b/w:0", "a/b/Add", "a_1/b/Add")


@behaviour("I10")
def test_default_names_are_numbered():
    names = []
    with tf.Graph().as_default():
        for _ in range(2):
            with v1.variable_scope(None, "c") as scope:
                names.append((scope.name, scope.original_name_scope))
                with v1.variable_scope(None, "d") as inner:
                    names.append((inner.name, inner.original_name_scope))

    assert names == [("c", "c/"), ("c/d", "c/d/"), ("c_1", "c_1/"), ("c_1/d", "c_1/d/")]


@behaviour("I10")
def test_a_scope_can_be_entered_again():
    with tf.Graph().as_default():
        with v1.variable_scope("model", initializer=v1.ones_initializer()) as scope:
            v = v1.get_variable("v", [1])
        with v1.variable_scope("other"), v1.variable_scope(scope, reuse=True) as same:
            assert v1.get_variable("v", [1]) is v
            assert same.name == "model"
        with v1.variable_scope(scope):
            w = v1.get_variable("w", [2])
            v1.get_variable_scope().reuse_variables()
            assert v1.get_variable("w", [2]) is w

        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            assert session.run(w).tolist() == [1.0, 1.0]


@behaviour("I10")
def test_scopes_hand_down_what_they_say():
    with tf.Graph().as_default():
        with v1.variable_scope(
            "s", dtype=tf.float64, initializer=v1.constant_initializer(3.0),
            regularizer=lambda v: tf.reduce_sum(v * v),
        ), v1.variable_scope("t"):  # fmt: skip
            v = v1.get_variable("v", [2])
        losses = v1.get_collection(v1.GraphKeys.REGULARIZATION_LOSSES)
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())

            assert v.dtype == tf.float64
            assert session.run(losses) == [18.0]


@behaviour("I10")
def test_what_a_getter_is_told():
    told = []

    def getter(getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        told.append((name, kwargs["trainable"]))
        return getter(name, *args, **kwargs) * 2.0

    with tf.Graph().as_default(), v1.variable_scope("s", custom_getter=getter):
        twice = v1.get_variable("v", initializer=tf.constant(2.0))
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())

            assert session.run(twice) == 4.0
    assert told == [("s/v", True)]


@behaviour("I10")
def test_custom_getters_may_hand_on_all_that_get_variable_takes():
    def handing_on(getter, name, shape=None, **kwargs):
        return getter(name, shape=shape, **{**kwargs, "partitioner": None, "validate_shape": True})

    with tf.Graph().as_default(), v1.variable_scope("s", custom_getter=handing_on):
        assert v1.get_variable("v", [2]).name == "s/v:0"


@behaviour("I10")
def test_what_get_variable_refuses():
    with tf.Graph().as_default():
        v1.get_variable("w", [2])
        with pytest.raises(ValueError, match="Variable w already exists"):
            v1.get_variable("w", [2])
        with pytest.raises(ValueError, match="Variable q/w does not exist"):
            with v1.variable_scope("q", reuse=True):
                v1.get_variable("w", [2])
        with v1.variable_scope("", reuse=True):
            with pytest.raises(ValueError, match="specified shape"):
                v1.get_variable("w", [3])
            with pytest.raises(ValueError, match="dtype"):
                v1.get_variable("w", [2], tf.float64)
        with pytest.raises(ValueError, match="shape"):
            v1.get_variable("s")
        with pytest.raises(ValueError, match="do not specify shape"):
            v1.get_variable("c", [2], initializer=tf.constant([1.0, 2.0]))
        with pytest.raises(TypeError, match="default_name"):
            v1.variable_scope(None)


@behaviour("I10")
def test_eagerly_each_variable_is_a_new_one():
    with v1.variable_scope("layer"):
        first = v1.get_variable("w", [2], initializer=v1.zeros_initializer())
        second = v1.get_variable("w", [2], initializer=v1.ones_initializer())

    assert (first.name, second.name) == ("layer/w:0", "layer/w:0")
    assert (first.numpy().tolist(), second.numpy().tolist()) == ([0.0, 0.0], [1.0, 1.0])


@behaviour("I10")
def test_integers_start_at_zero_and_floats_at_glorot_s_numbers():
    n = v1.get_variable("n", [3], dtype=tf.int32)
    w = v1.get_variable("w", [50, 50])

    assert n.numpy().tolist() == [0, 0, 0]
    assert 0.2 < np.abs(w.numpy()).max() <= np.sqrt(6 / 100)


INITIALIZERS = {
    "zeros": (v1.zeros_initializer(), 0.0, 0.0),
    "ones": (v1.ones_initializer(), 1.0, 0.0),
    "constant": (v1.constant_initializer(2.5), 2.5, 0.0),
    "uniform": (v1.random_uniform_initializer(1.0, 3.0), 2.0, 2 / np.sqrt(12)),
    "normal": (v1.random_normal_initializer(1.0, 2.0), 1.0, 2.0),
    "truncated": (v1.truncated_normal_initializer(1.0, 2.0), 1.0, 2.0 * 0.8796),
    "scaled": (v1.variance_scaling_initializer(2.0), 0.0, np.sqrt(2 / 200)),
    "scaled uniform": (v1.variance_scaling_initializer(2.0, "fan_out", "uniform"), 0.0, 0.1),
    "glorot uniform": (v1.glorot_uniform_initializer(), 0.0, np.sqrt(2 / 400)),
    "glorot normal": (v1.glorot_normal_initializer(), 0.0, np.sqrt(2 / 400)),
    "unit": (v1.uniform_unit_scaling_initializer(), 0.0, np.sqrt(1 / 200)),
}


@behaviour("I10")
@pytest.mark.parametrize("name", INITIALIZERS)
def test_initializers_give_numbers_of_their_distribution(name: str):
    make, mean, deviation = INITIALIZERS[name]
    numbers = make([200, 200]).numpy()

    assert numbers.dtype == np.float32
    np.testing.assert_allclose(numbers.mean(), mean, atol=0.04)
    np.testing.assert_allclose(numbers.std(), deviation, rtol=0.05, atol=1e-6)


@behaviour("I10")
def test_orthogonal_numbers():
    q = v1.orthogonal_initializer(seed=1)([3, 2, 4]).numpy().reshape(6, 4)

    np.testing.assert_allclose(q.T @ q, np.eye(4), atol=1e-5)
    with pytest.raises(ValueError, match="two-dimensional"):
        v1.orthogonal_initializer()([3])


@behaviour("I10")
@pytest.mark.parametrize(
    ("partitioner", "expected"),
    [
        (v1.fixed_size_partitioner(3, axis=1), [1, 2]),
        (v1.fixed_size_partitioner(3), [3, 1]),
        (v1.variable_axis_size_partitioner(16), [3, 1]),
        (v1.variable_axis_size_partitioner(1, max_shards=2), [2, 1]),
        (v1.min_max_variable_partitioner(4, min_slice_size=16), [3, 1]),
        (v1.min_max_variable_partitioner(), [1, 1]),
    ],
)
def test_into_how_many_parts_a_variable_is_cut(partitioner: Any, expected: list[int]):
    assert partitioner(shape=tf.TensorShape([5, 2]), dtype=tf.float32) == expected


@behaviour("I10")
@pytest.mark.parametrize("eager", [False, True])
def test_later_calls_of_a_template_make_no_variables(eager):
    calls = []

    def function(shape):
        calls.append(shape)
        return v1.get_variable(f"v{len(calls) // 2}", shape)

    with tf.init_scope() if eager else tf.Graph().as_default():
        template = v1.make_template("later", function)
        template([1])
        with pytest.raises(ValueError, match=r"after the first time|does not exist"):
            template([1])
        calls.clear()
        with pytest.raises(ValueError, match=r"specified shape .*2.* and found shape \(1,\)"):
            template([2])


@behaviour("I10")
@pytest.mark.parametrize("at_once", [False, True])
def test_each_call_of_a_template_has_its_scope_of_names(at_once):
    def function(x):
        return tf.multiply(x, v1.get_variable("k", initializer=3.0), name="mul")

    with tf.Graph().as_default():
        first = v1.make_template("q", function, create_scope_now_=at_once)
        second = v1.make_template("q", function)
        names = [template(2.0).name for template in (first, first, second)]

        assert names == ["q/mul:0", "q_1/mul:0", "q_2/mul:0"]
        assert [v.name for v in v1.global_variables()] == ["q/k:0", "q_1/k:0"]
        assert second.var_scope.name == "q_1"


@behaviour("I10")
def test_a_template_asks_its_own_getter_in_each_call():
    seen = []

    def seeing(getter, name, *args, **kwargs):
        seen.append(name)
        return getter(name, *args, **kwargs)

    with tf.Graph().as_default():
        template = v1.make_template("own", lambda: v1.get_variable("v", [1]), custom_getter_=seeing)
        assert template() is template()

    assert seen == ["own/v", "own/v"]


@behaviour("I10")
def test_texts_begin_as_empty_ones():
    with tf.Graph().as_default():
        texts = v1.get_variable("texts", [2], tf.string)
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            assert [b"", b""] == session.run(texts).tolist()


@behaviour("I10")
def test_creators_are_told_whether_variables_are_trainable():
    told = list[Any]()

    def creator(next_creator: Any, **options: Any) -> Any:
        told.append(options["trainable"])
        return next_creator(**options)

    with tf.Graph().as_default(), v1.variable_creator_scope(creator):
        v1.get_variable("weight", [1])
        v1.get_variable("mean", [1], trainable=False)
    assert [True, False] == told
