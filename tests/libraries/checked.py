"""Runs every function of a program, and keeps what each returned, or why it did not.

    python tests/libraries/checked.py PROGRAM RESULTS

A program's tests are the functions that it defines whose names have no leading underscore, or what
its own `checks()` returns by name. RESULTS is a pickle of two dicts.
"""

import importlib.util
import pickle
import random
import sys
import traceback

import numpy as np

SEED = 7


def main(path, results):
    program = imported(path)
    passed, failed = {}, {}
    for name, check in checks_of(program).items():
        try:
            random.seed(SEED)
            np.random.seed(SEED)
            passed[name] = plain(check())
        except Exception:
            failed[name] = traceback.format_exc()
    with open(results, "wb") as file:
        pickle.dump((passed, failed), file)


def imported(path):
    spec = importlib.util.spec_from_file_location("program", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["program"] = module
    spec.loader.exec_module(module)
    return module


def checks_of(program):
    if hasattr(program, "checks"):
        return program.checks()
    return {
        name: value
        for name, value in vars(program).items()
        if callable(value)
        and getattr(value, "__module__", None) == program.__name__
        and not name.startswith("_")
        and not isinstance(value, type)
    }


def plain(value):
    """The same in NumPy's and Python's types, which mean the same on both sides."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, (str, bytes, bool, int, float, type(None))):
        return value
    return np.asarray(value)


if __name__ == "__main__":
    main(*sys.argv[1:])
