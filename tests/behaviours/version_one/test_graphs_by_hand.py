"""What is left of TensorFlow 1, and the types of functions: statement I10."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1


def doubled() -> tuple[Any, Any, Any]:
    """A graph, its placeholder `x` and `total`, the sum of `x * 2 + 1`."""
    graph = tf.Graph()
    with graph.as_default():
        x = v1.placeholder(tf.float32, [None], name="x")
        total = tf.reduce_sum(x * 2 + 1, name="total")
    return graph, x, total


@behaviour("I10")
def test_operations_go_into_the_graph_that_is_entered():
    graph, x, total = doubled()

    assert [op.type for op in graph.get_operations()] == [
        "Placeholder", "Const", "Mul", "Const", "AddV2", "Const", "Sum",
    ]  # fmt: skip
    assert (x.graph is graph, total.graph is graph, total.name) == (True, True, "total:0")
    assert isinstance(graph, tf.Graph)
    assert not graph.building_function
    with graph.as_default():
        assert v1.get_default_graph() is graph


@behaviour("I10")
def test_a_session_runs_what_is_fetched():
    graph, x, total = doubled()
    session = v1.Session(graph=graph)

    assert session.run(total, {x: [1.0, 2.0]}) == 8.0
    assert session.run("total:0", {"x:0": np.array([1.0])}) == 3.0
    assert type(session.run(total, {x: [1.0]})) is np.float32
    fetched = session.run([total, {"a": graph.get_tensor_by_name("mul:0")}, total.op], {x: [1.0]})
    assert fetched[0] == 3.0
    assert fetched[1]["a"].tolist() == [2.0]
    assert fetched[2] is None


@behaviour("I10")
def test_the_default_session_evaluates_tensors():
    graph, x, total = doubled()
    with pytest.raises(ValueError, match="session"):
        total.eval({x: [1.0]})
    with v1.Session(graph=graph) as session:
        assert v1.get_default_session() is session
        assert total.eval({x: [1.0]}) == 3.0
        assert total.op.run({x: [1.0]}) is None
    assert v1.get_default_session() is None
    assert total.eval({x: [1.0]}, session=v1.Session(graph=graph)) == 3.0


@behaviour("I10")
def test_any_tensor_may_be_fed():
    graph, _, total = doubled()

    assert v1.Session(graph=graph).run(total, {graph.get_tensor_by_name("add:0"): [5.0]}) == 5.0


@behaviour("I10")
def test_what_is_fed_and_fetched_is_the_array_that_was_fed():
    with tf.Graph().as_default(), v1.Session() as session:
        numbers, word = v1.placeholder(tf.float32, [2]), v1.placeholder(tf.string, [])
        count = v1.placeholder(tf.int32, [])
        given = np.array([1.0, 2.0], np.float32)

        fetched, of_list = (session.run(numbers, {numbers: one}) for one in (given, [1, 2]))
        text, number = session.run([word, count], {word: "none", count: 3})

    assert fetched is given
    assert of_list.dtype == np.float32
    assert {type(text), type(number)} == {np.ndarray}
    assert (text.item(), number.item(), number.dtype) == ("none", 3, np.int32)


@behaviour("I10")
def test_a_session_runs_no_more_than_is_needed():
    calls = []
    graph = tf.Graph()
    with graph.as_default():
        x = v1.placeholder(tf.float32, [], name="x")
        noted = tf.numpy_function(lambda x: calls.append(1) or x, [x], tf.float32)
        other = x + 1
        with tf.control_dependencies([noted]):
            after = tf.identity(x)
    with v1.Session(graph=graph) as session:
        assert session.run(other, {x: 1.0}) == 2.0
        assert calls == []
        assert session.run(after, {x: 3.0}) == 3.0
        assert calls == [1]


@behaviour("I10")
def test_what_does_not_fit_a_session():
    graph, x, total = doubled()
    session = v1.Session(graph=graph)
    words = "You must feed a value for placeholder"
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        session.run(total)
    with pytest.raises(ValueError, match=r"for Tensor \w+:0, which has shape \("):
        session.run(total, {x: [[1.0]]})
    with pytest.raises(TypeError, match="has invalid type"):
        session.run(3)
    with pytest.raises(ValueError, match=r"cannot be interpreted as a Tensor.*not in the graph"):
        session.run("absent")
    with pytest.raises(ValueError, match=r"cannot be interpreted as a Tensor.*does not exist"):
        session.run([total, {"a": "absent:0"}], {x: [1.0]})
    for key in ("absent:0", "absent", 3):
        with pytest.raises(TypeError, match="Cannot interpret feed_dict key as Tensor"):
            session.run(total, {key: 1.0})
    with pytest.raises(TypeError, match=r"dict'? must be a dict"):
        session.run(total, [x])
    session.close()
    with pytest.raises(RuntimeError, match="closed Session"):
        session.run(total, {x: [1.0]})


@behaviour("I10")
def test_control_flow_runs_in_a_session():
    graph = tf.Graph()
    with graph.as_default():
        x = v1.placeholder(tf.int32, [])
        power = tf.while_loop(lambda y: y < 100, lambda y: [y * x], [x])
        chosen = tf.cond(x > 5, lambda: x, lambda: -x)
    with v1.Session(graph=graph) as session:
        assert session.run(chosen, {x: 3}) == -3
        assert np.max(session.run(power, {x: 3})) == 243


@behaviour("I10")
def test_tensors_of_a_graph_are_no_use_outside():
    _, _, total = doubled()
    for fails in (lambda: total + 1, lambda: tf.constant(1.0) + total, lambda: tf.identity(total)):
        with pytest.raises(TypeError, match="out of scope"):
            fails()


@behaviour("I10")
def test_a_wrapped_function_is_traced_once_and_can_be_pruned():
    traces = []

    def scaled(x: Any) -> Any:
        traces.append(1)
        v = tf.Variable(2.0, name="v")
        return tf.add(x * v, 1.0, name="sum")

    wrapped = v1.wrap_function(scaled, [tf.TensorSpec([], tf.float32)])
    graph = wrapped.graph
    product = wrapped.prune(graph.inputs[0], graph.get_tensor_by_name("mul:0"))

    assert wrapped(tf.constant(3.0)).numpy() == 7.0
    assert product(tf.constant(3.0)).numpy() == 6.0
    assert traces == [1]
    assert [v.name for v in wrapped.variables] == ["v:0"]
    assert isinstance(wrapped, tf.types.experimental.ConcreteFunction)


@behaviour("I10")
def test_tensors_know_whether_they_are_symbolic():
    seen = []
    tf.function(lambda x: seen.append(tf.is_symbolic_tensor(x)), autograph=False)(tf.constant(1))

    assert seen == [True]
    assert not tf.is_symbolic_tensor(tf.constant(1))
    assert not tf.is_symbolic_tensor(tf.Variable(1))


@behaviour("I10")
def test_functions_have_types():
    f = tf.function(lambda x: x)
    types = tf.types.experimental

    assert isinstance(f, (types.PolymorphicFunction, types.GenericFunction))
    assert isinstance(f, types.PolymorphicFunction)
    assert isinstance(f, types.GenericFunction)
    assert isinstance(f.get_concrete_function(tf.constant(1)), types.ConcreteFunction)


@behaviour("I10")
def test_each_session_has_values_of_its_own_for_variables():
    graph = tf.Graph()
    with graph.as_default():
        v = tf.Variable(2.0)
        more = v.assign_add(1.0)
    first, second = v1.Session(graph=graph), v1.Session(graph=graph)
    with pytest.raises(tf.errors.FailedPreconditionError):
        first.run(v)
    for session in (first, second):
        session.run(v.initializer)
    first.run(more)

    assert (first.run(v), second.run(v)) == (3.0, 2.0)


@pytest.mark.parametrize("name", ["", "mine"])
def test_a_session_keeps_the_tables_of_its_graph(name: str) -> None:
    with tf.Graph().as_default() as graph:
        table = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64, shared_name=name)
        number = v1.placeholder(tf.int64, [1])
        fill = tf.raw_ops.LookupTableImportV2(table_handle=table, keys=["a"], values=number)
        look = tf.raw_ops.LookupTableFindV2(
            table_handle=table, keys=["a", "b"], default_value=tf.constant(-1, tf.int64)
        )
    with v1.Session(graph=graph) as session, v1.Session(graph=graph) as other:
        session.run(fill, {number: [5]})
        other.run(fill, {number: [6]})

        assert ([5, -1], [6, -1]) == (session.run(look).tolist(), other.run(look).tolist())


class _Counted(tf.Module):
    def __init__(self, first: int) -> None:
        super().__init__()
        entries = tf.lookup.KeyValueTensorInitializer([1, 2], [first, first + 1])
        self.numbers = tf.lookup.StaticHashTable(entries, 9)
        names = tf.lookup.KeyValueTensorInitializer(["a"], [first + 5])
        self.names = tf.lookup.StaticHashTable(names, 7)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def __call__(self, x):
        return self.numbers.lookup(x) + self.names.lookup(tf.constant("a"))


@behaviour("I10")
def test_tables_of_models_that_are_written_here_are_filled_in_sessions(tmp_path):
    for first in (11, 31):
        model = _Counted(first)
        tf.saved_model.save(model, str(tmp_path / f"{first}"), signatures=model.__call__)
    for _ in range(2):
        with tf.Graph().as_default(), v1.Session() as session:
            for first in (11, 31):
                meta = v1.saved_model.load(
                    session, ["serve"], str(tmp_path / f"{first}"), f"m{first}"
                )
                signature = meta.signature_def["serving_default"]
                (given,), (found,) = signature.inputs.values(), signature.outputs.values()
                scope = f"m{first}/"
                result = session.run(scope + found.name, {scope + given.name: [1, 5]})
                assert [2 * first + 5, 9 + first + 5] == result.tolist()


@behaviour("I10")
def test_dependencies_are_operations_or_their_names():
    with tf.Graph().as_default():
        first = tf.constant(1, name="first")
        with tf.control_dependencies(["first"]):
            second = tf.no_op()

        assert list(second.control_inputs) == [first.op]
        for wrong, error in [([5], TypeError), ([lambda: 1], TypeError), (["third"], KeyError)]:
            with pytest.raises(error), tf.control_dependencies(wrong):
                pass


@behaviour("I10")
def test_a_global_step_is_an_integer_scalar():
    with tf.Graph().as_default():
        v1.add_to_collection("global_step", tf.constant(1.5))
        with pytest.raises(TypeError):
            v1.train.get_or_create_global_step()


@behaviour("I10")
def test_an_operation_prints_as_its_message_in_a_graph():
    with tf.Graph().as_default():
        x = v1.placeholder(tf.int32, [None, 3], name="x")

    text = """
name: "x"
op: "Placeholder"
attr { key: "dtype" value { type: DT_INT32 } }
attr { key: "shape" value { shape { dim { size: -1 } dim { size: 3 } } } }
"""
    assert sorted(str(x.op).split()) == sorted(text.split())
    assert str(x.op) == str(x.op.node_def)
    assert repr(x.op) == "<tf.Operation 'x' type=Placeholder>"


def test_what_leaves_a_function_is_in_the_graph_around_it_or_runs() -> None:
    places: list[Any] = []

    def leave() -> Any:
        with tf.init_scope():
            places.append((tf.executing_eagerly(), tf.inside_function()))
            return tf.constant(1)

    tf.function(leave)()
    with tf.Graph().as_default():
        leave()
        tf.function(leave)()

    assert places == [(True, True), (False, False), (False, False)]


# --- summaries: sessions write ---


def written(folder: Path) -> list[tuple[int, str]]:
    """The steps and tags in the event files of a folder."""
    events = [
        one for file in sorted(folder.iterdir()) for one in v1.train.summary_iterator(str(file))
    ]
    return [(event.step, value.tag) for event in events for value in event.summary.value]


@behaviour("I10")
@pytest.mark.parametrize("some", [False, True], ids=["all", "some"])
def test_sessions_write_what_they_fetch(tmp_path: Path, some: bool):
    with tf.Graph().as_default() as graph, v1.Session() as session:
        writer = tf.summary.create_file_writer(str(tmp_path))
        step, x = v1.placeholder(tf.int64, []), v1.placeholder(tf.float32, [])
        wanted: Any = tf.equal(step % 2, 0) if some else True
        with writer.as_default(), tf.summary.record_if(wanted):
            v1.summary.initialize(graph=graph)
            loss = tf.summary.scalar("loss", x, step=step)
            tf.summary.text("note", "a", step=step)
        both, flush = v1.summary.all_v2_summary_ops(), writer.flush()
        for k in range(3):
            session.run(both, {x: 0.5, step: k})
        session.run(loss, {x: 0.5, step: 8})
        session.run(flush)

    steps = [0, 2] if some else [0, 1, 2]
    found = written(tmp_path)
    assert [(k, "loss") for k in [*steps, 8]] == [one for one in found if one[1] == "loss"]
    assert [(k, "note") for k in steps] == [one for one in found if one[1] == "note"]


@behaviour("I10")
def test_who_begins_to_write_needs_a_writer_and_a_session(tmp_path: Path):
    with tf.Graph().as_default():
        with v1.Session(), pytest.raises(RuntimeError, match="No default"):
            v1.summary.initialize()
        writer = tf.summary.create_file_writer(str(tmp_path))
        with writer.as_default(), pytest.raises(ValueError, match="session"):
            v1.summary.initialize()


@behaviour("I10")
def test_where_operations_run_at_once_there_is_nothing_to_fetch():
    assert v1.summary.initialize() is None
    assert v1.summary.all_v2_summary_ops() is None
