"""Programs that each need a process of their own: forks of one that has imported tensormill."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping

# Reads programs by their names, and tells what each wrote to its error output.
FORKING = """
import json, os, sys, tempfile, traceback
import tensormill

def errors_of(program):
    with tempfile.TemporaryFile() as errors:
        child = os.fork()
        if not child:
            os.dup2(errors.fileno(), 2)
            run(program)
        _, status = os.waitpid(child, 0)
        errors.seek(0)
        told = errors.read().decode()
        return told or f"status {status}" * (status != 0)

def run(program):
    try:
        exec(program, {"__name__": "__main__"})
        code = 0
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stderr.flush()
    os._exit(code)

print(json.dumps({name: errors_of(program) for name, program in json.load(sys.stdin).items()}))
"""


def errors_of(programs: Mapping[str, str]) -> dict[str, str]:
    """What each program wrote to its error output, warnings too; nothing where it went well."""
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORKING],
        input=json.dumps(programs),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)
