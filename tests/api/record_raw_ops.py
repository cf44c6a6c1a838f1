"""Writes raw_ops.json: the parameters of those of TensorFlow's raw operations that exist here; and
missing_raw_ops.json: the others, by why they are not here; attribute_dtypes.json: which dtypes
attributes may be; and operand_dtypes.json: which operands may be what, by the dtypes.

Run it with a Python that has TensorFlow and this library beside it:

    python -m tests.api.record_raw_ops
"""

from __future__ import annotations

import inspect
import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

RECORD = Path(__file__).parent / "raw_ops.json"
MISSING = RECORD.with_name("missing_raw_ops.json")
OPERAND_DTYPES = RECORD.with_name("operand_dtypes.json")
ATTRIBUTE_DTYPES = RECORD.with_name("attribute_dtypes.json")
# By the beginning, or a part, of the name; the first that fits counts.
KINDS = {
    "that TensorFlow refuses on processors, whatever they are given": (
        "^MutableDenseHashTable$|LMDB|^AnonymousRandomSeedGenerator$|^DeleteRandomSeedGenerator$|"
        "CollectiveReduceScatterV2"
    ),
    "of snapshots' own code: called by themselves, TensorFlow's fail or end the process": (
        "^Snapshot(Chunk|Nested)?Dataset(Reader)?$|^SnapshotNestedDatasetReader$"
    ),
    "of readers whose state is nothing: TensorFlow refuses most": "^Reader(Serialize|Restore)State",
    "of oneDNN's graphs alone: TensorFlow's own kernels give nothing": (
        "^Quantized(Conv2D|DepthwiseConv2D|MatMul)"
    ),
    "of accelerators": (
        "TPU|SparseCore|Xla|Infeed|Outfeed|Prelinearize|Minibatch|Coo|Cudnn|AllToAll"
    ),
    "between machines": "Nccl|CrossReplica|Send$|Recv$|DistributedSave",
    "of boosted trees and linear models": "BoostedTrees|SdcaShrink",
    "of datasets, which have methods": (
        "Dataset|Iterator|MapDefun|WindowOp|GetOptions|StatsAggregator|ThreadPoolHandle|"
        "MemoryCache|SeedGenerator|CompressElement|IterationCounter|GetElementAtIndex"
    ),
    "of TensorFlow's debugger and runtime": (
        "^Debug|^Copy|SessionHandle|SyncDevice|Abort|FileSystemSet|SymbolicGradient|FakeQueue"
    ),
    "of control flow in TensorFlow 1, which becomes If and While": (
        "Enter$|Exit$|Switch$|Merge$|NextIteration$|LoopCond|RefSelect|ControlTrigger|^Placeholder"
    ),
    "of variables without handles, which graphs make": "^Variable(V2)?$|TemporaryVariable",
    "whose order is that of TensorFlow's threads": "^RecordInput$",
    "of handles, which are values here that go with their last user": (
        "^DestroyResourceOp$|^TensorListPushBackBatch$"
    ),
    "whose results are a heuristic of the library that TensorFlow calls": "OrderingAMD",
    "of databases that TensorBoard does not read": "SummaryDbWriter",
}


def parameters(function: Any) -> list[str]:
    """`x` for a parameter that has to be given, `x=1` for another, in order."""
    signature = inspect.signature(function)
    return [spoken(one) for one in signature.parameters.values() if one.name != "name"]


def spoken(parameter: inspect.Parameter) -> str:
    if parameter.default is inspect.Parameter.empty:
        return parameter.name
    return f"{parameter.name}={json.dumps(as_json(parameter.default))}"


def as_json(default: Any) -> Any:
    if isinstance(default, (tuple, list)):
        return [as_json(one) for one in default]
    if isinstance(default, float):  # of float32, and 1.0 may be written 1
        return int(default) if default.is_integer() else float(f"{default:.6g}")
    if hasattr(default, "tensor_shape") or hasattr(default, "ndim"):
        return None  # a tensor, which both know
    if hasattr(default, "as_list"):
        return None if default.rank is None else default.as_list()
    if hasattr(default, "as_datatype_enum"):
        return default.name
    return default


def attribute_dtypes(name: str, op: Any) -> dict[str, str]:
    """The dtypes that attributes may be, as far as they are attributes here, too."""
    registry: Any = import_module("tensorflow.python.framework.op_def_registry")
    as_dtype: Any = import_module("tensorflow").as_dtype
    ours = {field.public for field in op.attrs}
    return {
        one.name: " ".join(sorted(as_dtype(e).name for e in one.allowed_values.list.type))
        for one in registry.get(name).attr
        if one.name in ours and one.type == "type" and one.HasField("allowed_values")
    }


def operand_dtypes(name: str, op: Any) -> dict[str, str]:
    """The dtypes of operands that are tensors of some of all dtypes."""
    registry: Any = import_module("tensorflow.python.framework.op_def_registry")
    as_dtype: Any = import_module("tensorflow").as_dtype
    found = registry.get(name)
    allowed = {one.name: one.allowed_values.list.type for one in found.attr}
    ours = {field.public for field in op.inputs}
    return {
        one.name: " ".join(sorted(as_dtype(e).name for e in allowed[one.type_attr]))
        for one in found.input_arg
        if one.name in ours and one.type_attr and allowed[one.type_attr]
    }


def by_dtypes(names: list[str], registry: Any) -> list[str]:
    """Lines that say which operands of which operations take the same dtypes."""
    found: dict[str, dict[str, list[str]]] = {}
    for name in names:
        for operand, allowed in operand_dtypes(name, registry[name]).items():
            found.setdefault(allowed, {}).setdefault(name, []).append(operand)
    return [
        f"{json.dumps(allowed)}: "
        f"{json.dumps({name: ' '.join(operands) for name, operands in found[allowed].items()})}"
        for allowed in sorted(found)
    ]


def reason(name: str) -> str:
    """Why an operation is not here."""
    kernels: Any = import_module("tensorflow.python.framework.kernels")
    registry: Any = import_module("tensorflow.python.framework.op_def_registry")
    found: Any = registry.get(name)
    kind = next((kind for kind, part in KINDS.items() if re.search(part, name)), "to be done")
    if kind == "of accelerators":
        return kind
    if found.deprecation.version:
        return "removed from TensorFlow, whose kernels refuse older graphs, too, or draw"
    known = kernels.get_registered_kernels_for_op(name).kernel
    if not any(kernel.device_type in ("CPU", "DEFAULT") for kernel in known):
        return "without kernels for processors in TensorFlow"
    return kind


def main() -> None:
    import tensorflow

    from tensormill.data.graphs import catalogue as of_datasets
    from tensormill.data_service import graph_messages as graph_messages
    from tensormill.formats import bundle_operations as bundle_operations
    from tensormill.graph.serialized import operations as operations
    from tensormill.ops import catalogue as catalogue
    from tensormill.ops.op import REGISTRY
    from tensormill.summary import writer_operations as writer_operations

    del of_datasets
    known: Any = tensorflow.raw_ops
    there = sorted(name for name in REGISTRY if hasattr(known, name))
    rows = [f'"{name}": {json.dumps(parameters(getattr(known, name)))}' for name in there]
    RECORD.write_text("{\n" + ",\n".join(rows) + "\n}\n")
    dtypes = {name: attribute_dtypes(name, REGISTRY[name]) for name in there}
    rows = [f"{json.dumps(name)}: {json.dumps(said)}" for name, said in dtypes.items() if said]
    ATTRIBUTE_DTYPES.write_text("{\n" + ",\n".join(rows) + "\n}\n")
    OPERAND_DTYPES.write_text("{\n" + ",\n".join(by_dtypes(there, REGISTRY)) + "\n}\n")
    others: dict[str, list[str]] = {}
    for name in dir(known):
        if name[0] != "_" and name not in REGISTRY:
            others.setdefault(reason(name), []).append(name)
    lines = [f"{json.dumps(kind)}: {json.dumps(others[kind])}" for kind in sorted(others)]
    MISSING.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
