"""Writes raw_ops.json: the parameters of those of TensorFlow's raw operations that exist here.

Run it with a Python that has TensorFlow and this library beside it:

    python -m tests.api.record_raw_ops
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

RECORD = Path(__file__).parent / "raw_ops.json"


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
    if hasattr(default, "as_list"):
        return None if default.rank is None else default.as_list()
    if hasattr(default, "as_datatype_enum"):
        return default.name
    return default


def main() -> None:
    import tensorflow

    from tensormill.graph.serialized import operations as operations
    from tensormill.ops import catalogue as catalogue
    from tensormill.ops.op import REGISTRY

    known: Any = tensorflow.raw_ops
    there = sorted(name for name in REGISTRY if hasattr(known, name))
    rows = [f'"{name}": {json.dumps(parameters(getattr(known, name)))}' for name in there]
    RECORD.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
