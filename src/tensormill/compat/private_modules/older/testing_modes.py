"""`tensorflow.python.framework.test_util`: decorators that say in which modes a test runs."""

from __future__ import annotations

import functools
import gc
import socket
import unittest
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from ....core.values import TensorBase, is_tensor
from ....eager.devices import disable_op_determinism, enable_op_determinism
from ....eager.placement import device as on_device
from ....function.decorator import function, functions_run_eagerly
from ....function.decorator import run_functions_eagerly as set_eager_functions
from ....graph.func_graph import FuncGraph
from ....ops.array.rearrangement import transpose
from ....ops.control.python_functions import py_function
from ..internal import graph_mode

Test = Callable[..., Any]

_MODES = "`run_in_graph_and_eager_modes` only supports test methods. Did you mean to use "


def _of_tests(decorate: Callable[[Test], Test]) -> Callable[[Any], Any]:
    """A decorator of tests that takes classes as well."""

    @functools.wraps(decorate)
    def either(decorated: Any) -> Any:
        if isinstance(decorated, type):
            return for_all_test_methods(decorate)(decorated)
        return decorate(decorated)

    return either


def for_all_test_methods(decorator: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A decorator of classes: their tests are decorated."""

    def decorate(kind: type) -> type:
        for name, value in list(vars(kind).items()):
            is_test = name.startswith("test") and name not in ("test_session",)
            if callable(value) and is_test:
                setattr(kind, name, decorator(*args, **kwargs)(value) if args or kwargs else
                        decorator(value))  # fmt: skip
        return kind

    return decorate


# ---------------------------------------------------------------- graphs, and eagerly


def run_in_graph_and_eager_modes(
    func: Test | None = None,
    config: Any = None,
    use_gpu: bool = True,
    assert_no_eager_garbage: bool = False,
) -> Any:
    """The test runs in the session of a graph, and again eagerly, set up anew between.

    Raises:
        ValueError: a class is decorated.
    """

    def decorate(test: Test) -> Test:
        if isinstance(test, type):
            raise ValueError(f"{_MODES}`run_all_in_graph_and_eager_modes`?")

        @functools.wraps(test)
        def both(self: Any, *args: Any, **kwargs: Any) -> None:
            try:
                with FuncGraph().as_default(), self.session(use_gpu=use_gpu, config=config):
                    test(self, *args, **kwargs)
            except unittest.SkipTest:
                pass
            self.tearDown()
            self._tempdir = None
            self.setUp()
            test(self, *args, **kwargs)

        return both

    return decorate if func is None else decorate(func)


run_all_in_graph_and_eager_modes = for_all_test_methods(run_in_graph_and_eager_modes)


def run_in_v1_v2(device_to_use: str | None = None, assert_no_eager_garbage: bool = False) -> Any:
    """The test runs in a graph, and again eagerly, on a device if one is named."""

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def placed(self: Any, *args: Any, **kwargs: Any) -> None:
            with on_device(device_to_use) if device_to_use else nullcontext():
                test(self, *args, **kwargs)

        return run_in_graph_and_eager_modes(placed)

    return decorate


@_of_tests
def deprecated_graph_mode_only(test: Test) -> Test:
    """The test runs in a graph alone."""

    @functools.wraps(test)
    def in_graph(self: Any, *args: Any, **kwargs: Any) -> Any:
        with graph_mode():
            return test(self, *args, **kwargs)

    return in_graph


run_deprecated_v1 = deprecated_graph_mode_only
run_all_in_deprecated_graph_mode_only = for_all_test_methods(deprecated_graph_mode_only)


@_of_tests
def also_run_as_tf_function(test: Test) -> Test:
    """The test runs eagerly, and again as a `tf.function`."""

    @functools.wraps(test)
    def both(*args: Any, **kwargs: Any) -> None:
        def run() -> None:
            test(*args, **kwargs)

        run()
        function(run, autograph=False)()

    return both


def py_func_if_in_function(f: Test) -> Test:
    """The function runs in Python, also where it is called in a `tf.function`."""

    @functools.wraps(f)
    def called(*args: Any, **kwargs: Any) -> Any:
        tensors = [one for one in args if is_tensor(one)]
        if not any(getattr(one, "symbolic", False) for one in tensors):
            return f(*args, **kwargs)

        def run(*values: Any) -> None:
            rest = iter(values)
            f(*[next(rest) if is_tensor(one) else one for one in args], **kwargs)

        return py_function(run, tensors, [])

    return called


# ---------------------------------------------------------------- where tests are left out


def _left_out(why: str) -> Callable[[Test], Test]:
    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def skipped(self: Any, *args: Any, **kwargs: Any) -> None:
            self.skipTest(why)

        return skipped

    return decorate


def run_v1_only(reason: Any = None, func: Any = None) -> Any:
    """The test is left out: this is TensorFlow 2. The reason is told."""
    if callable(reason):
        return run_v1_only(None, reason)
    decorate = _of_tests(_left_out(reason or "Test only runs in TensorFlow 1"))
    return decorate if func is None else decorate(func)


def run_v2_only(func: Any = None, reason: Any = None) -> Any:
    """The test runs: this is TensorFlow 2."""
    return (lambda test: test) if func is None else func


def run_gpu_only(func: Test) -> Test:
    """The test is left out: there is no GPU."""
    return _left_out("Test requires GPU")(func)


def run_cuda_only(func: Test) -> Test:
    """The test is left out: there is no GPU."""
    return _left_out("Test requires CUDA GPU")(func)


def run_gpu_or_tpu(func: Test) -> Test:
    """The test is left out: there are neither."""
    return _left_out("Test requires GPU or TPU")(func)


def skip_if(condition: Any) -> Callable[[Test], Test]:
    """The test does not run where this is true: a bool, or a function that gives one."""

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run(*args: Any, **kwargs: Any) -> Any:
            left_out = condition() if callable(condition) else condition
            return None if left_out else test(*args, **kwargs)

        return run

    return decorate


@contextmanager
def skip_if_error(
    test_obj: Any, error_type: Any, messages: str | Sequence[str] | None = None
) -> Iterator[None]:
    """Where such an error comes, which has one of these words, the test is left out."""
    words = [messages] if isinstance(messages, str) else list(messages or ())
    try:
        yield
    except error_type as error:
        if words and not any(word in str(error) for word in words):
            raise
        test_obj.skipTest(f"Skipping error: {type(error)}: {error}")


# ---------------------------------------------------------------- what is on or off here


def unchanged_by(*_said: Any, **_more: Any) -> Callable[[Any], Any]:
    """A decorator that has arguments, about what is not here: compilers and other runtimes."""
    return lambda decorated: decorated


def unchanged_if_given(cls: Any = None, *_said: Any, **_more: Any) -> Any:
    """A decorator with or without arguments, about what is not here."""
    return (lambda decorated: decorated) if cls is None else cls


def is_off(*_said: Any, **_more: Any) -> bool:
    """Whether there is one of the devices or libraries that are not here: no."""
    return False


def no_device_name() -> str:
    """The name of the GPU: none."""
    return ""


@contextmanager
def on_cpu(*_said: Any, **_more: Any) -> Iterator[None]:
    """A block whose operations run on the CPU, where all run."""
    with on_device("/device:CPU:0"):
        yield


@contextmanager
def deterministic_ops() -> Iterator[None]:
    """A block whose operations give the same numbers each time."""
    enable_op_determinism()
    try:
        yield
    finally:
        disable_op_determinism()


@contextmanager
def run_functions_eagerly(run_eagerly: bool) -> Iterator[None]:
    """A block in which functions are not traced, or are."""
    before = functions_run_eagerly()
    set_eager_functions(run_eagerly)
    try:
        yield
    finally:
        set_eager_functions(before)


# ---------------------------------------------------------------- what a test leaves


def assert_no_new_tensors(f: Test) -> Test:
    """The test fails where tensors are alive afterwards that were not before."""

    @functools.wraps(f)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = {id(one) for one in _tensors()}
        result = f(self, *args, **kwargs)
        gc.collect()
        left = [one for one in _tensors() if id(one) not in before]
        if left:
            raise self.failureException(f"{len(left)} tensors are still there: {left}")
        return result

    return run


def _tensors() -> list[Any]:
    return [one for one in gc.get_objects() if isinstance(one, TensorBase)]


def assert_no_garbage_created(f: Test) -> Test:
    """The test fails where it leaves objects in circles."""

    @functools.wraps(f)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        gc.collect()
        before = gc.get_debug()
        gc.set_debug(gc.DEBUG_SAVEALL)
        known = len(gc.garbage)
        try:
            result = f(self, *args, **kwargs)
            gc.collect()
            left = gc.garbage[known:]
            if left:
                raise self.failureException(f"{len(left)} objects are in circles: {left}")
            return result
        finally:
            gc.set_debug(before)
            del gc.garbage[known:]

    return run


# ---------------------------------------------------------------- graphs and shapes


def assert_ops_in_graph(expected_ops: Mapping[str, str], graph: Any) -> dict[str, Any]:
    """The nodes of these names, which are of these kinds.

    Raises:
        ValueError: one is not there, or is another operation.
    """
    nodes = {one.name: one for one in graph.as_graph_def().node if one.name in expected_ops}
    if nodes.keys() != expected_ops.keys():
        raise ValueError(
            f"Not all expected ops are present. Expected {expected_ops.keys()}, found "
            f"{nodes.keys()}"
        )
    for name, node in nodes.items():
        if expected_ops[name] != node.op:
            raise ValueError(
                f"Expected op for node {name} is different. {expected_ops[name]} vs {node.op}"
            )
    return nodes


def assert_equal_graph_def(actual: Any, expected: Any, *_said: Any, **_more: Any) -> None:
    """The nodes of both are the same, in any order.

    Raises:
        AssertionError: they are not.
    """
    ours, theirs = ({one.name: one for one in proto.node} for proto in (actual, expected))
    differ = sorted(name for name in {*ours, *theirs} if ours.get(name) != theirs.get(name))
    assert not differ, f"nodes differ: {differ}"


def get_node_def_from_graph(node_name: str, graph_def: Any) -> Any:
    """The node of a name, or None."""
    return next((one for one in graph_def.node if one.name == node_name), None)


def nhwc_to_nchw(input_tensor: Any) -> Any:
    """A shape or tensor with the channels second."""
    return _permuted(input_tensor, {4: [0, 3, 1, 2], 5: [0, 4, 1, 2, 3]})


def nchw_to_nhwc(input_tensor: Any) -> Any:
    """A shape or tensor with the channels last."""
    return _permuted(input_tensor, {4: [0, 2, 3, 1], 5: [0, 2, 3, 4, 1]})


def _permuted(given: Any, axes: Mapping[int, list[int]]) -> Any:
    if is_tensor(given):
        return transpose(given, axes[given.shape.rank])
    return [given[one] for one in axes[len(given)]]


def pick_unused_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
