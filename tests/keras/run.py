"""`make keras-tests`: Keras's own tests, folder by folder, as a table.

    python -m tests.keras.run [FOLDER ...]

Fails where a test fails that is not in known_failures.txt, or one passes that is.
"""

from __future__ import annotations

import sys
import time

from tests.keras.suite import Outcome, known_failures, reason_for, run_suite

FOLDERS = (
    "tree", "regularizers", "activations", "losses", "initializers", "optimizers", "metrics",
    "layers/core", "layers/regularization", "layers/normalization", "trainers/trainer_test.py",
    "layers/rnn", "layers/reshaping", "layers/merging", "layers/activations", "layers/attention",
    "layers/pooling", "layers/convolutional", "backend/common", "ops/core_test.py",
    "ops/math_test.py", "ops/nn_test.py", "ops/linalg_test.py",
)  # fmt: skip
HEAD = f"{'folder':<28}{'passed':>8}{'skipped':>9}{'known':>7}{'new':>6}{'seconds':>9}"


def main(folders: list[str]) -> int:
    known = known_failures()
    worse: list[str] = []
    better: list[str] = []
    print(HEAD, flush=True)
    for folder in folders or FOLDERS:
        started = time.perf_counter()
        outcome = run_suite([folder])
        unexpected = outcome.unexpected(known)
        print(row(folder, outcome, len(unexpected), time.perf_counter() - started), flush=True)
        worse += unexpected
        better += [name for name in outcome.passed if reason_for(name, known) is not None]
        if unexpected:
            print(outcome.log)
    for name in worse:
        print(f"fails, and is not known to: {name}")
    for name in better:
        print(f"passes, although it is listed in known_failures.txt: {name}")
    return 1 if worse or better else 0


def row(folder: str, outcome: Outcome, new: int, seconds: float) -> str:
    known = len(outcome.failed) - new
    counts = f"{len(outcome.passed):>8}{len(outcome.skipped):>9}{known:>7}{new:>6}"
    return f"{folder:<28}{counts}{seconds:>9.1f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
