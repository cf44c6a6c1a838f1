"""Graphs of TensorFlow 1 with variables, in sessions: statement I10."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1

Pair = namedtuple("Pair", "first second")


def kinds(graph: Any) -> list[tuple[str, str]]:
    return [(op.type, op.name) for op in graph.get_operations()]


@behaviour("I10")
def test_a_variable_of_a_graph_is_made_of_operations():
    with tf.Graph().as_default() as graph:
        v = tf.Variable(2.0, name="v")

    assert kinds(graph) == [
        ("Const", "v/Initializer/initial_value"),
        ("VarHandleOp", "v"),
        ("VarIsInitializedOp", "v/IsInitialized/VarIsInitializedOp"),
        ("AssignVariableOp", "v/Assign"),
        ("ReadVariableOp", "v/Read/ReadVariableOp"),
    ]
    assert (v.name, v.op.type, v.initializer.name) == ("v:0", "VarHandleOp", "v/Assign")
    assert v.graph is graph
    with graph.as_default():
        assert v.initial_value.name == "v/Initializer/initial_value:0"
    assert isinstance(v, tf.Variable)
    assert str(v) == "<tf.Variable 'v:0' shape=() dtype=float32>"


@behaviour("I10")
def test_names_of_variables_are_unique_and_scoped():
    with tf.Graph().as_default():
        named = [tf.Variable(1.0, name="v"), tf.Variable(1.0, name="v"), tf.Variable(1.0)]
        with tf.name_scope("layer"):
            named.append(tf.Variable(1.0, name="v"))

    assert [v.name for v in named] == ["v:0", "v_1:0", "Variable:0", "layer/v:0"]


@behaviour("I10")
def test_initial_values_may_depend_on_variables_that_come_before():
    with tf.Graph().as_default(), v1.Session() as session:
        first = tf.Variable(tf.constant([1.0, 2.0]))
        second = tf.Variable(first.initial_value * 2.0)
        session.run(v1.global_variables_initializer())

        assert session.run(second).tolist() == [2.0, 4.0]


@behaviour("I10")
def test_a_session_says_which_variables_have_no_value():
    with tf.Graph().as_default(), v1.Session() as session:
        v, w = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="w")
        missing = v1.report_uninitialized_variables()
        known = [v1.is_variable_initialized(one) for one in (v, w)]

        assert session.run(missing).tolist() == [b"v", b"w"]
        session.run(w.initializer)
        assert session.run(missing).tolist() == [b"v"]
        assert session.run(known) == [False, True]


@behaviour("I10")
def test_fetches_are_nests():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32)
        v = tf.Variable([1.0])
        session.run(v.initializer)
        doubled = x * 2.0

        pair = session.run(Pair(x, [doubled, (doubled,)]), {x: 3.0})
        assert type(pair) is Pair
        assert pair == Pair(3.0, [6.0, (6.0,)])
        ordered = session.run(OrderedDict(z=x, a=doubled), {x: 1.0})
        assert type(ordered) is OrderedDict
        assert list(ordered.items()) == [("z", 1.0), ("a", 2.0)]
        assert session.run([], {x: 1.0}) == []
        assert session.run({"v": v})["v"].tolist() == [1.0]


@behaviour("I10")
def test_sparse_tensors_are_fed_and_fetched():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.sparse_placeholder(tf.float32)
        dense = tf.sparse.to_dense(x)
        value = v1.SparseTensorValue([[0, 1]], [2.0], [2, 2])

        assert session.run(dense, {x: value}).tolist() == [[0.0, 2.0], [0.0, 0.0]]
        assert session.run(dense, {x: ([[1, 0]], [3.0], [2, 1])}).tolist() == [[0.0], [3.0]]
        of_all = [tf.sparse.reduce_sum(x), tf.sparse.reduce_max(x), tf.sparse.reduce_max(x) * 2]
        assert session.run(of_all, {x: ([[0, 1], [1, 0]], [-2.0, -3.0], [2, 2])}) == [-5, -2, -4]
        assert session.run(of_all, {x: ([[0, 1, 0]], [-3.0], [1, 2, 1])}) == [-3, -3, -6]
        again = session.run(x, {x: value})
        assert isinstance(again, v1.SparseTensorValue)
        assert again.values.tolist() == [2.0]
        assert v1.sparse_placeholder(tf.float32, [None, 2]).shape.as_list() == [None, 2]


@behaviour("I10")
def test_fed_arrays_take_the_placeholder_s_dtype():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None])
        n = v1.placeholder(tf.int32, [])

        assert session.run(x * 2, {x: np.array([1.5, 2.0])}).dtype == np.float32
        assert session.run(x, {x: [1, 2]}).tolist() == [1.0, 2.0]
        assert session.run(n + 1, {n: 2.0}) == 3
        with pytest.raises(TypeError):
            session.run(x, {x: x})
        with pytest.raises(ValueError, match="could not convert"):
            session.run(x, {x: ["a"]})


@behaviour("I10")
def test_a_placeholder_may_have_a_default():
    with tf.Graph().as_default() as graph, v1.Session() as session:
        rate = v1.placeholder_with_default([0.5], [None], name="rate")
        total = rate * 2.0

        assert session.run(total).tolist() == [1.0]
        assert session.run(total, {rate: [1.0, 2.0]}).tolist() == [2.0, 4.0]
        assert rate.shape.as_list() == [None]
        assert graph.get_operation_by_name("rate").type == "PlaceholderWithDefault"


@behaviour("I10")
def test_a_callable_runs_the_same_fetches():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32)
        double = session.make_callable(x * 2.0, [x])

        assert [double(1.0), double(2.0)] == [2.0, 4.0]


@behaviour("I10")
def test_an_interactive_session_is_the_default_one():
    with tf.Graph().as_default():
        session = v1.InteractiveSession()
        try:
            assert tf.constant(3.0).eval() == 3.0
            v = tf.Variable(2.0)
            v.initializer.run()
            assert v.eval() == 2.0
            v.load(5.0)
            assert v.eval() == 5.0
        finally:
            session.close()


@behaviour("I10")
def test_tensors_and_variables_of_graphs_are_equal_to_themselves_only():
    with tf.Graph().as_default():
        a, b, v = tf.constant(1.0), tf.constant(1.0), tf.Variable(1.0)

        assert ((a == b), (a == a), (a != b), (v == 1.0), (v == v)) == (
            False, True, True, False, True,
        )  # fmt: skip
        assert {a: 1, v: 2}[a] == 1


@behaviour("I10")
def test_assignments_run_when_they_are_fetched():
    with tf.Graph().as_default(), v1.Session() as session:
        v = tf.Variable([1.0, 2.0])
        more, less = v1.assign_add(v, [1.0, 1.0]), v1.assign_sub(v, [0.5, 0.5])
        new = v1.assign(v, [7.0, 8.0])
        session.run(v.initializer)

        assert session.run(more).tolist() == [2.0, 3.0]
        assert session.run(less).tolist() == [1.5, 2.5]
        assert session.run(new).tolist() == [7.0, 8.0]
        assert session.run(v).tolist() == [7.0, 8.0]


@behaviour("I10")
def test_a_loop_and_a_branch_change_variables():
    with tf.Graph().as_default(), v1.Session() as session:
        v, n = tf.Variable(0), v1.placeholder(tf.int32, [])
        turns = tf.while_loop(lambda i: i < n, lambda i: [i + v.assign_add(i) * 0 + 1], [0])
        chosen = tf.cond(n > 2, lambda: v.assign_add(100), lambda: v.assign_add(-100))
        session.run(v.initializer)

        session.run(turns, {n: 4})
        assert session.run(v) == 6
        session.run(chosen, {n: 3})
        assert session.run(v) == 106


@behaviour("I10")
def test_a_graph_does_not_ask_for_the_seed_of_eager_execution():
    def drawn(seed: int | None) -> list[Any]:
        tf.random.set_seed(seed)
        with tf.Graph().as_default(), v1.Session() as session:
            shuffled = v1.data.Dataset.range(9).shuffle(9, seed=1).batch(9)
            elements = v1.data.make_one_shot_iterator(shuffled).get_next()
            branches = tf.cond(
                tf.constant(True), lambda: tf.random.normal([2], seed=3), lambda: tf.zeros([2])
            )
            numbers = [tf.random.normal([2], seed=3), branches, elements]
            return [one.tolist() for one in session.run(numbers)]

    first, second = drawn(7), drawn(8)
    assert first == second
    np.testing.assert_allclose(first[0], [1.0616621, -0.8785783], rtol=1e-6)


def test_a_seed_of_the_graph_makes_its_numbers_the_same():
    def drawn() -> Any:
        with tf.Graph().as_default(), v1.Session() as session:
            v1.set_random_seed(7)
            plain = tf.random.normal([2])
            w = v1.get_variable("w", [2])
            n = v1.get_variable("n", [3], initializer=v1.truncated_normal_initializer(stddev=0.1))
            session.run(v1.global_variables_initializer())
            return [one.tolist() for one in session.run([plain, w, n])]

    assert drawn() == drawn()
    expected = [
        [0.3536911, 0.6635877], [-0.0970614, 1.049651], [-0.14716817, -0.06164556, -0.03706751],
    ]  # fmt: skip
    for numbers, wanted in zip(drawn(), expected, strict=True):
        np.testing.assert_allclose(numbers, wanted, rtol=1e-6)


@behaviour("I10")
def test_collections_keep_what_is_added():
    with tf.Graph().as_default() as graph:
        v1.add_to_collection("losses", 1)
        v1.add_to_collections(["losses", "more"], 2)
        v = tf.Variable(1.0, name="a/v")
        w = v1.Variable(1.0, name="b/w", trainable=False)
        local = v1.get_local_variable("seen", initializer=tf.constant(0))
        own = v1.Variable(1.0, collections=["mine"])

        assert v1.get_collection("losses") == [1, 2]
        assert v1.get_collection_ref("more") == [2]
        assert v1.global_variables() == [v, w]
        assert v1.global_variables("b/") == [w]
        assert v1.trainable_variables() == [v, own]
        assert v1.local_variables() == [local]
        assert v1.get_collection("mine") == [own]
        assert set(graph.get_all_collection_keys()) == {
            "losses", "more", "variables", "trainable_variables", "local_variables", "mine",
        }  # fmt: skip
        graph.clear_collection("losses")
        assert v1.get_collection("losses") == []


@behaviour("I10")
def test_members_of_a_graph():
    graph = tf.Graph()
    with graph.as_default(), graph.name_scope("scope") as scope:
        x, before = tf.constant(1.0, name="x"), tf.constant(1.0, name="before")
        with graph.control_dependencies([before]):
            y = tf.identity(x, name="y")
        assert graph.get_name_scope() == "scope"

    assert (scope, x.name, graph.version) == ("scope/", "scope/x:0", 3)
    assert [op.name for op in y.op.control_inputs] == ["scope/before"]
    made = graph.create_op("Neg", [x], name="negative")
    assert v1.Session(graph=graph).run(made.outputs[0]) == -1.0
    assert graph.is_feedable(x)
    graph.prevent_feeding(x)
    assert not graph.is_feedable(x)
    with pytest.raises(ValueError, match="may not be fed"):
        v1.Session(graph=graph).run(y, {x: 1.0})
    graph.finalize()
    assert graph.finalized
    with pytest.raises(RuntimeError, match="finalized"), graph.as_default():
        tf.constant(1.0)


@behaviour("I10")
def test_an_empty_graph_does_not_run():
    with pytest.raises(RuntimeError, match="graph is empty"):
        v1.Session(graph=tf.Graph()).run("x:0")


@behaviour("I10")
def test_what_cannot_be_done_eagerly():
    with pytest.raises(RuntimeError, match="not compatible with eager execution"):
        v1.placeholder(tf.float32)
    assert v1.global_variables_initializer() is None
    assert v1.get_default_graph() is v1.get_default_graph()
    assert v1.executing_eagerly_outside_functions()


@behaviour("I10")
def test_variables_of_tensorflow_1_are_fetched_as_they_are_after_the_run():
    v1.disable_resource_variables()
    try:
        with tf.Graph().as_default(), v1.Session() as session:
            v = v1.get_variable("v", initializer=1.0)
            w = v1.get_variable("w", initializer=1.0, use_resource=True)
            session.run(v1.global_variables_initializer())
            raised = v1.assign_add(v, 1.0)
            assert [2.0, 2.0, 1.0] == session.run([raised, v, w])
            assert 3.0 == session.run([raised.op, "v:0"])[1]
            assert 7.0 == session.run(v, {v: 7.0})
            assert "float32_ref" in repr(v)
            assert not v1.resource_variables_enabled()
    finally:
        v1.enable_resource_variables()
    assert v1.resource_variables_enabled()


@behaviour("I10")
def test_a_table_has_the_constants_of_its_graph():
    with tf.Graph().as_default(), v1.Session() as session:
        entries = tf.lookup.KeyValueTensorInitializer(tf.constant(["a", "b"]), tf.constant([1, 2]))
        found = tf.lookup.StaticHashTable(entries, -1).lookup(tf.constant(["b", "z"]))
        session.run(v1.tables_initializer())

        assert session.run(found).tolist() == [2, -1]


@behaviour("I10")
def test_a_table_is_empty_until_its_session_fills_it():
    with tf.Graph().as_default() as graph:
        entries = tf.lookup.KeyValueTensorInitializer(["a"], tf.constant([1], tf.int64))
        table = tf.lookup.StaticVocabularyTable(entries, 2)
        found, size = table.lookup(tf.constant(["a"])), table.size()
        elements = tf.data.Dataset.from_tensor_slices(["a"]).map(table.lookup)
        iterator = v1.data.make_initializable_iterator(elements)
        after = iterator.get_next()
        fill = v1.tables_initializer()

    assert ("HashTableV2", "hash_table") in kinds(graph)
    with v1.Session(graph=graph) as session, v1.Session(graph=graph) as other:
        session.run([fill, iterator.initializer])
        assert session.run(found).tolist() == [1]
        assert (session.run(size), session.run(after)) == (3, 1)
        assert other.run(size) == 2
        with pytest.raises(tf.errors.FailedPreconditionError):
            other.run(found)


@behaviour("I10")
def test_a_constant_waits_for_what_it_depends_on():
    with tf.Graph().as_default(), v1.Session() as session:
        seen = v1.get_variable("seen", initializer=0)
        with tf.control_dependencies([seen.assign_add(1)]):
            done = tf.constant(5)
        session.run(seen.initializer)

        assert [session.run(done), session.run(seen)] == [5, 1]
