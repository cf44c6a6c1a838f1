"""Where the peers live: each has a virtual environment of its own.

An environment is looked for in the folder that BENCH_PEERS names, then made under bench/.peers.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
OWN_FOLDER = ROOT / "bench" / ".peers"

# Environment of each peer; the first four run where tensormill is installed.
ENVIRONMENTS = {
    "tensormill": None,
    "xla": None,
    "blas": None,
    "hand": None,
    "tensorflow": "tf",
    "jax": "jax",
    "numba": "jax",
    "torch": "torch",
}

# The wheels of torch on the usual index bring gigabytes for GPUs.
INSTALLS = {
    "tf": ["tensorflow-cpu==2.21.0", "keras>=3.15"],
    "jax": ["jax>=0.10", "numba>=0.68", "numpy", "keras>=3.15"],
    "torch": [
        "torch",
        "numpy",
        "keras>=3.15",
        "--extra-index-url",
        "https://download.pytorch.org/whl/cpu",
    ],
}

Say = Callable[[str], None]


class Peers:
    """Finds the Python of a peer, making its environment on first use."""

    def __init__(self, say: Say, install: bool = True) -> None:
        self.say = say
        self.install = install
        self.found: dict[str, Path | None] = {}

    def python(self, peer: str) -> Path | None:
        """Return the interpreter that runs this peer, or None if there is none."""
        if peer == "xla" and find_spec("jax") is None:
            self.say("skipping xla: JAX is not installed here (pip install 'tensormill[xla]')")
            return None
        environment = ENVIRONMENTS[peer]
        if environment is None:
            return Path(sys.executable)
        if environment not in self.found:
            self.found[environment] = self.find(environment)
            if self.found[environment] is None:
                self.say(f"skipping {peer}: no environment {environment!r} (see bench/README.md)")
        return self.found[environment]

    def find(self, environment: str) -> Path | None:
        given = os.environ.get("BENCH_PEERS")
        folders = [Path(given)] if given else []
        for folder in (*folders, OWN_FOLDER):
            python = folder / environment / "bin" / "python"
            if python.exists():
                return python
        return self.make(environment) if self.install else None

    def make(self, environment: str) -> Path | None:
        """Make an environment and install the peer; return None if that fails."""
        folder = OWN_FOLDER / environment
        python = folder / "bin" / "python"
        self.say(f"installing {INSTALLS[environment][0]} into {folder.relative_to(ROOT)}")
        commands = (
            [sys.executable, "-m", "venv", str(folder)],
            [str(python), "-m", "pip", "install", "--quiet", *INSTALLS[environment]],
        )
        for command in commands:
            finished = subprocess.run(command, capture_output=True, text=True)
            if finished.returncode != 0:
                self.say(finished.stderr.strip().splitlines()[-1])
                return None
        return python
