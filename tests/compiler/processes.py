"""Runs Python programs in processes of their own, with this process's import path."""

from __future__ import annotations

import os
import subprocess
import sys


def start(program: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a program; it knows the modules that this process knows."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}
    command = [sys.executable, "-W", "ignore", "-c", program, *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe)


def outcome(process: subprocess.Popen[bytes]) -> tuple[int, bytes, bytes]:
    """Exit code, output and error output of a program that ends within a minute."""
    output, errors = process.communicate(timeout=60)
    return process.returncode, output, errors
