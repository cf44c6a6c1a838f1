"""Python processes that a script starts: `import tensorflow` means tensormill there, too."""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "PYTHONPATH"
FOLDER = str(Path(__file__).parents[1] / "compat" / "for_children")


def adopt_children() -> None:
    """Let Pythons that this process starts find the module that installs tensormill.

    By the environment, for whoever starts them (`subprocess`, a pool, a launcher), and by this
    process's own path, which `multiprocessing` gives those that it spawns instead of theirs.
    """
    inherited = [one for one in os.environ.get(VARIABLE, "").split(os.pathsep) if one]
    os.environ[VARIABLE] = os.pathsep.join([*(one for one in inherited if one != FOLDER), FOLDER])
    if FOLDER not in sys.path:
        sys.path.append(FOLDER)
