"""Devices that graphs which are built by hand ask for: I10."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1


def devices(graph):
    return {one.name: one.device for one in graph.get_operations()}


@behaviour("I10")
def test_operations_say_what_blocks_around_them_said():
    with tf.Graph().as_default() as graph, v1.device("/CPU:0"):
        tf.constant(1.0, name="a") + tf.constant(2.0, name="b")
        with v1.device("/job:ps/task:1"):
            v1.placeholder(tf.float32, name="x")
        with v1.device(None):
            tf.constant(1.0, name="c")

    assert devices(graph) == {
        "a": "/device:CPU:0", "b": "/device:CPU:0", "add": "/device:CPU:0",
        "x": "/job:ps/task:1/device:CPU:0", "c": "",
    }  # fmt: skip


@behaviour("I10")
def test_a_function_places_operations_after_the_names_within_it():
    seen = []

    def place(operation):
        seen.append((operation.type, operation.device, [one.name for one in operation.inputs]))
        return "/task:7" if operation.type == "Const" else "/device:CPU:2"

    with tf.Graph().as_default() as graph, v1.device("/job:w"), v1.device(place):
        c = tf.constant(1.0, name="c")
        tf.identity(c, name="d")
        with v1.device("/task:3"):
            tf.constant(4.0, name="e")

    assert devices(graph) == {
        "c": "/job:w/task:7", "d": "/job:w/device:CPU:2", "e": "/job:w/task:7"
    }  # fmt: skip
    assert seen == [("Const", "", []), ("Identity", "", ["c:0"]), ("Const", "/task:3", [])]


@behaviour("I10")
def test_functions_place_what_graphs_by_hand_have_alone():
    with pytest.raises(RuntimeError, match="does not support functions"):
        v1.device(lambda operation: "").__enter__()
    with pytest.raises(RuntimeError, match="does not support functions"):
        tf.device(lambda operation: "").__enter__()
    with tf.Graph().as_default(), pytest.raises(TypeError), v1.device(lambda operation: None):
        tf.constant(1.0)


@behaviour("I10")
def test_variables_go_to_parameter_servers_in_turn():
    setter = v1.train.replica_device_setter(2, worker_device="/job:worker/task:5")
    with tf.Graph().as_default() as graph, v1.device(setter):
        variables = [v1.get_variable(name, initializer=1.0) for name in "abc"]
        total = variables[0] + variables[1]
    found = devices(graph)
    found = devices(graph)

    assert [one.device for one in variables] == [
        "/job:ps/task:0", "/job:ps/task:1", "/job:ps/task:0"
    ]  # fmt: skip
    assert [found[f"b/{part}"] for part in ("Assign", "Read/ReadVariableOp")] == [
        "/job:ps/task:1", "/job:ps/task:1"
    ]  # fmt: skip
    assert (total.device, found["b/Initializer/initial_value"]) == ("/job:worker/task:5", "")


@behaviour("I10")
def test_a_cluster_says_how_many_servers_there_are():
    cluster = {"ps": ["a:1", "b:1", "c:1"], "worker": ["w:1"]}

    def last(operation):
        return 2

    setter = v1.train.replica_device_setter(
        cluster=cluster, ps_device="/job:ps/CPU:0", ps_strategy=last, merge_devices=False
    )
    with tf.Graph().as_default(), v1.device(setter):
        w = v1.get_variable("w", [2])
        with v1.device("/device:CPU:3"):
            kept = v1.get_variable("kept", [2])

    assert (w.device, kept.device) == ("/job:ps/task:2/device:CPU:0", "/device:CPU:3")
    assert v1.train.replica_device_setter(cluster={"worker": ["w:1"]}) is None
    assert v1.train.replica_device_setter() is None
    with pytest.raises(TypeError):
        v1.train.replica_device_setter(cluster=5)


@behaviour("I10")
def test_what_is_colocated_is_where_the_other_is():
    with tf.Graph().as_default() as graph:
        with v1.device("/CPU:1"):
            c = tf.constant(1.0, name="c")
        with v1.device("/CPU:0"), graph.colocate_with(c.op):
            tf.identity(c, name="e")

    assert devices(graph)["e"] == "/device:CPU:1"


@behaviour("I10")
def test_an_imported_graph_keeps_its_devices_below_those_around_it():
    with tf.Graph().as_default() as graph, v1.device("/job:x/CPU:1"):
        tf.constant(1.0, name="c")
    definition = graph.as_graph_def()
    with tf.Graph().as_default() as other, v1.device("/job:y/task:2"):
        tf.graph_util.import_graph_def(definition, name="i")

    assert [node.device for node in definition.node] == ["/job:x/device:CPU:1"]
    assert devices(other) == {"i/c": "/job:x/task:2/device:CPU:1"}


# ---- sessions do what their config says of devices that are not there

HARD = v1.ConfigProto(allow_soft_placement=False)
SOFT = v1.ConfigProto(allow_soft_placement=True)
InvalidArgumentError = tf.errors.InvalidArgumentError


def run(device: str, config: Any, fetches_it: bool = True) -> Any:
    with tf.Graph().as_default(), v1.Session(config=config) as session:
        other = tf.constant(3.0) + 1.0
        with tf.device(device):
            made = tf.constant(1.0) + 1.0
        return session.run(made if fetches_it else other)


@behaviour("I1", "I10")
@pytest.mark.parametrize("config", [None, v1.ConfigProto(), HARD])
@pytest.mark.parametrize("device", ["/GPU:0", "/CPU:7"])
def test_a_device_that_is_absent_is_refused_where_soft_placement_was_not_asked_for(
    device: str, config: Any
) -> None:
    with pytest.raises(InvalidArgumentError, match="Cannot assign a device for operation"):
        run(device, config)


@behaviour("I1", "I10")
@pytest.mark.parametrize("device", ["/GPU:0", "/CPU:7", "/CPU:0", "/job:localhost", "/task:0"])
def test_another_one_is_taken_where_it_was(device: str) -> None:
    assert run(device, SOFT) == 2.0


@behaviour("I1", "I10")
@pytest.mark.parametrize("config", [None, HARD, SOFT])
def test_a_device_of_another_process_is_refused_always(config: Any) -> None:
    with pytest.raises(InvalidArgumentError):
        run("/job:worker/task:1", config)


@behaviour("I1", "I10")
def test_all_of_the_graph_is_looked_at_not_only_what_runs() -> None:
    with pytest.raises(InvalidArgumentError):
        run("/GPU:0", HARD, fetches_it=False)


@behaviour("I1", "I10")
def test_functions_and_branches_of_a_graph_are_looked_at_too() -> None:
    @tf.function
    def double(x: Any) -> Any:
        with tf.device("/GPU:0"):
            return x * 2.0

    def there(x: Any) -> Any:
        with tf.device("/GPU:0"):
            return x * 2.0

    for build in (
        lambda: double(tf.constant(1.0)),
        lambda: tf.while_loop(lambda x: x < 5.0, there, [tf.constant(1.0)]),
    ):
        with tf.Graph().as_default(), v1.Session() as session, pytest.raises(InvalidArgumentError):
            session.run(build())


@behaviour("I1", "I10")
def test_functions_that_branches_and_loops_of_a_graph_call_take_another_device() -> None:
    @tf.function
    def double(x: Any) -> Any:
        with tf.device("/GPU:0"):
            return x * 2.0

    for build in (
        lambda: tf.cond(tf.constant(True), lambda: double(tf.constant(1.0)), lambda: 0.0),
        lambda: tf.while_loop(lambda x: x < 2.0, lambda x: [double(x)], [tf.constant(1.0)])[0],
    ):
        with tf.Graph().as_default(), v1.Session(config=HARD) as session:
            assert session.run(build()) == 2.0


@behaviour("I1", "I10")
def test_operations_that_were_added_since_are_looked_at_with_other_fetches() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        x = tf.constant(1.0)
        assert session.run(x) == 1.0
        with tf.device("/GPU:0"):
            y = x + 1.0
        with pytest.raises(InvalidArgumentError):
            session.run(y)


@behaviour("I1", "I10")
def test_python_functions_run_in_this_process_whatever_job_is_named() -> None:
    def add(x: Any) -> Any:
        with tf.device("/job:worker"):
            return tf.py_function(lambda x: x + 1.0, [x], tf.float32)

    one = tf.constant(1.0)
    assert add(one) == tf.function(add)(one) == 2.0


@behaviour("I1", "I10")
def test_what_eager_operations_may_do_is_not_what_sessions_may() -> None:
    tf.config.set_soft_device_placement(False)
    try:
        assert run("/GPU:0", SOFT) == 2.0
    finally:
        tf.config.set_soft_device_placement(True)


@behaviour("I10")
def test_operations_are_placed_with_those_of_blocks_around_them():
    with tf.Graph().as_default() as graph:
        a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
        with v1.colocate_with(a):
            c = tf.constant(3.0, name="c")
            with v1.colocate_with(b):
                d = tf.constant(4.0, name="d")
            with v1.colocate_with(b, ignore_existing=True):
                e = tf.constant(5.0, name="e")
            with pytest.raises(ValueError, match="ignore_existing"), v1.colocate_with(None):
                pass
        with v1.colocate_with(c):
            f = tf.add(a, b, name="f")
    groups = {one.op.name: one.op.colocation_groups() for one in (a, c, d, e, f)}

    assert groups == {
        "a": [b"loc:@a"], "c": [b"loc:@a"], "d": [b"loc:@a", b"loc:@b"], "e": [b"loc:@b"],
        "f": [b"loc:@a"],
    }  # fmt: skip
    assert d.op.get_attr("_class") == [b"loc:@a", b"loc:@b"]
    with tf.Graph().as_default() as other:
        v1.import_graph_def(graph.as_graph_def(), name="within")
        imported = other.get_operation_by_name("within/d")
    assert imported.colocation_groups() == [b"loc:@within/a", b"loc:@within/b"]
