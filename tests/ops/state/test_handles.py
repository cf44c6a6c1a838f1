"""Operations on variables and lists: every rule on every sample, against TensorFlow's results."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.backends import cpu
from tensormill.core.dtypes import as_dtype
from tensormill.core.shapes import UNKNOWN
from tensormill.core.specs import ListSpec, ResourceSpec, TensorSpec
from tensormill.graph.builder import trace_graph
from tensormill.graph.evaluate import evaluate
from tensormill.graph.payload import payload_of, spec_of_payload, wrap_payload
from tensormill.graph.proto.graphdef import function_def_of
from tensormill.graph.serialized import operations as operations
from tensormill.graph.verify import verify
from tensormill.ops import catalogue as catalogue
from tensormill.ops.bind import bind
from tensormill.ops.lists.whole_lists import TensorListFromTensor, TensorListStack
from tensormill.ops.op import REGISTRY
from tensormill.ops.state.variables import ReadVariableOp
from tests.graph.proto.reading import function_of

from ..test_rules import TESTED_ELSEWHERE
from .handle_samples import FILE, SAMPLES, HandleSample, Items, Ref, names

each_sample = pytest.mark.parametrize("number", range(len(SAMPLES)), ids=names())
SIZES = pytest.mark.parametrize("sizes", ["known", "unknown", "no rank"])
TOLERANCE = 1e-6
# Handles of Python objects, of which no array tells what is in them: tried in
# tests/module/test_lookup_tables.py and test_queues.py, tests/summary and tests/saved_model.
OF_OBJECTS = ("lookup", "table_handles", "summaries", "queues", "optionals")


@cache
def recorded() -> list[Any]:
    return json.loads(FILE.read_text())


def tensor_of(operand: Any) -> Any:
    """An eager operand; a constant stays as it is."""
    if isinstance(operand, Ref):
        return tf.Variable(operand.array).handle
    if isinstance(operand, Items):
        sizes = np.array(operand.array.shape[1:], np.int32)
        return bind(TensorListFromTensor, tf.constant(operand.array), sizes)
    return tf.constant(operand) if is_run_time(operand) else operand


def is_run_time(operand: Any) -> bool:
    return isinstance(operand, (Ref, Items, np.ndarray, np.generic))


def applied(sample: HandleSample, operands: list[Any]) -> list[Any]:
    """The results, lists among them stacked, then the values of the variables."""
    op = REGISTRY[sample.op]
    dtypes = {"dtype", "T", "element_dtype"}
    attrs: dict[str, Any] = {
        key: as_dtype(value) if key in dtypes else value for key, value in sample.attrs.items()
    }
    result = bind(op, *operands, **attrs)
    outputs = (result,) if op.single else result if op.outputs else ()
    results = [stacked(one) for one in outputs]
    for operand, told in zip(operands, sample.operands, strict=True):
        if isinstance(told, Ref):
            results.append(bind(ReadVariableOp, operand, dtype=as_dtype(told.array.dtype)))
    return results


def stacked(result: Any) -> Any:
    if result.dtype is not tf.variant:
        return result
    return bind(TensorListStack, result, -1, element_dtype=tf.float32)


def spec_in(payload: Any, sizes: str) -> Any:
    """What a trace is told of an operand."""
    spec = spec_of_payload(payload)
    if sizes == "known":
        return spec
    if isinstance(spec, ResourceSpec):
        return ResourceSpec(blurred(spec.state, sizes), spec.trainable)
    if isinstance(spec, ListSpec):
        return ListSpec(blurred(spec.element, sizes))
    return blurred(spec, sizes) if isinstance(spec, TensorSpec) else spec


def blurred(spec: TensorSpec, sizes: str) -> TensorSpec:
    rank = spec.shape.rank or 0
    return TensorSpec(UNKNOWN if sizes == "no rank" else (None,) * rank, spec.dtype)


def traced(sample: HandleSample, sizes: str) -> tuple[Any, list[Any]]:
    payloads = [payload_of(tensor_of(one)) for one in sample.operands if is_run_time(one)]

    def body(*parameters: Any) -> list[Any]:
        rest = iter(parameters)
        operands = [next(rest) if is_run_time(one) else one for one in sample.operands]
        return applied(sample, operands)

    return trace_graph(body, [spec_in(one, sizes) for one in payloads], "sample"), payloads


def assert_results(number: int, results: Any) -> None:
    for expected, actual in zip(recorded()[number], results, strict=True):
        np.testing.assert_allclose(actual, expected, rtol=TOLERANCE, atol=TOLERANCE)


def test_every_operation_on_handles_has_samples() -> None:
    elsewhere = {
        f"tensormill.ops.{module}" for module, file in TESTED_ELSEWHERE.items()
        if file != "ops/state/test_handles.py"
    }  # fmt: skip
    takes_handles = {
        name
        for name, op in REGISTRY.items()
        if op.inputs
        and op.__module__ not in elsewhere
        and op.inputs[0].dtype in ("resource", "variant")
        and op.__module__.rpartition(".")[2] not in OF_OBJECTS
        and op.__module__.startswith("tensormill.ops.")
    }
    # TensorFlow does not have these; tests/ops/lists/test_lists.py and tests/autodiff try them.
    ours = {"TensorListAdd", "TensorListAddItem", "TensorListOfRank", "TensorListWithin"}
    # Tells what is known where it is traced, here less than TensorFlow's run: test_lists.py.
    of_knowledge = {"TensorListElementShape"}

    assert takes_handles - ours - of_knowledge <= {sample.op for sample in SAMPLES}


@each_sample
def test_eager_results_are_tensorflows(number: int) -> None:
    sample = SAMPLES[number]

    assert_results(number, applied(sample, [tensor_of(one) for one in sample.operands]))


@SIZES
@each_sample
def test_inference_agrees_with_the_result(number: int, sizes: str) -> None:
    trace, payloads = traced(SAMPLES[number], sizes)
    results = evaluate(trace.graph, payloads)

    assert_results(number, results)
    for value, result in zip(trace.graph.returns, results, strict=True):
        assert isinstance(value.spec, TensorSpec)
        assert value.spec.dtype.storage == result.dtype
        assert value.spec.shape.is_compatible_with(result.shape)


@pytest.mark.sampled
@pytest.mark.parametrize("sizes", ["known", "unknown"])
@each_sample
def test_native_code_agrees_with_the_kernel(number: int, sizes: str) -> None:
    trace, payloads = traced(SAMPLES[number], sizes)
    program = cpu.compile(trace.graph).bind(trace.captured)

    assert_results(number, program(*map(wrap_payload, payloads)))


@each_sample
def test_function_defs_bring_the_operation_back(number: int) -> None:
    trace, payloads = traced(SAMPLES[number], "known")
    back = function_of(function_def_of(trace.graph))
    verify(back)

    assert_results(number, evaluate(back, payloads))
