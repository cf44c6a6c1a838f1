"""What programs ask objects for by name is there where TensorFlow's have it, and only there."""

from __future__ import annotations

import json
from typing import Any

import pytest

import tensormill as tf

from .objects import RECORD, has, makers, public_names

TENSORFLOW: dict[str, list[str]] = json.loads(RECORD.read_text())
LATER = "a graph's captures are settled when its trace ends: close over another tensor"
OF_TRACES = "what TensorFlow's tracing asks of it, and nobody else"
# Names that TensorFlow's objects have and these have not, and why.
LACKING: dict[str, Any] = {
    "Variable": {"create": "a RuntimeError there, too, where operations run at once"},
    "ConcreteFunction": {
        "from_func_graph": "functions are made by tracing: tf.function(...).get_concrete_function",
        "replace_capture_with_deferred_capture": LATER,
        "set_external_captures": LATER,
        "set_variables": LATER,
    },
    "FunctionType": dict.fromkeys(
        "bind_with_defaults captures flat_captures flat_inputs flat_outputs from_proto "
        "get_default_values is_supertype_of most_specific_common_subtype output pack_output "
        "placeholder_arguments to_proto unpack_captures unpack_inputs".split(),
        OF_TRACES,
    ),
    "FuncGraph": dict.fromkeys(
        "add_capture capture_call_time_value deferred_external_captures "
        "deferred_internal_captures function_captures replace_capture "
        "replace_capture_with_deferred_capture watch_variable".split(),
        LATER,
    )
    | dict.fromkeys(
        "mark_as_unsaveable saveable saving_errors".split(),
        "what cannot be saved says so when it is saved",
    ),
    "StrategyExtended": dict.fromkeys(
        "experimental_make_numpy_dataset experimental_run_steps_on_iterator".split(),
        "of TensorFlow 1's sessions: use tf.data.Dataset.from_tensor_slices and strategy.run",
    ),
}
# What these have besides, of those of which libraries ask most what they are: nothing is added.
BESIDE = {
    "EagerTensor": "is_one_tensor is_pythons read_first symbolic",
    "SymbolicTensor": "is_one_tensor is_pythons out_of_scope read_first symbolic",
    "Variable": "is_one_tensor is_pythons ndim read_first uninitialized",
    "DType": "family is_differentiable is_narrow kept_as plain short stays_in_python storage",
    "TensorShape": "as_tuple entries relax",
    "TensorSpec": "is_composite short",
    "RaggedTensor": "is_pythons value_places",
    "RowPartition": "",
    "SparseTensor": "is_pythons of_parts",
    "IndexedSlices": "is_pythons",
    "TensorArray": "forget_size infers_shape known_size",
    "Optional": "",
    "Module": "",
    "Generator": "",
    "GradientTape": "",
    "LinearOperator": "known_columns known_rows",
    "LinearOperatorDiag": "known_columns known_rows",
}


@pytest.fixture(scope="module")
def objects() -> dict[str, Any]:
    return {kind: make() for kind, make in makers(tf).items()}


def test_objects_have_the_names_that_tensorflows_have(objects: dict[str, Any]) -> None:
    """After a change on purpose: `python -m tests.api.objects`, with TensorFlow's Python."""
    lacking = {
        kind: {name for name in names if not has(objects[kind], name)}
        for kind, names in TENSORFLOW.items()
    }

    assert {kind: {*why} for kind, why in LACKING.items()} == {
        kind: names for kind, names in lacking.items() if names
    }


@pytest.mark.parametrize("kind", BESIDE)
def test_objects_have_no_other_names(objects: dict[str, Any], kind: str) -> None:
    """Libraries ask by `hasattr` what a value is: another name is a wrong answer."""
    assert set(BESIDE[kind].split()) == {*public_names(objects[kind])} - {*TENSORFLOW[kind]}


def test_tensors_and_dtypes_are_not_taken_for_arrays_and_variables() -> None:
    assert not hasattr(tf.float32, "kind")
    assert not hasattr(tf.constant(1.0), "rank")


def test_an_operation_consumes_a_tensor_as_often_as_it_takes_it() -> None:
    seen: list[list[str]] = []

    @tf.function
    def squared(x: Any) -> Any:
        result = tf.stack([x * x, x])
        seen.append([op.name for op in x.consumers()])
        return result

    squared(tf.constant(1.0))
    assert [["mul", "mul", "stack"]] == seen


def test_fields_of_extension_types_have_any_name() -> None:
    class Mixture(tf.experimental.ExtensionType):
        components: tf.Tensor
        layout: tf.Tensor
        completed: tf.Tensor
        is_complete: tf.Tensor
        differentiated: tf.Tensor

    mixture = Mixture(*[tf.constant([float(n)]) for n in range(1, 6)])
    later = tf.function(lambda x: Mixture(x.components + x.layout, *[x.completed] * 4))(mixture)

    assert [3.0] == later.components.numpy().tolist()
    assert [3.0] == later.differentiated.numpy().tolist()
    assert 5 == len(tf.nest.flatten(mixture, expand_composites=True))


def test_what_graphs_of_functions_have_captured_is_told() -> None:
    v, frozen = tf.Variable(1.0), tf.Variable(2.0, trainable=False)
    graph = tf.function(lambda x: x * v + frozen).get_concrete_function(tf.ones([2])).graph

    assert (v, frozen) == graph.variable_captures
    assert (v,) == graph.trainable_variables
    assert [tf.float32] == graph.output_types
    assert [[2]] == graph.output_shapes


def test_strategies_tell_the_devices_of_each_replica() -> None:
    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])

    assert [list(strategy.extended.worker_devices)] == strategy.extended.worker_devices_by_replica


def test_specs_of_variables_are_made_of_shapes() -> None:
    from tensormill.core.specs import VariableSpec

    assert VariableSpec(tf.TensorShape([2]), tf.float32) == VariableSpec([2])
