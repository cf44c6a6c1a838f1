"""Writes layouts.json: `python -m tests.dtensor.record`, with a Python that has TensorFlow.

Each program is run by TensorFlow for some layouts of its operands; those that it refuses are left
out. Programs that make it crash are not among them.
"""

from __future__ import annotations

import inspect
import json
import sys
from itertools import product
from pathlib import Path
from typing import Any

MOST = {"eager": 6, "traced": 2}
LETTERS = {
    0: [""], 1: [".", "x", "y"], 2: ["..", "x.", ".x", "xy", ".y"],
    3: ["...", "x..", "..y", "xy."], 4: ["....", "x..."],
}  # fmt: skip


def main() -> None:
    import tensorflow as tf

    sys.modules["tensormill"] = tf
    (cpu,) = tf.config.list_physical_devices("CPU")
    four = [tf.config.LogicalDeviceConfiguration()] * 4
    tf.config.set_logical_device_configuration(cpu, four)
    from . import programs

    found: dict[str, Any] = {"eager": {}, "traced": {}}
    for name, (function, shapes) in programs.PROGRAMS.items():
        for mode, answers in found.items():
            called = tf.function(function) if mode == "traced" else function
            row: dict[str, str] = {}
            for letters in chosen(shapes, MOST[mode]):
                answer = asked(programs, called, shapes, letters)
                if answer is not None:
                    row[",".join(letters)] = answer
            if row:
                answers[name] = row
    text = json.dumps(found, indent=0)
    Path(inspect.getfile(main)).with_name("layouts.json").write_text(f"{text}\n")


def chosen(shapes: Any, most: int) -> list[tuple[str, ...]]:
    """Some combinations of layouts, spread over all of them."""
    each = [*product(*(LETTERS[len(shape)] for shape in shapes))]
    step = max(1, len(each) // most)
    return each[step // 2 :: step]


def asked(programs: Any, function: Any, shapes: Any, letters: Any) -> str | None:
    try:
        operands = [programs.laid_out(*pair) for pair in zip(shapes, letters, strict=True)]
        return str(programs.letters_of(function(*operands)))
    except Exception:  # TensorFlow refuses these layouts in many ways
        return None


if __name__ == "__main__":
    main()
