"""Runs Python programs in processes of their own."""

from __future__ import annotations

import subprocess
import sys


def start(program: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a program."""
    command = [sys.executable, "-W", "ignore", "-c", program, *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe)


def outcome(process: subprocess.Popen[bytes]) -> tuple[int, bytes, bytes]:
    """Exit code, output and error output of a program that ends within a minute."""
    output, errors = process.communicate(timeout=60)
    return process.returncode, output, errors
