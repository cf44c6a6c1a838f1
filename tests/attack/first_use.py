"""Threads whose first use of the library comes at once: every pair of uses, in fresh processes.

One process imports the interpreter and NumPy and forks a child for each try, in which threads wait
for each other and then begin. `python -m tests.attack.first_use COUNT SEED` is that process.
"""

from __future__ import annotations

import importlib
import itertools
import os
import random
import select
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from tests.attack.uses import USES

PATIENCE = 60.0  # seconds until a child is said to hang
SHORT = 1e-5  # seconds between switches of threads
PAUSE = 2e-3  # at most, before a module is looked for

_ = np.zeros(1)  # imported for the children


def attack(count: int, seed: int) -> list[str]:
    """Fork `count` children; all pairs are tried first, then threes and more."""
    command = [sys.executable, "-W", "error", "-m", "tests.attack.first_use", str(count), str(seed)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = run.stdout.splitlines()
    return lines if run.returncode == 0 else [*lines, f"`{' '.join(command)}`: {run.stderr}"]


def tries(count: int, seed: int) -> list[tuple[str, ...]]:
    """Which uses begin at once, for each try."""
    draw = random.Random(seed)
    pairs: list[tuple[str, ...]] = [*itertools.combinations_with_replacement(USES, 2)]
    draw.shuffle(pairs)
    more = (tuple(draw.choices([*USES], k=draw.randint(3, 12))) for _ in itertools.count())
    return [*itertools.islice(itertools.chain(pairs, more), count)]


def failures(names: Sequence[str], is_imported: bool, seed: int) -> str:
    """What goes wrong in a child where these are threads that begin at once; "" for nothing."""

    def work() -> str:
        random.seed(seed)
        if is_imported:
            importlib.import_module("tensormill")
        return in_threads(names)

    return in_child(work)


def in_child(work: Callable[[], str]) -> str:
    """What `work` says in a forked child."""
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiver)
        try:
            os.write(sender, work().encode() or b"\0")
        finally:
            os._exit(0)
    os.close(sender)
    ready, _, _ = select.select([receiver], [], [], PATIENCE)
    said = os.read(receiver, 60_000) if ready else b"it hangs"
    os.close(receiver)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return said.decode(errors="replace").strip("\0") if said else "it died"


class Slowly:
    """Lets other threads go on wherever one imports something; finds nothing itself."""

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: Any = None) -> None:
        time.sleep(random.random() * PAUSE)


def in_threads(names: Sequence[str]) -> str:
    sys.setswitchinterval(SHORT)
    sys.meta_path.insert(0, cast(Any, Slowly))
    together = threading.Barrier(len(names))
    failed: list[str] = []

    def work(name: str) -> None:
        together.wait()
        failed.extend(f"{name}: {one}" for one in told_by(USES[name]))

    threads = [threading.Thread(target=work, args=[name], daemon=True) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return "\n".join(failed)


def told_by(use: Callable[[], None]) -> list[str]:
    try:
        use()
    except BaseException:
        return [traceback.format_exc()]
    return []


def main(count: int, seed: int) -> None:
    for number, names in enumerate(tries(count, seed)):
        if found := failures(names, is_imported=number % 4 > 0, seed=seed + number):
            print(f"try {number} of seed {seed}, {' + '.join(names)}: {found}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
