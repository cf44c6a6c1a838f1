"""Every operation, every sample, every rule: what the rules say of an operation agrees.

An operation without samples fails `test_every_operation_has_samples`: samples stand in
`samples/`, and `recorded.json` (what TensorFlow computes for them) is written by `record.py`.
"""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensormill.config import settings
from tensormill.graph.evaluate import evaluate
from tensormill.graph.proto.graphdef import function_def_of
from tensormill.graph.verify import verify
from tensormill.ops.families import Unary
from tensormill.ops.op import REGISTRY, specs_of
from tests.graph.proto.reading import function_of

from . import rules
from .rules import SAMPLES

# Operations whose samples are programs, in tests of their own.
TESTED_ELSEWHERE = {
    "ragged.encoded": "ops/calls/encoded_calls.py",
    "sparse.csr_matrices": "ops/calls/csr_calls.py",
    "sparse.csr_products": "ops/calls/csr_calls.py",
    "constant": "graph/proto/test_graphdef.py",
    "nn.ctc": "ops/test_calls.py",
    "nn.ctc_decoding": "ops/test_calls.py",
    "random.bounded_normal": "ops/test_calls.py",
    "customized": "autodiff/test_custom.py",
    "image.files.encoding": "ops/test_calls.py",
    "strings.files": "ops/strings/test_files.py",
    "control.functional": "graph/test_evaluate.py",
    "state.sparse_maps": "ops/calls/function_calls.py",
    "state.vocabulary_changes": "ops/calls/function_calls.py",
    "state.session_tensors": "behaviours/version_one/test_session_handles.py",
    "control.devices": "ops/test_calls.py",
    "control.optionals": "saved_model/test_programs.py",
    "random.keyed": "ops/random/test_random.py",
    "random.candidates": "ops/test_calls.py",
    "math.quantized_levels": "ops/test_calls.py",
    "state.barriers": "ops/state/test_barriers.py",
    "state.queues": "module/test_queues.py",
    "random.stateless_shuffle": "ops/test_calls.py",
    "random.sobol": "ops/test_calls.py",
    "nn.sampled_losses": "ops/test_calls.py",
    "image.distorted_boxes": "ops/test_calls.py",
    "nn.fractional_pooling": "ops/test_calls.py",
    "lists.tensor_maps": "ops/lists/test_tensor_maps.py",
    "lists.whole_lists": "ops/state/test_handles.py",
    "lists.list_elements": "ops/state/test_handles.py",
    "state.lookup": "module/test_lookup_tables.py",
    "state.table_handles": "module/test_lookup_tables.py",
    "control.xla_modules": "ops/control/test_xla_modules.py",
    "control.python_functions": "ops/control/test_python_functions.py",
    "random.categories": "ops/random/test_random.py",
    "random.gamma_and_poisson": "ops/random/test_random.py",
    "control.collectives": "ops/control/test_collectives.py",
    "control.clock": "ops/control/test_clock.py",
    "random.uniform_and_normal": "ops/random/test_random.py",
    "random.shuffling": "ops/random/test_native_draws.py",
    "random.keyed_candidates": "ops/random/test_candidates.py",
    "random.stateless": "ops/random/test_random.py",
    "state.variable_rows": "ops/state/test_handles.py",
    "state.handles": "behaviours/version_one/test_sessions.py",
    "state.variables": "ops/state/test_handles.py",
    "state.gpu_rnn": "ops/state/test_gpu_rnn.py",
    "state.array_gradients": "ops/raw/test_raw_calls.py",
    "state.tensor_arrays": "ops/raw/test_raw_calls.py",
    "training.dense": "ops/state/test_training_steps.py",
    "training.sparse": "ops/state/test_training_steps.py",
    "signal.many_axes_forms": "ops/signal/test_many_axes_forms.py",
    "state.mutexes": "behaviours/test_specs.py",
    "older.arrays": "ops/raw/test_raw_calls.py",
    "older.tensor_arrays": "ops/state/test_older_arrays.py",
    "older.lists": "ops/raw/test_raw_calls.py",
    "older.networks": "ops/raw/test_raw_calls.py",
    "older.file_names": "formats/test_bundle_operations.py",
    "older.recurrent_cells": "ops/raw/test_raw_calls.py",
    "older.names": "api/test_raw_ops.py",
    "random.stateful_streams": "ops/raw/test_raw_calls.py",
    "state.accumulators": "behaviours/version_one/test_accumulators.py",
    "state.new_queues": "ops/raw/test_raw_calls.py",
    "training.dual_ascent": "ops/state/test_dual_ascent.py",
    "strings.long_fingerprints": "ops/state/test_dual_ascent.py",
    "training.references": "graph/proto/test_references.py",
    "strings.splitting": "ops/test_calls.py",
    "strings.unicode": "ops/test_calls.py",
    "control.older_collectives": "ops/control/test_older_collectives.py",
    "state.stages": "ops/state/test_stages.py",
    "state.summaries": "summary/test_summaries.py",
    "state.variable_slices": "ops/state/test_handles.py",
}


each_op = pytest.mark.parametrize("name", SAMPLES)


def test_every_operation_has_samples() -> None:
    here = {
        name for name, op in REGISTRY.items()
        if op.__module__.startswith("tensormill.ops.")
        and op.__module__.removeprefix("tensormill.ops.") not in TESTED_ELSEWHERE
    }  # fmt: skip
    missing = sorted(here - SAMPLES.keys())

    assert missing == []
    assert all((Path(__file__).parents[1] / path).exists() for path in TESTED_ELSEWHERE.values())


@pytest.mark.sampled
@each_op
def test_eager_results_are_those_of_the_oracle(name: str) -> None:
    for number in range(len(SAMPLES[name])):
        rules.assert_as_told(name, number)


@pytest.mark.sampled
@each_op
def test_inference_agrees_with_the_result(name: str) -> None:
    op = REGISTRY[name]
    for sample, mode in product(SAMPLES[name], ["everything", "ranks", "dtypes"]):
        operands = tuple(
            tuple(rules.known(one, mode) for one in operand) if type(operand) is tuple
            else rules.known(operand, "everything" if position in sample.fixed else mode)
            for position, operand in enumerate(sample.operands)
        )  # fmt: skip
        specs = specs_of(op, operands, rules.attributes(sample))
        outputs = rules.eager_outputs(op, sample)

        assert len(specs) == len(outputs)
        for spec, output in zip(specs, outputs, strict=True):
            assert spec.dtype.plain == output.dtype, (mode, sample)
            assert spec.shape.is_compatible_with(output.shape), (mode, sample)


def test_no_operation_has_two_eager_meanings() -> None:
    """What has an expansion is run by it, so its results above are those of the expansion."""
    two = [name for name, op in REGISTRY.items() if op.expand is not None and op.eager is not None]

    assert two == []


def has_its_own_loops(name: str) -> bool:
    op = REGISTRY[name]
    return op.expand is None and not op.rephrases


def first_of_each_kind() -> set[str]:
    """One operation for each rule that writes loops, in each family.

    What the loops of a family say otherwise are scalars, all of which LLVM optimises for
    `compiler/test_scalars.py` and `compiler/llvm/test_vector_math.py`; what expands or rephrases
    has the loops of others.
    """
    kinds: dict[Any, str] = {}
    for name in SAMPLES:
        op = REGISTRY[name]
        if op.lower is not None and has_its_own_loops(name):
            kinds.setdefault((op.lower, op.__bases__), name)
    return set(kinds.values())


FIRST_OF_ITS_KIND = first_of_each_kind()
NATIVE = [name for name in SAMPLES if not rules.is_called_back(name)]


@pytest.mark.sampled
@pytest.mark.parametrize(
    "name",
    [name for name in NATIVE if has_its_own_loops(name) or "TENSORMILL_EFFORT" in os.environ],
)
def test_native_code_agrees_with_the_kernel(name: str) -> None:
    """What expands has the loops of others, which are here. Where sizes are known it applies what
    it applies eagerly; where they are not, it is compiled below.
    """
    rules.assert_compiled_as_evaluated([(name, sample) for sample in SAMPLES[name]], True)


@pytest.mark.sampled
@pytest.mark.parametrize("name", NATIVE)
def test_native_code_of_unknown_sizes_agrees_with_the_kernel(name: str) -> None:
    samples = SAMPLES[name]
    if issubclass(REGISTRY[name], Unary) and has_its_own_loops(name):
        samples = samples[:1]  # sizes do not matter to it
    rules.assert_compiled_as_evaluated([(name, sample) for sample in samples], False)


@pytest.mark.sampled
@pytest.mark.parametrize("name", sorted(FIRST_OF_ITS_KIND))
def test_native_code_that_llvm_optimises_agrees_with_the_kernel(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """One of each kind runs as users get it: there LLVM makes vectors of loops. Its passes are most
    of what such a test costs, so they see the samples of one code alone.
    """
    monkeypatch.setattr(settings, "effort", 2)
    samples = [(name, sample) for sample in SAMPLES[name]]
    rules.assert_compiled_as_evaluated(rules.groups_of_shared_code(samples)[0], False)


@pytest.mark.sampled
def test_steps_in_python_agree_with_the_kernel() -> None:
    """In one program, for none of them has code of its own."""
    names = filter(rules.is_called_back, SAMPLES)
    rules.assert_compiled_as_evaluated(
        [(name, sample) for name in names for sample in SAMPLES[name]], sizes_known=False
    )


@pytest.mark.sampled
@pytest.mark.parametrize("name", [name for name in SAMPLES if REGISTRY[name].origin.is_in_files])
def test_function_defs_bring_the_operation_back(name: str) -> None:
    op, samples = REGISTRY[name], SAMPLES[name]
    trace, arrays = rules.traced([(op, sample) for sample in samples], sizes_known=True)
    back = function_of(function_def_of(trace.graph))
    verify(back)
    operands = [*arrays, *(rules.array_of(captured) for captured in trace.captured)]
    expected, actual = evaluate(trace.graph, operands), evaluate(back, operands)

    assert [operation.op for operation in back.operations] == [
        operation.op for operation in trace.graph.operations
    ]
    for one, output in zip(expected, actual, strict=True):
        rules.assert_close(one, output, 0.0, name)


def is_smooth(sample: Any) -> bool:
    operands = rules.flat(sample.operands)
    return sample.smooth and any(array.dtype == np.float64 for array in operands)
