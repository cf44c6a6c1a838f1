"""Runs of several steps, `Session.partial_run`: statement I10."""

from __future__ import annotations

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1


@behaviour("I10")
def test_a_run_in_steps_takes_feeds_as_they_come():
    with tf.Graph().as_default(), v1.Session() as session:
        a, b, c = (v1.placeholder(tf.float32, [], name=name) for name in "abc")
        total = a + b
        product = total * c
        run = session.partial_run_setup([total, product], [a, b, c])
        first = session.partial_run(run, total, {a: 1.0, b: 2.0})

        assert (3.0, 9.0) == (first, session.partial_run(run, product, {c: first}))


@behaviour("I10")
def test_what_ran_in_one_step_does_not_run_again_in_the_next():
    with tf.Graph().as_default(), v1.Session() as session:
        a, c = v1.placeholder(tf.float32, []), v1.placeholder(tf.float32, [])
        v = tf.Variable(1.0)
        drawn = tf.random.uniform([]) + v.assign_add(a)
        first, second = drawn + a, drawn * c
        session.run(v.initializer)
        run = session.partial_run_setup([first, second], [a, c])
        shown = session.partial_run(run, first, {a: 2.0})

        assert session.partial_run(run, second, {c: 3.0}) == pytest.approx((shown - 2) * 3)
        assert 3.0 == session.run(v)


@behaviour("I10")
@pytest.mark.parametrize("fed", [(1.0, 2.0), (1.0, None)])
def test_only_what_was_announced_and_is_fed_is_fetched(fed):
    with tf.Graph().as_default(), v1.Session() as session:
        a, b = v1.placeholder(tf.float32, []), v1.placeholder(tf.float32, [])
        total, other = a + b, a * b
        run = session.partial_run_setup([total], [a, b])
        feeds = {one: value for one, value in zip((a, b), fed, strict=True) if value is not None}
        wanted = other if len(feeds) == 2 else total

        with pytest.raises(tf.errors.InvalidArgumentError):
            session.partial_run(run, wanted, feeds)


@behaviour("I10")
def test_nothing_is_fed_twice():
    with tf.Graph().as_default(), v1.Session() as session:
        a, b = v1.placeholder(tf.float32, []), v1.placeholder(tf.float32, [])
        twice, total = a + a, a + b
        run = session.partial_run_setup([twice, total], [a, b])
        session.partial_run(run, twice, {a: 1.0})

        with pytest.raises(tf.errors.InvalidArgumentError):
            session.partial_run(run, total, {a: 1.0, b: 1.0})


@behaviour("I10")
def test_a_gradient_is_overridden_for_operations_made_within():
    names = []

    @tf.RegisterGradient("PartialRunsFlipped")
    def flipped(op, gradient):
        names.append(op.name)
        return -2.0 * gradient

    with tf.Graph().as_default() as graph, v1.Session() as session:
        x = tf.constant([1.0, -2.0])
        with graph.gradient_override_map({"Relu": "PartialRunsFlipped"}):
            y = tf.nn.relu(x, name="y")
        z = tf.nn.relu(y)
        (found,) = v1.gradients(z, x)

        assert [-2.0, 0.0] == session.run(found).tolist()
    assert names == ["y"]
    assert b"PartialRunsFlipped" == y.op.get_attr("_gradient_op_type")
    assert b"PartialRunsFlipped" == y.op.node_def.attr["_gradient_op_type"].s


@behaviour("I10")
def test_gradients_of_imported_graphs_are_overridden_too():
    @tf.RegisterGradient("PartialRunsTripled")
    def tripled(op, gradient):
        return 3.0 * gradient

    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [], name="x")
        with graph.gradient_override_map({"Identity": "PartialRunsTripled"}):
            tf.identity(x, name="y")
        saved = graph.as_graph_def()
    with tf.Graph().as_default(), v1.Session() as session:
        x, y = v1.import_graph_def(saved, return_elements=["x:0", "y:0"], name="")

        assert 3.0 == session.run(v1.gradients(y, x)[0], {x: 5.0})


@behaviour("I10")
@pytest.mark.parametrize("wrong", [3, {3: "a"}, {"a": 3}])
def test_what_overrides_gradients_has_to_be_names(wrong):
    graph = tf.Graph()

    with pytest.raises(TypeError, match="mapping strings"), graph.gradient_override_map(wrong):
        pass


@behaviour("I10")
def test_a_name_that_is_not_registered_is_refused_when_asked():
    with tf.Graph().as_default() as graph:
        x = tf.constant(1.0)
        with graph.gradient_override_map({"Identity": "NobodyKnowsThis"}):
            y = tf.identity(x)
        with pytest.raises(LookupError, match="No gradient defined"):
            v1.gradients(y, x)
