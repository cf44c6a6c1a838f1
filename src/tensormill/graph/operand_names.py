"""What TensorFlow calls constants and reads that are made for an operand."""

from __future__ import annotations

from typing import Final

from .operation import Operation

# Where TensorFlow names a constant otherwise than the field that it is for.
OPERAND_NAMES: Final = {
    ("StridedSlice", "begin"): "stack",
    ("StridedSlice", "end"): "stack_1",
    ("StridedSlice", "strides"): "stack_2",
}


def operand_name(node: Operation, position: int) -> str:
    """What TensorFlow calls what was made for the operand at `position`."""
    made = node.inputs[position].op
    if made.type == "ReadVariableOp":
        return made.type
    assert node.kind is not None
    for field, count in zip(node.kind.inputs, node.counts, strict=True):
        width = 1 if count is None else count
        if position < width:
            if count is not None:
                return f"{field.name}_{position}"
            return OPERAND_NAMES.get((node.kind.name, field.name), field.name)
        position -= width
    raise IndexError(position)
