"""`make libraries`: libraries that are made for TensorFlow, tried on it and on tensormill.

    python -m tests.libraries [--installed] [NAME ...]

Makes two environments, .venv-libraries-tensorflow and .venv-libraries-tensormill, installs what the
libraries need into both, runs their tests there, and writes the table of docs/libraries.md. With
`--installed` the environments are taken as they are. Exit code 1: a test that passes on TensorFlow
fails here, and the catalogue does not say why; or the catalogue says so, and it is not.
"""

from __future__ import annotations

import argparse
import sys

from .catalogue import Library, named
from .outcomes import Outcome, compared
from .sides import OURS, THEIRS, prepare, run
from .table import row, write


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.libraries", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--installed", action="store_true")
    options = parser.parse_args(arguments)
    libraries = named(options.names)
    if not options.installed:
        prepare(libraries)
    outcomes = {library.name: tried(library) for library in libraries}
    write(outcomes)
    return int(any(outcomes[one.name].complaints(one) for one in libraries))


def tried(library: Library) -> Outcome:
    outcome = compared(run(library, THEIRS), run(library, OURS))
    print(row(library, outcome), flush=True)
    for complaint in outcome.complaints(library):
        print(complaint)
    return outcome


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
