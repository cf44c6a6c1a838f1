"""All calls of `tests/ops/calls/raw_calls.py` in one graph that knows ranks alone."""

from __future__ import annotations

from typing import Any

import numpy as np

import tensormill as tf
from tensormill.core.dtypes import as_dtype
from tensormill.graph.builder import trace_graph
from tensormill.graph.evaluate import evaluate
from tests.ops import rules
from tests.ops.calls.raw_calls import CALLS
from tests.ops.calls.tables import TOPICS, parts

# A graph must know windows; its sizes tell what fits; variables are not made in it.
EAGER_ONLY = (
    "DisableCopy",
    "MaxPool",
    "Rng",
    "Stateful",
    "ResourceGatherNd",
    "queues",
    "DataFormatVecPermute of",
)


def test_traced_raw_operations_return_what_tensorflow_does() -> None:
    recorded = rules.recorded(TOPICS["raw"].answers)
    names = [
        name for name in CALLS
        if isinstance(recorded[name], list) and not any(one in name for one in EAGER_ONLY)
    ]  # fmt: skip
    arrays = [np.asarray(array) for name in names for array in CALLS[name][1]]
    specs = [tf.TensorSpec([None] * array.ndim, as_dtype(array.dtype)) for array in arrays]
    counts: list[int] = []

    def body(*given: Any) -> list[Any]:
        left, found = list(given), list[Any]()
        for name in names:
            call, operands = CALLS[name]
            results = parts(tf, call(tf, *(left.pop(0) for _ in operands)))
            counts.append(len(results))
            found += results
        return found

    trace = trace_graph(body, specs, "raw")
    captured = [rules.array_of(one) for one in trace.captured]
    results = evaluate(trace.graph, [*arrays, *captured])
    for name, count in zip(names, counts, strict=True):
        for entry, one in zip(recorded[name], results[:count], strict=True):
            expected = rules.decoded(entry)
            rules.assert_close(expected, one, rules.TOLERANCE.get(expected.dtype.kind, 0.0), name)
        results = results[count:]
