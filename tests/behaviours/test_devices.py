"""Devices, and the errors' classes and versions: statements I1, I2, I9, I11, I13 and I14."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from tests.behaviours.library import behaviour, differs, tf

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
CODES = {
    "CancelledError": 1,
    "UnknownError": 2,
    "InvalidArgumentError": 3,
    "DeadlineExceededError": 4,
    "NotFoundError": 5,
    "AlreadyExistsError": 6,
    "PermissionDeniedError": 7,
    "ResourceExhaustedError": 8,
    "FailedPreconditionError": 9,
    "AbortedError": 10,
    "OutOfRangeError": 11,
    "UnimplementedError": 12,
    "InternalError": 13,
    "UnavailableError": 14,
    "DataLossError": 15,
    "UnauthenticatedError": 16,
}


@behaviour("I1")
def test_there_is_one_device():
    (physical,) = tf.config.list_physical_devices()
    (logical,) = tf.config.list_logical_devices()

    assert repr(physical) == "PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')"
    assert repr(logical) == "LogicalDevice(name='/device:CPU:0', device_type='CPU')"
    assert tf.config.list_physical_devices("CPU") == [physical]
    assert tf.config.list_physical_devices("GPU") == []
    assert tf.config.list_logical_devices("GPU") == []


@behaviour("I1")
@pytest.mark.parametrize("name", ["/CPU:0", "cpu:0", "/GPU:0", "/device:CPU:7", "/CPU:7"])
def test_operations_for_other_devices_run_on_the_cpu(name: str):
    assert tf.config.get_soft_device_placement()
    with tf.device(name):
        made = tf.constant(1) + 1

    assert (made.numpy(), made.device) == (2, CPU)


@behaviour("I1")
def test_what_is_no_device_is_a_value_error():
    words = "Unknown attribute 'foo'"
    with pytest.raises(ValueError, match=words), tf.device("foo"):
        tf.constant(1)


ELSEWHERE = [
    "/job:worker", "/job:worker/replica:0/task:0/device:CPU:0", "/task:1", "/replica:1/CPU:0",
    "job:ps/task:0/GPU:0", "/CPU:-1", "/job:a-b",
]  # fmt: skip


@behaviour("I1")
@pytest.mark.parametrize("name", ELSEWHERE)
def test_devices_of_other_processes_are_refused_where_something_is_done(name: str):
    x, v, refused = tf.constant(1), tf.Variable(1), pytest.raises(tf.errors.InvalidArgumentError)
    known = tf.function(lambda x: x + 1, autograph=False)
    known(x)

    with tf.device(name):
        for call in (
            lambda: x + x, lambda: tf.constant([2]), lambda: tf.Variable(1), lambda: known(x),
            lambda: v.assign_add(1), v.read_value,
        ):  # fmt: skip
            with refused:
                call()
        with tf.device("/job:localhost/replica:0/task:0/CPU:0"):
            assert int(x + x) == 2
        with tf.device(None):
            assert int(x + x) == 2


@behaviour("I1")
def test_what_a_name_leaves_open_is_that_of_the_block_around():
    x = tf.constant(1)
    with tf.device("/job:worker"), tf.device("/device:CPU:0"):
        with pytest.raises(tf.errors.InvalidArgumentError):
            x + x
        with tf.device("/job:localhost"):
            assert (x + x).device == CPU


@behaviour("I1")
@pytest.mark.parametrize("name", ELSEWHERE)
@pytest.mark.parametrize("kind", ["plain", "dead", "inner", "branch", "loop"])
def test_functions_that_name_such_devices_are_traced_and_refused_when_called(name: str, kind: str):
    def within(x: Any) -> Any:
        with tf.device(name):
            return x * 2

    def dead(x: Any) -> Any:
        within(x)
        return x

    bodies = {
        "plain": within,
        "dead": dead,
        "inner": lambda x: tf.function(within, autograph=False)(x),
        "branch": lambda x: tf.cond(x > 5, lambda: within(x), lambda: x),
        "loop": lambda x: tf.while_loop(lambda i: i < 3, lambda i: (within(i),), (x,))[0],
    }
    traced = tf.function(bodies[kind], autograph=False).get_concrete_function(tf.constant(1))

    with pytest.raises(tf.errors.InvalidArgumentError):
        traced(tf.constant(1))


@behaviour("I1")
def test_a_block_without_operations_names_what_it_likes():
    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        with tf.device("/job:worker"):
            with tf.device(None):
                return x * 2

    with tf.device("/job:worker"):
        tape = tf.GradientTape()

    assert tape is not None
    assert int(f(tf.constant(1))) == 2


@behaviour("I1")
@pytest.mark.parametrize(
    "name",
    ["/XLA_CPU:0", "/device:CPU", "/DEVICE:CPU:0", "/Job:localhost", " CPU:0", "/CPU:0:1", "/*",
     "/CPU:0/GPU:0", "/CPU:x", "/task:*", "/replica:x", "localhost", 5, b"CPU:0"],
)  # fmt: skip
def test_what_names_no_device_is_a_value_error(name: Any):
    words = "parsing the device spec|invalid literal|string device name"
    with pytest.raises(ValueError, match=words), tf.device(name):
        pass


@behaviour("I1")
@pytest.mark.parametrize(
    "name",
    ["/", "//CPU:0/", "/CPU:00", "cPu", "/device:CPU:*", "/device:FOO:0", "/CUSTOM:1", "/TPU:*",
     "/device:CPU:0/job:localhost", "/job:a/job:localhost", "/device:Cpu:1", "job:localhost/cpu:0"],
)  # fmt: skip
def test_names_are_read_part_by_part(name: str):
    with tf.device(name):
        made = tf.constant(1) + 1

    assert (int(made), made.device) == (2, CPU)


@behaviour("I1")
@differs
def test_who_asks_for_a_device_that_is_absent_is_told_once():
    told: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: told.append(record.getMessage())
    tf.get_logger().addHandler(handler)
    try:
        for _ in range(2):
            with tf.device("/GPU:5"):
                tf.constant(1)
    finally:
        tf.get_logger().removeHandler(handler)

    assert ["GPU:5" in message for message in told] == [True]


@behaviour("I2")
def test_threads_are_chosen_by_the_library_unless_a_number_is_set():
    assert tf.config.threading.get_inter_op_parallelism_threads() == 0
    assert tf.config.threading.get_intra_op_parallelism_threads() == 0


@behaviour("I2")
@differs
def test_threads_may_be_set_after_the_first_operation():
    threading = tf.config.threading
    tf.constant(1) + 1
    for get, put in (
        (threading.get_inter_op_parallelism_threads, threading.set_inter_op_parallelism_threads),
        (threading.get_intra_op_parallelism_threads, threading.set_intra_op_parallelism_threads),
    ):
        put(1)
        assert get() == 1
        put(0)
        assert get() == 0


@behaviour("I9")
def test_a_device_is_written_on_the_operations_made_within():
    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        before = x * 2
        with tf.device("/CPU:0"):
            within = before + 1
        return within - before

    graph = f.get_concrete_function(tf.TensorSpec([], tf.int32)).graph
    devices = {op.name: op.device for op in graph.get_operations()}

    assert devices == {
        "x": "",
        "mul/y": "",
        "mul": "",
        "add/y": "/device:CPU:0",
        "add": "/device:CPU:0",
        "sub": "",
        "Identity": "",
    }


@behaviour("I9")
def test_devices_nest():
    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        with tf.device("/job:localhost"):
            outside = tf.add(x, x, name="outside")
            with tf.device("/cpu:0"):
                inside = tf.add(x, x, name="inside")
            with tf.device(None):
                nowhere = tf.add(x, x, name="nowhere")
        return outside, inside, nowhere

    graph = f.get_concrete_function(tf.TensorSpec([], tf.int32)).graph
    found = [graph.get_operation_by_name(n).device for n in ("outside", "inside", "nowhere")]

    assert found == ["/job:localhost", "/job:localhost/device:CPU:0", ""]


@behaviour("I11")
@pytest.mark.parametrize("name", CODES)
def test_errors_carry_a_code_and_a_message(name: str):
    kind = getattr(tf.errors, name)
    error = kind(None, None, "what happened")

    assert isinstance(error, tf.errors.OpError)
    assert (error.message, error.error_code) == ("what happened", CODES[name])
    assert (error.op, error.node_def) == (None, None)
    assert str(error) == "what happened"


@behaviour("I11")
def test_the_other_classes_of_errors():
    assert issubclass(tf.errors.OpError, Exception)
    assert issubclass(tf.errors.OperatorNotAllowedInGraphError, TypeError)
    assert not issubclass(tf.errors.OperatorNotAllowedInGraphError, tf.errors.OpError)
    assert not issubclass(tf.errors.InvalidArgumentError, (ValueError, TypeError))


@behaviour("I11")
def test_what_an_operation_raises_carries_them_too():
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.reshape(tf.constant([1, 2]), [3])

    assert "Input to reshape" in caught.value.message
    assert caught.value.error_code == 3
    assert (caught.value.op, caught.value.node_def) == (None, None)


@behaviour("I13")
def test_values_that_are_known_without_running():
    known = []

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        known.append(tf.get_static_value(x))
        known.append(tf.get_static_value(tf.constant([1, 2])))
        return x

    f(tf.constant([5]))
    value = tf.get_static_value(tf.constant([5, 6]))

    assert (type(value).__name__, value.tolist()) == ("ndarray", [5, 6])
    assert known[0] is None
    assert known[1].tolist() == [1, 2]


@behaviour("I13", "I14")
def test_where_code_runs_can_be_asked():
    def here() -> list[bool]:
        return [tf.executing_eagerly(), tf.inside_function()]

    seen = []
    tf.function(lambda: seen.append(here()), autograph=False)()
    with tf.Graph().as_default():
        in_graph = tf.executing_eagerly()

    assert here() == [True, False]
    assert seen == [[False, True]]
    assert not in_graph


@behaviour("I14")
def test_the_version_whose_behaviour_it_is():
    assert tf.version.VERSION == "2.21.0"


@behaviour("I14")
@differs
def test_the_package_has_a_version_of_its_own():
    assert tf.__version__ != tf.version.VERSION
