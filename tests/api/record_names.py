"""Writes which public names TensorFlow has, and how its functions are called: tensorflow.json.

Run it with a Python that has TensorFlow (and none of our library):

    python -m tests.api.record_names

Public is what TensorFlow's generated API modules hold, without `tf.keras` (which is Keras's own),
`tf.raw_ops` (test_raw_ops.py) and the versions in `tf.compat`, of which the first is another
library's worth (record_version_one.py).
A name is recorded once for each place where users find it, with its parameters where it is a
function, with its members and those of its constructor where it is a class.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

FILE = Path(__file__).parent / "tensorflow.json"
LEFT_OUT = {"tf.keras", "tf.raw_ops", "tf.compat.v1", "tf.compat.v2", "tf.initializers",
            "tf.losses", "tf.metrics", "tf.optimizers"}  # fmt: skip
API = "tensorflow._api.v2"


def public_names(module: ModuleType, place: str) -> Iterator[tuple[str, Any]]:
    """Every public name below a module, with what it is."""
    for name in sorted(dir(module)):
        where = f"{place}.{name}"
        if name.startswith("_") or where in LEFT_OUT:
            continue
        value = getattr(module, name)
        if not isinstance(value, ModuleType):
            yield where, value
        elif is_generated(value):
            yield from public_names(value, where)


def is_generated(module: ModuleType) -> bool:
    return API in (getattr(module, "__file__", None) or "").replace("/", ".")


def described(value: Any) -> dict[str, Any]:
    """What users see of a name: parameters and, of a class, members."""
    if not inspect.isclass(value):
        return {"parameters": parameters(value)} if callable(value) else {}
    members = {name: parameters(getattr(value, name)) for name in dir(value) if is_own(value, name)}
    # How an enumeration is called is Python's, and another one in each release.
    return {
        "parameters": None if issubclass(value, Enum) else parameters(value),
        "members": members,
    }


def is_own(cls: type[Any], name: str) -> bool:
    """Whether a member is public, and comes from no class of Python's own library, or of absl's."""
    if name.startswith("_"):
        return False
    bases: list[Any] = [*cls.__mro__, *getattr(type(cls), "__mro__", ())]
    homes = [base for base in bases if name in vars(base)]
    home = str(getattr(homes[0], "__module__", "")) if homes else ""
    return home.partition(".")[0] not in {*sys.stdlib_module_names, "absl"}


def parameters(function: Any) -> list[str] | None:
    """Each parameter as it would be written, without types; None where Python cannot tell."""
    if not callable(function):
        return None
    try:
        found = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return None
    return [written(one.replace(annotation=inspect.Parameter.empty)) for one in found]


def written(parameter: inspect.Parameter) -> str:
    default = parameter.default
    if default is inspect.Parameter.empty or isinstance(default, (int, float, str, type(None))):
        return str(parameter)
    return str(parameter.replace(default=inspect.Parameter.empty)) + "=" + of_default(default)


def of_default(default: Any) -> str:
    """A default by its value where that reads alike in both libraries."""
    name = getattr(default, "name", None) or getattr(default, "__name__", None)
    if type(default) is object:  # stands for "not given"
        return "<object>"
    return str(name) if isinstance(name, str) else repr(default)


def main() -> None:
    import tensorflow as tf

    found = dict(public_names(tf, "tf"))
    lines = [f"{json.dumps(name)}: {json.dumps(described(found[name]))}" for name in sorted(found)]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
