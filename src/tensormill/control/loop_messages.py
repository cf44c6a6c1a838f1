"""What is said of a variable of `tf.while_loop` that does not stay what it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import tree
from ..core.shapes import TensorShape
from ..core.type_spec import TypeSpec
from .matching import described


def name_of(outline: Any, number: int) -> str:
    """What to call a flat variable: `loop_vars[1]['a']`. A spec in the outline is a composite."""
    position = -1
    for path, leaf in tree.flatten_with_path(outline):
        is_composite = isinstance(leaf, TypeSpec)
        position += len(tree.flatten(leaf, expand_composites=True)) if is_composite else 1
        if position >= number:
            return "loop_vars" + "".join(f"[{key!r}]" for key in path)
    return "loop_vars"


def other_dtype(name: str, before: Any, after: Any) -> str:
    return (
        f"{name} enters the loop with type {before!r} but has type {after!r} after 1 iteration; "
        "use tf.cast to keep one dtype"
    )


def other_shape(
    outline: Any, number: int, shapes: Sequence[TensorShape], after: TensorShape
) -> str:
    """`shapes` are those of all flat variables before the loop."""
    wider = [shape.relax(after) if k == number else shape for k, shape in enumerate(shapes)]
    if not any(map(tree.is_nested, outline)):
        allowed = f"shape_invariants=[{', '.join(map(_text, wider))}]"
    else:
        allowed = f"{_text(wider[number])} in its place in shape_invariants"
    return (
        f"{name_of(outline, number)} enters the loop with shape {shapes[number]}, but has shape "
        f"{after} after one iteration. This allows both: {allowed}"
    )


def _text(shape: TensorShape) -> str:
    return f"tf.TensorShape({None if shape.rank is None else shape.as_list()})"


def other_structure(variables: Any, returned: Any) -> str:
    return (
        "The two structures don't have the same nested structure: the loop has the variables "
        f"{described(list(variables))}, but its body returned {described(list(returned))}"
    )
