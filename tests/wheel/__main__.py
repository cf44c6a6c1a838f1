"""`make test-wheel`: builds the wheel, installs it alone, and runs every operation there.

    python -m tests.wheel [VERSION]

An environment of tests has libraries that the wheel does not ask for, which would hide that an
operation needs one of them. VERSION is Python's; without it, the newest that is found counts.
"""

from __future__ import annotations

import subprocess
import sys

from tests.environments import ROOT, VERSIONS, clean, found, make
from tests.installers import install


def main(versions: list[str]) -> int:
    pythons = found(versions or VERSIONS)
    if not pythons:
        print(f"no Python of {' '.join(versions or VERSIONS)} was found", file=sys.stderr)
        return 1
    version = list(pythons)[-1]
    print(f"installing the wheel alone into .venv-wheel, Python {version}", flush=True)
    python = make(ROOT / ".venv-wheel", pythons[version], anew=True)
    install(python, str(ROOT))
    command = [python, "-m", "tests.wheel.checks"]
    # LLVM's passes need nothing that a wheel could lack, and are most of what compiling costs.
    environment = {"TENSORMILL_EFFORT": "0"} | clean()
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
