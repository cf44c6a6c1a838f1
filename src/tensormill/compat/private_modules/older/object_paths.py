"""What checkpoints call what is in them: TensorFlow's helpers for the paths of objects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

# Between the path of an object and what is of itself; and between an optimizer's and a variable's.
ATTRIBUTES: Final = "/.ATTRIBUTES/"
SLOTS: Final = "/.OPTIMIZER_SLOT/"

OBJECT_GRAPH_PROTO_KEY: Final = "_CHECKPOINTABLE_OBJECT_GRAPH"
VARIABLE_VALUE_KEY: Final = "VARIABLE_VALUE"
OBJECT_CONFIG_JSON_KEY: Final = "OBJECT_CONFIG_JSON"


def escape_local_name(name: str) -> str:
    """A child's name as a part of a path, in which "/" and "." mean something else."""
    return name.replace(".", "..").replace("/", ".S")


def object_path_to_string(node_path_arr: Iterable[Any]) -> str:
    """The path of an object, whose edges are references with names."""
    return "/".join([escape_local_name(one.name) for one in node_path_arr])


def checkpoint_key(object_path: str, local_name: str) -> str:
    """What a value of an object is called."""
    return f"{object_path}{ATTRIBUTES}{escape_local_name(local_name)}"


def extract_local_name(key: str, prefix: str | None = None) -> str:
    """The name of a value without the path of its object, below a prefix."""
    start = f"{prefix or ''}{ATTRIBUTES}"
    place = key.rfind(start)
    return key if place < 0 else key[place + len(start) :].replace(".S", "/").replace("..", ".")


def slot_variable_key(variable_path: str, optimizer_path: str, slot_name: str) -> str:
    """The path of a value that an optimizer keeps for a variable."""
    return f"{variable_path}{SLOTS}{optimizer_path}/{escape_local_name(slot_name)}"
