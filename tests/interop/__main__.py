"""`make interop`: the same programs on tensormill and on TensorFlow, and files that both read.

    python -m tests.interop PYTHON [WORDS…]

PYTHON has both TensorFlow and tensormill; the running one has tensormill alone. WORDS choose
programs by parts of their names. Exit code 1: something differs, and what was printed says where.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from .compare import differences

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
# Programs that run where both are installed, and exchange files or values.
BOTH = (
    HERE / "checkpoints.py", HERE / "numpy_functions.py", HERE / "saved_models.py",
    HERE / "keras_models.py", HERE / "pipelines.py", HERE / "raw_operations.py",
)  # fmt: skip
OURS = {"TENSORMILL_PYTHON": sys.executable, "PYTHONPATH": str(ROOT / "src")}
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0", "MPLBACKEND": "Agg"}


def is_program(path: Path) -> bool:
    return not path.name.startswith(("test_", "__"))


def programs() -> list[Path]:
    """Programs that print the same on both."""
    folders = (ROOT / "examples" / "seeds", ROOT / "tests" / "programs")
    found = [path for folder in folders for path in sorted(folder.glob("*.py")) if is_program(path)]
    return [*found, HERE / "datasets.py"]


def main(python: str, words: Sequence[str]) -> int:
    """Run every chosen program; return how many fail."""
    failures = 0
    for path in chosen(programs(), words):
        failures += not report(path, compared(path, python))
    for path in chosen(BOTH, words):
        failures += not report(path, exchanged(path, python))
    return failures


def chosen(paths: Iterable[Path], words: Sequence[str]) -> list[Path]:
    return [path for path in paths if not words or any(word in path.name for word in words)]


def report(path: Path, complaints: list[str]) -> bool:
    print(f"{'FAIL' if complaints else 'ok':5} {path.relative_to(ROOT)}", flush=True)
    for complaint in complaints:
        print("      " + complaint.replace("\n", "\n      "))
    return not complaints


def compared(path: Path, python: str) -> list[str]:
    """What differs between the two outputs of one program."""
    ours = run([sys.executable, "-m", "tensormill", "run", str(path)])
    theirs = run([python, str(path)])
    broken = [f"{who} ended with code {one.returncode}:\n{one.stderr[-2000:]}"
              for who, one in (("tensormill", ours), ("TensorFlow", theirs))
              if one.returncode]  # fmt: skip
    return broken or differences(path.stem, theirs.stdout, ours.stdout)


def exchanged(path: Path, python: str) -> list[str]:
    done = run([python, str(path)])
    return [done.stdout[-3000:] + done.stderr[-3000:]] if done.returncode else []


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            command,
            cwd=folder,
            env=os.environ | QUIET | OURS,
            capture_output=True,
            text=True,
            check=False,
        )


if __name__ == "__main__":
    sys.exit(1 if main(str(Path(sys.argv[1]).absolute()), sys.argv[2:]) else 0)
