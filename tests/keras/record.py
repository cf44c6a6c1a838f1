"""Writes what the programs compute with TensorFlow: recorded.json.

Run it with a Python that has TensorFlow and Keras (and none of our library):

    python tests/keras/record.py
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    sys.path.insert(0, str(HERE))
    import keras
    import loops  # pyright: ignore[reportMissingImports]
    import tensorflow as tf
    import trainers  # pyright: ignore[reportMissingImports]

    programs = (*loops.PROGRAMS, *trainers.PROGRAMS)
    recorded = {program.__name__: program(tf, keras) for program in programs}
    (HERE / "recorded.json").write_text(json.dumps(recorded, indent=1) + "\n")


if __name__ == "__main__":
    main()
