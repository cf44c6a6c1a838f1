"""Where operations come from, and so who may ask for one by its name."""

from __future__ import annotations

from enum import Enum


class Origin(Enum):
    """Who else knows an operation."""

    TENSORFLOW = "tf.raw_ops has it"
    MODULES = "TensorFlow has it, in modules of its own alone"
    GRAPHS = "only graphs of this library have it, and files that are written from them"
    COMPILER = "only compiled code has it, which makes its operands so that they fit"

    @property
    def is_in_files(self) -> bool:
        """Whether a file may name it: its operands are looked at."""
        return self is not Origin.COMPILER
