"""Any structure of objects comes back, whenever its parts are made."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf

NAMES = st.text("ab/.é", min_size=1, max_size=3)
ATTRIBUTES = st.sampled_from(["w", "_x", "inner", "list"])

# A structure is a number (a variable), or (kind, parts).
STRUCTURES = st.recursive(
    st.integers(1, 99).map(float),
    lambda inner: (
        st.tuples(st.sampled_from(["list", "tuple"]), st.lists(inner, max_size=3))
        | st.tuples(st.sampled_from(["dict", "ordered"]), st.dictionaries(NAMES, inner, max_size=3))
        | st.tuples(st.just("module"), st.dictionaries(ATTRIBUTES, inner, max_size=3))
    ),
    max_leaves=8,
)


def whole(structure: Any, filled: bool) -> Any:
    """The object, its variables with their values or with 0."""
    if isinstance(structure, float):
        return tf.Variable(structure if filled else 0.0)
    kind, parts = structure
    if kind in ("list", "tuple"):
        return {"list": list, "tuple": tuple}[kind](whole(part, filled) for part in parts)
    made = {name: whole(part, filled) for name, part in parts.items()}
    if kind != "module":
        return made if kind == "dict" else OrderedDict(made)
    module = tf.Module()
    for name, part in made.items():
        setattr(module, name, part)
    return module


def grow(owner: Any, name: str, structure: Any) -> None:
    """Give `owner` the attribute, piece by piece where that is possible."""
    if isinstance(structure, float) or structure[0] in ("tuple", "ordered"):
        setattr(owner, name, whole(structure, False))
        return
    kind, parts = structure
    if kind == "module":
        setattr(owner, name, tf.Module())
        for inner, part in parts.items():
            grow(getattr(owner, name), inner, part)
        return
    setattr(owner, name, [] if kind == "list" else {})
    container = getattr(owner, name)
    if kind == "list":
        for part in parts:
            container.append(whole(part, False))
    else:
        for key, part in parts.items():
            container[key] = whole(part, False)


def values(structure: Any, made: Any) -> list[float]:
    if isinstance(structure, float):
        return [float(made)]
    kind, parts = structure
    if kind in ("list", "tuple"):
        pairs = zip(parts, made, strict=True)
    elif kind == "module":
        pairs = ((part, getattr(made, name)) for name, part in parts.items())
    else:
        pairs = ((part, made[name]) for name, part in parts.items())
    return [value for part, inner in pairs for value in values(part, inner)]


@pytest.mark.sampled
@pytest.mark.parametrize("way", ["before", "at once", "by and by"])
@settings(max_examples=40, deadline=None)
@given(structure=STRUCTURES)
def test_structures_come_back(tmp_path_factory: Any, way: str, structure: Any) -> None:
    prefix = str(tmp_path_factory.mktemp("structure") / "w")
    source: Any = tf.train.Checkpoint()
    source.root_of_all = whole(structure, True)
    source.write(prefix)
    target: Any = tf.train.Checkpoint()
    if way == "before":
        target.root_of_all = whole(structure, False)
    status = target.read(prefix)
    if way == "at once":
        target.root_of_all = whole(structure, False)
    if way == "by and by":
        grow(target, "root_of_all", structure)

    assert values(structure, source.root_of_all) == values(structure, target.root_of_all)
    status.assert_consumed()
