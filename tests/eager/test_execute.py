"""Eager execution: what kernels give becomes tensors, what they raise becomes our errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core import context
from tensormill.eager.execute import Eager, as_output, fits
from tensormill.eager.tensor import EagerHandle, wrap
from tensormill.errors import InternalError, InvalidArgumentError, ShapeMismatchError
from tensormill.graph.func_graph import FuncGraph
from tensormill.ops.bind import are_ready, bind
from tensormill.ops.op import REGISTRY, In, Op, Out


@pytest.fixture
def scratch_ops() -> Any:
    """Operations that a test defines are forgotten afterwards."""
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


@pytest.mark.parametrize(
    "result",
    [
        np.float32(1.0),
        np.zeros((2, 3), np.float32).T,
        np.broadcast_to(np.float32(1), (2,)),
        np.array([1.0], ">f4"),
        1.0,
        np.zeros(1, np.longlong),
    ],
)
def test_outputs_are_canonical(result: Any) -> None:
    tensor = as_output(result, None)

    assert tensor._array.flags.carray
    assert tensor._array.dtype is tensor.dtype.storage
    assert np.asarray(result).tolist() == tensor.numpy().tolist()


def test_strings_and_handles_are_outputs_too() -> None:
    assert b"a" == as_output(b"a", None).numpy()
    handle = as_output(tf.Variable(1.0).handle._array, tf.resource)
    assert isinstance(handle, EagerHandle)
    assert (tf.resource, []) == (handle.dtype, handle.shape.as_list())


def test_a_kernel_that_fails_is_explained_by_inference(scratch_ops: Any) -> None:
    class Halved(Op):
        """Fails in NumPy's words."""

        x = In("f32 n")
        y = In("f32 n")
        z = Out("f32 n")

        def eager(self, np: Any) -> Any:
            return self.x + self.y

    with pytest.raises(
        ShapeMismatchError, match=r"'x' of shape \[2\] and 'y' of shape \[3\]: 3 is not 2"
    ):
        bind(Halved, [1.0, 2.0], [1.0, 2.0, 3.0])


def test_a_kernel_that_fails_on_good_operands_is_an_invalid_argument(scratch_ops: Any) -> None:
    class Broken(Op):
        """Fails whatever it gets."""

        x = In("f32 n")
        y = Out("f32 n")

        def eager(self, np: Any) -> Any:
            raise ValueError("no luck")

    with pytest.raises(InvalidArgumentError, match="Broken: no luck") as caught:
        bind(Broken, [1.0])
    assert isinstance(caught.value.__cause__, ValueError)


def test_an_operation_without_kernel_is_expanded(scratch_ops: Any) -> None:
    class Twice(Op):
        """x + x."""

        x = In("T *s")
        y = Out("T *s")

        def expand(self) -> Any:
            return self.x + self.x

    class Thrice(Twice):
        def expand(self) -> Any:
            return self.x * 3.0

        def vjp(self, dy: Any) -> Any:
            return dy * 3.0

    seen: list[str] = []

    class Recorder:
        def record(self, application: Any) -> None:
            seen.append(application.name)

    with context.entered(context.top().replace(recorders=(Recorder(),))):
        assert (4.0, 6.0) == (float(bind(Twice, 2.0)), float(bind(Thrice, 2.0)))
    assert ["AddV2", "Twice", "Thrice"] == seen


def test_a_tensor_of_a_trace_is_out_of_scope_here() -> None:
    with FuncGraph("f").as_default():
        leaked = tf.constant(1) + 1

    with pytest.raises(TypeError, match="is out of scope and cannot be used here"):
        leaked + 1


def test_kernels_leave_numpys_error_state_alone() -> None:
    with np.errstate(all="raise"):
        assert np.isinf(tf.math.exp(tf.constant(1000.0)).numpy())
        assert "raise" == np.geterr()["over"]


def test_eager_execution_is_an_interpreter() -> None:
    assert isinstance(context.top().interpreter, Eager)
    assert not context.building_graph()


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize(
    "kernel",
    [
        tf.strings.lower,
        lambda x: tf.strings.join([tf.constant("-"), x]),
        tf.strings.reduce_join,
        lambda x: tf.strings.regex_replace(x, ".", "."),
        lambda x: tf.io.decode_raw(x, tf.uint8),
        lambda x: tf.strings.unsorted_segment_join(x, [0, 0], 1),
        lambda x: tf.strings.ngrams(x, 2),
    ],
)
def test_no_kernel_takes_an_object_for_bytes(kernel: Any, place: int) -> None:
    array = np.array([b"a", b"a"], object)
    array[place] = np.array(b"a", object)  # whose buffer is an address

    with pytest.raises(InternalError, match=f"element {place} is of type ndarray"):
        kernel(wrap(array))


def test_operands_of_one_dtype_need_no_conversion() -> None:
    one, other = tf.constant(1.0), tf.constant(1)
    add, own = REGISTRY["AddV2"], frozenset([type(one)])

    assert are_ready(add, (one, one), {}, own)
    assert not are_ready(add, (one, other), {}, own)
    assert not are_ready(add, (one, 1.0), {}, own)


def test_arrays_of_one_shape_fit_operations_that_want_them_alike() -> None:
    alike = next(op for op in REGISTRY.values() if len(op.alike) > 1 and not op.ranks)
    one, other = np.zeros([2, 3]), np.zeros([3])

    first = alike.alike[0]  # others, as the condition of Select, may have another shape

    assert fits(alike, [one] * len(alike.inputs))
    assert not fits(alike, [other if k == first else one for k in range(len(alike.inputs))])
