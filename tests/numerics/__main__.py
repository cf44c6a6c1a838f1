"""`python -m tests.numerics`: see the package."""

from __future__ import annotations

import sys
import time

from . import facts, measure, narrow, page, record, totals
from .catalogue import FUNCTIONS

ALL = {
    "functions": (measure.measure, FUNCTIONS),
    "narrow": (narrow.measure, narrow.NAMES),
    "totals": (totals.measure, totals.TOTALS),
    "facts": (facts.measure, facts.FACTS),
    "threads": (lambda name: facts.bits_by_threads()[name], facts.PROGRAMS),
}

if sys.argv[1:2] == ["--measure"]:
    record.keep("made", "with", record.machine())
    for kind, (measured, names) in ALL.items():
        for name in names:
            if not sys.argv[2:] or {name, kind} & set(sys.argv[2:]):
                began = time.perf_counter()
                record.keep(kind, name, measured(name))
                print(f"{kind} {name}: {time.perf_counter() - began:.1f} s", file=sys.stderr)
page.write()
