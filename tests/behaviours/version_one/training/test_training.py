"""Optimizers, learning rates and savers of TensorFlow 1: statement I10."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf

v1 = tf.compat.v1
train = v1.train

DRAWN = np.random.default_rng(0)
X, Y, W, ROWS = (
    DRAWN.normal(size=shape).astype(np.float32) for shape in ((8, 3), (8, 2), (3, 2), (6, 4))
)

# What five steps make of the first row of `W` and the second of `ROWS`, as TensorFlow 2.21 says.
OPTIMIZERS = {
    "gradient descent": lambda: train.GradientDescentOptimizer(0.1),
    "momentum": lambda: train.MomentumOptimizer(0.1, 0.9),
    "nesterov": lambda: train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adam": lambda: train.AdamOptimizer(0.05),
    "rmsprop": lambda: train.RMSPropOptimizer(0.05, momentum=0.3),
    "centered": lambda: train.RMSPropOptimizer(0.05, centered=True),
    "adagrad": lambda: train.AdagradOptimizer(0.1),
    "adadelta": lambda: train.AdadeltaOptimizer(1.0),
    "ftrl": lambda: train.FtrlOptimizer(
        0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.02
    ),
    "ftrl with another power": lambda: train.FtrlOptimizer(
        0.1, learning_rate_power=-0.3, l2_shrinkage_regularization_strength=0.1
    ),
    "proximal": lambda: train.ProximalGradientDescentOptimizer(0.1, 0.05, 0.01),
    "proximal adagrad": lambda: train.ProximalAdagradOptimizer(0.1, 0.1, 0.05, 0.01),
}

EXPECTED = {
    "gradient descent": [-0.699857, 0.736789, 0.301658, -1.019918, -0.00376, 0.554118],
    "momentum": [0.103975, -0.364684, 0.212775, -0.719402, -0.002652, 0.390849],
    "nesterov": [0.086405, -0.282774, 0.182615, -0.617428, -0.002276, 0.335446],
    "adam": [-1.010624, 1.265424, 0.11439, -0.95948, -0.028186, 0.409111],
    "rmsprop": [-0.876083, 1.045623, 0.314079, -1.065419, -0.003913, 0.577383],
    "centered": [-0.945872, 1.124609, 0.323803, -1.096797, -0.004035, 0.59505],
    "adagrad": [-0.960814, 1.212608, 0.221132, -0.941558, -0.002552, 0.449676],
    "adadelta": [-1.256788, 1.511646, 0.355105, -1.206041, -0.002556, 0.654198],
    "ftrl": [-0.703893, 1.007163, -0.006131, -0.294672, 0.0, 0.039542],
    "ftrl with another power": [-0.388609, 0.634563, -0.01468, -0.149207, 0.000302, 0.007112],
    "proximal": [-0.674159, 0.713682, 0.276834, -0.991514, 0.0, 0.528036],
    "proximal adagrad": [-0.946522, 1.202625, 0.159538, -0.899969, 0.0, 0.395381],
}  # fmt: skip


def loss_of(w: Any, b: Any, rows: Any, x: Any, y: Any) -> Any:
    misses = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))
    return misses + tf.reduce_mean(tf.square(tf.gather(rows, [1, 3, 1])))


def trained(make: Any) -> tuple[Any, Any]:
    """What five steps in a session make of `W` and `ROWS`."""
    with tf.Graph().as_default(), v1.Session() as session:
        x, y = v1.placeholder(tf.float32, [None, 3]), v1.placeholder(tf.float32, [None, 2])
        w, rows = tf.Variable(W), tf.Variable(ROWS)
        step = train.get_or_create_global_step()
        optimizer = make()
        loss = loss_of(w, tf.Variable([0.0, 0.0]), rows, x, y)
        update = optimizer.minimize(loss, global_step=step)
        session.run(v1.global_variables_initializer())
        for _ in range(5):
            session.run(update, {x: X, y: Y})
        assert session.run(step) == 5
        return session.run([w, rows])


@pytest.mark.sampled
@behaviour("I10")
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers_take_the_same_steps(name: str):
    w, rows = trained(OPTIMIZERS[name])

    np.testing.assert_allclose([*w[0], *rows[1]], EXPECTED[name], 2e-5, 2e-6)
    np.testing.assert_array_equal(rows[0], ROWS[0])  # nobody looked at this row


@pytest.mark.sampled
@behaviour("I10")
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_eagerly_and_in_functions_they_do_the_same(name: str):
    @tf.function
    def step() -> None:
        eager.minimize(lambda: loss_of(w, b, rows, X, Y), var_list=[w, b, rows])

    w, b, rows = tf.Variable(W), tf.Variable([0.0, 0.0]), tf.Variable(ROWS)
    eager = OPTIMIZERS[name]()
    eager.minimize(lambda: loss_of(w, b, rows, X, Y), var_list=[w, b, rows])
    for _ in range(4):
        step()

    np.testing.assert_allclose(
        [*w.numpy()[0], *rows.numpy()[1]], EXPECTED[name], rtol=2e-5, atol=2e-6
    )


@behaviour("I10")
def test_slots_and_averages_are_called_by_the_scope_that_is_entered():
    with tf.Graph().as_default():
        with v1.variable_scope("a"), v1.name_scope("n"):
            w = v1.get_variable("w", [2])
            loss = tf.reduce_sum(w * w)
            train.AdamOptimizer(0.1).minimize(loss)
            train.MomentumOptimizer(0.1, 0.9).minimize(loss)
            train.ExponentialMovingAverage(0.9, name="Mean").apply([w])

        assert [v.op.name for v in v1.global_variables()] == [
            "a/w", "a/n/beta1_power", "a/n/beta2_power", "a/a/w/Adam", "a/a/w/Adam_1",
            "a/a/w/Momentum", "a/a/w/Mean",
        ]  # fmt: skip


@behaviour("I10")
def test_a_checkpoint_has_all_that_a_scope_is_to_start_at(tmp_path: Any):
    with tf.Graph().as_default(), v1.Session() as session:
        v1.get_variable("old/a", [])
        session.run(v1.global_variables_initializer())
        path = train.Saver().save(session, str(tmp_path / "m"))
    with tf.Graph().as_default():
        v1.get_variable("new/b", [])
        with pytest.raises(ValueError, match=r"Tensor old/b .*is not found"):
            train.init_from_checkpoint(path, {"old/": "new/"})


@behaviour("I10")
def test_what_optimizers_make():
    with tf.Graph().as_default():
        w = v1.get_variable("w", [2], initializer=v1.ones_initializer())
        optimizer = train.AdamOptimizer(0.1)
        pairs = optimizer.compute_gradients(tf.reduce_sum(w * w))
        update = optimizer.apply_gradients(pairs)

        assert [pair[1] for pair in pairs] == [w]
        assert update.name == "Adam"
        assert optimizer.get_slot_names() == ["m", "v"]
        assert [v.name for v in v1.global_variables()] == [
            "w:0", "beta1_power:0", "beta2_power:0", "w/Adam:0", "w/Adam_1:0",
        ]  # fmt: skip
        assert [v.name for v in optimizer.variables()] == [
            "beta1_power:0", "beta2_power:0", "w/Adam:0", "w/Adam_1:0",
        ]  # fmt: skip
        assert v1.get_collection(v1.GraphKeys.TRAIN_OP) == [update]
        assert v1.trainable_variables() == [w]


@behaviour("I10")
def test_a_constraint_holds_after_each_step():
    with tf.Graph().as_default(), v1.Session() as session:
        w = v1.get_variable("w", initializer=tf.constant([1.0, -1.0]), constraint=tf.nn.relu)
        update = train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(w * w))
        session.run(w.initializer)
        session.run(update)

        np.testing.assert_allclose(session.run(w), [0.8, 0.0], rtol=1e-6)


@behaviour("I10")
def test_users_write_optimizers():
    class Signs(train.Optimizer):
        def __init__(self) -> None:
            super().__init__(False, "Signs")

        def _create_slots(self, var_list: Any) -> None:
            for one in var_list:
                self._zeros_slot(one, "last", self._name)

        def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
            last = self.get_slot(var, "last")
            kept = last.assign(grad).op
            return tf.group(var.assign_sub(tf.sign(grad)).op, kept)

    with tf.Graph().as_default(), v1.Session() as session:
        w = tf.Variable([3.0, -3.0])
        optimizer = Signs()
        update = optimizer.minimize(tf.reduce_sum(w * w))
        session.run(v1.global_variables_initializer())
        session.run(update)

        assert session.run(w).tolist() == [2.0, -2.0]
        assert session.run(optimizer.get_slot(w, "last")).tolist() == [6.0, -6.0]


@behaviour("I10")
def test_what_optimizers_refuse():
    with tf.Graph().as_default():
        optimizer = train.GradientDescentOptimizer(0.1)
        with pytest.raises(ValueError, match="No variables to optimize"):
            optimizer.minimize(tf.constant(1.0))
        v = tf.Variable(1.0)
        with pytest.raises(ValueError, match="No gradients provided"):
            optimizer.minimize(tf.constant(1.0), var_list=[v])
        with pytest.raises(ValueError, match="No variables provided"):
            optimizer.apply_gradients([])
    with pytest.raises(RuntimeError, match="should be a function"):
        optimizer.minimize(tf.constant(1.0))
    with pytest.raises(ValueError, match="must be positive"):
        train.AdagradOptimizer(0.1, 0.0)


RATES = {
    "exponential": (lambda s: train.exponential_decay(0.1, s, 10, 0.5), [0.1, 0.065975, 0.010153]),
    "in stairs": (lambda s: train.exponential_decay(0.1, s, 10, 0.5, True), [0.1, 0.1, 0.0125]),
    "natural": (lambda s: train.natural_exp_decay(0.1, s, 10, 0.5), [0.1, 0.074082, 0.019205]),
    "inverse": (lambda s: train.inverse_time_decay(0.1, s, 10, 0.5), [0.1, 0.076923, 0.037736]),
    "polynomial": (lambda s: train.polynomial_decay(0.1, s, 20, 0.01, 2.0), [0.1, 0.0541, 0.01]),
    "cyclic": (
        lambda s: train.polynomial_decay(0.1, s, 20, 0.01, 0.5, cycle=True),
        [0.1, 0.085299, 0.04765],
    ),
    "piecewise": (lambda s: train.piecewise_constant(s, [5, 15], [0.3, 0.2, 0.1]), [0.3, 0.2, 0.1]),
    "cosine": (lambda s: train.cosine_decay(0.1, s, 20, 0.1), [0.1, 0.08145, 0.01]),
    "restarted": (
        lambda s: train.cosine_decay_restarts(0.1, s, 7, alpha=0.1), [0.1, 0.014456, 0.065013],
    ),
    "restarted alike": (
        lambda s: train.cosine_decay_restarts(0.1, s, 7, t_mul=1.0, m_mul=0.9),
        [0.1, 0.004952, 0.012351],
    ),
    "linear cosine": (lambda s: train.linear_cosine_decay(0.1, s, 20), [0.1001, 0.055672, 0.0001]),
}  # fmt: skip


@behaviour("I10")
@pytest.mark.parametrize("name", RATES)
def test_learning_rates_decay(name: str):
    rate, expected = RATES[name]
    with tf.Graph().as_default(), v1.Session() as session:
        step = v1.placeholder(tf.int32, [])
        decayed = rate(step)
        found = [session.run(decayed, {step: number}) for number in (0, 6, 33)]

    np.testing.assert_allclose(found, expected, rtol=1e-4)
    eager = rate(tf.constant(6))
    np.testing.assert_allclose(float(eager()), expected[1], rtol=1e-4)


NAMES = {
    "exponential": "ExponentialDecay:0", "in stairs": "ExponentialDecay:0",
    "natural": "ExponentialDecay:0", "inverse": "InverseTimeDecay:0",
    "polynomial": "PolynomialDecay:0", "cyclic": "PolynomialDecay:0",
    "cosine": "CosineDecay/Mul_3:0", "restarted": "SGDRDecay:0", "restarted alike": "SGDRDecay:0",
    "linear cosine": "LinearCosineDecay:0",
}  # fmt: skip


@behaviour("I10")
@pytest.mark.parametrize("name", NAMES)
def test_learning_rates_are_called_as_their_blocks(name: str):
    with tf.Graph().as_default():
        assert RATES[name][0](v1.placeholder(tf.int32, [])).name == NAMES[name]


def saved(folder: Path) -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        v1.get_variable("a", initializer=tf.constant([1.0, 2.0]))
        train.create_global_step()
        session.run(v1.global_variables_initializer())
        saver = train.Saver(max_to_keep=2)
        paths = [saver.save(session, str(folder / "model"), step) for step in range(4)]
        assert paths[-1] == str(folder / "model-3")
        assert [Path(one).name for one in saver.last_checkpoints] == ["model-2", "model-3"]


@behaviour("I10")
def test_a_saver_keeps_the_last_checkpoints(tmp_path: Path):
    saved(tmp_path)

    assert tf.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "model-3")
    assert sorted(os.listdir(tmp_path)) == ["checkpoint"] + [
        f"model-{number}.{ending}"
        for number in (2, 3)
        for ending in ("data-00000-of-00001", "index", "meta")
    ]
    assert sorted(tf.train.list_variables(str(tmp_path))) == [("a", [2]), ("global_step", [])]


@behaviour("I10")
def test_a_saver_restores_what_has_no_value_yet(tmp_path: Path):
    saved(tmp_path)
    with tf.Graph().as_default(), v1.Session() as session:
        renamed = v1.get_variable("b", [2])
        train.Saver({"a": renamed}).restore(session, str(tmp_path / "model-2"))

        assert session.run(renamed).tolist() == [1.0, 2.0]
        with pytest.raises(ValueError, match="not a valid checkpoint"):
            train.Saver().restore(session, str(tmp_path / "none"))
        with pytest.raises(ValueError, match="when it is None"):
            train.Saver().restore(session, None)
        with pytest.raises(tf.errors.NotFoundError):
            train.Saver().restore(session, str(tmp_path / "model-2"))
        with pytest.raises(ValueError, match="No variables to save"):
            train.Saver({})


@behaviour("I10")
@differs
def test_a_saver_refuses_values_of_another_shape(tmp_path: Path):
    saved(tmp_path)
    with tf.Graph().as_default(), v1.Session() as session:
        saver = train.Saver({"a": v1.get_variable("c", [3])})

        with pytest.raises(tf.errors.InvalidArgumentError, match="shapes"):
            saver.restore(session, str(tmp_path / "model-2"))


@behaviour("I10")
def test_variables_start_at_a_checkpoint(tmp_path: Path):
    saved(tmp_path)
    with tf.Graph().as_default(), v1.Session() as session:
        with v1.variable_scope("new"):
            a = v1.get_variable("a", [2])
        train.init_from_checkpoint(str(tmp_path), {"/": "new/"})
        session.run(v1.global_variables_initializer())

        assert session.run(a).tolist() == [1.0, 2.0]


@behaviour("I10")
def test_the_global_step_is_one_variable_of_the_graph():
    with tf.Graph().as_default(), v1.Session() as session:
        assert train.get_global_step() is None
        step = train.get_or_create_global_step()

        assert train.get_or_create_global_step() is step
        assert (step.name, step.dtype, step.trainable) == ("global_step:0", tf.int64, False)
        session.run(step.initializer)
        assert train.global_step(session, step) == 0
        with pytest.raises(ValueError, match="already exists"):
            train.create_global_step()


@behaviour("I10")
def test_steps_of_optimizers_are_called_as_they_are():
    made = [
        (v1.train.MomentumOptimizer(0.1, 0.9), "Momentum"),
        (v1.train.AdamOptimizer(0.1), "Adam"),
        (v1.train.RMSPropOptimizer(0.1), "RMSProp"),
        (v1.train.FtrlOptimizer(0.1), "Ftrl"),
    ]
    with tf.Graph().as_default():
        v = v1.get_variable("v", initializer=1.0)
        names = [one.minimize(v * v).name for one, _ in made]

    assert [name for _, name in made] == names
