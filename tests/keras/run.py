"""`make keras-tests`: Keras's own tests, folder by folder, as a table.

    python -m tests.keras.run [--resume] [FOLDER ...]

Fails where a test fails that is not in known_failures.txt, or one passes that is. What each folder
gave is kept in build/keras-tests.json; `--resume` runs the folders that are not in it yet.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from tests.keras.folders import FOLDERS
from tests.keras.suite import (
    Outcome,
    keras_tests,
    known_failures,
    reason_for,
    run_suite,
    unused,
)

KEPT = Path(__file__).parents[2] / "build" / "keras-tests.json"
HEAD = f"{'folder':<36}{'passed':>8}{'skipped':>9}{'known':>7}{'new':>6}{'seconds':>9}"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.keras.run", description=__doc__)
    parser.add_argument("folders", nargs="*", metavar="FOLDER", default=FOLDERS)
    parser.add_argument("--resume", action="store_true")
    options = parser.parse_args(arguments)
    for folder in options.folders:
        if not (keras_tests() / folder).exists():
            parser.error(f"{folder} is no folder or file below {keras_tests()}")
    known = known_failures()
    kept = read(KEPT) if options.resume else {}
    print(HEAD, flush=True)
    for folder in options.folders:
        if folder not in kept:
            kept[folder] = run_suite([folder])
            write(KEPT, kept)
        outcome = kept[folder]
        print(row(folder, outcome, known), flush=True)
        if outcome.unexpected(known):
            print(outcome.log)
    return report([kept[folder] for folder in options.folders], known)


def report(outcomes: list[Outcome], known: dict[str, str]) -> int:
    """Say what known_failures.txt does not say, or says though it is not so."""
    worse = [name for one in outcomes for name in one.unexpected(known)]
    better = [name for one in outcomes for name in one.passed if reason_for(name, known)]
    for name in worse:
        print(f"fails, and is not known to: {name}")
    for name in better:
        print(f"passes, although it is listed in known_failures.txt: {name}")
    stale = unused(outcomes, known)
    for name in stale:
        print(f"is listed in known_failures.txt, and there is no such test: {name}")
    return 1 if worse or better or stale else 0


def row(folder: str, outcome: Outcome, known: dict[str, str]) -> str:
    new = len(outcome.unexpected(known))
    counts = (
        f"{len(outcome.passed):>8}{len(outcome.skipped):>9}{len(outcome.failed) - new:>7}{new:>6}"
    )
    return f"{folder:<36}{counts}{outcome.seconds:>9.1f}"


def read(file: Path) -> dict[str, Outcome]:
    if not file.exists():
        return {}
    return {folder: Outcome(**kept) for folder, kept in json.loads(file.read_text()).items()}


def write(file: Path, outcomes: dict[str, Outcome]) -> None:
    """As a whole, or not at all: an interrupt is what this is for."""
    file.parent.mkdir(exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(json.dumps({folder: asdict(one) for folder, one in outcomes.items()}))
    part.replace(file)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
