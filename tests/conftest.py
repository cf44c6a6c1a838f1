"""Most tests ask what code computes: LLVM optimises it only where that is what they are about.

Its passes and its better instruction selection are most of what the tests would cost. With
`TENSORMILL_EFFORT=2` in the environment every test runs code as users get it.
"""

from __future__ import annotations

import faulthandler
import gc
import itertools
import math
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
from _pytest.runner import runtestprotocol

from tensormill.config import settings
from tensormill.core.random_state import state
from tests import bytecode, sampling

ROOT = Path(__file__).parent
# Whose tests run code as users get it: random programs (`fuzz`) and whole ones are among them. Of
# the compiler those that ask what LLVM is given, and loops over many elements, of which it makes
# other loops. So does ops/test_rules.py, by itself, for one operation of each kind.
OPTIMISED = {
    Path(one)
    for one in (
        "backends", "bench", "examples", "fuzz", "programs",
        "compiler/calling", "compiler/llvm/test_emit.py", "compiler/llvm/test_vector_math.py",
        "compiler/lowering/test_reductions.py", "compiler/lowering/test_small_products.py",
        "compiler/lowering/test_sorting.py", "compiler/machine/test_elf.py",
        "compiler/machine/test_jit.py", "compiler/native", "compiler/test_eager_operations.py",
        "compiler/test_eager_products.py", "compiler/test_growth.py", "compiler/test_scalars.py",
        "compiler/test_strips.py",
    )
}  # fmt: skip
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
# What is left out of the names of folders, and what makes each another's.
NO_WORD, NUMBERS = re.compile(r"\W"), itertools.count()
# Folders of tests that take seconds each: they begin first, so that no process ends alone with one.
LONG_ONES = ("attack", "examples", "fuzz", "keras", "programs", "robust", "stubs")
# Seconds: what pytest shows of `--durations`, and after which a file of tests seems to hang.
SHOWN, LONG = 0.005, 300
# The folder of temporary files of the tests.
LEFT_BEHIND = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Let programs that tests start import what these tests do, not what is installed, and let what
    nobody deletes go when all tests have run; pytest's own folders stay.
    """
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT.parent / "src"), str(ROOT.parent)])
    if not hasattr(config, "workerinput"):  # other processes are in the same folder
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
        folder = config.stash[LEFT_BEHIND] = tempfile.mkdtemp(prefix="tests-")
        tempfile.tempdir = os.environ["TMPDIR"] = folder


def pytest_addoption(parser: pytest.Parser) -> None:
    sampling.add_option(parser)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if (cases := config.option.cases) != sampling.ALL:
        terminalreporter.write_line(sampling.summary(cases))


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Leave addresses out of names, as `ids=str` makes them: all processes need the same names."""
    parametrize = metafunc.parametrize

    def named(*arguments: Any, ids: Any = None, **options: Any) -> None:
        parametrize(*arguments, ids=without_addresses(ids) if callable(ids) else ids, **options)

    metafunc.parametrize = named


def without_addresses(ids: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def name(value: Any) -> Any:
        given = ids(value)
        return ADDRESS.sub("", given) if isinstance(given, str) else given

    return name


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Let no collection of cycles look at thousands of tests, of which none goes."""
    several = hasattr(session.config, "workerinput") and bytecode.is_missing()
    gc.disable()
    try:
        with bytecode.one_first(Path(__file__)) if several else nullcontext():
            return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put those that take long first; the others stay in their order. Cases may be left out."""
    if "hypothesis" in sys.modules and "TENSORMILL_FUZZ" not in os.environ:
        draw_from_no_sources()
        sampling.draw_fewer(config.option.cases, items)
    if out := sampling.left_out(config.option.cases, items):
        config.hook.pytest_deselected(items=list(out))
        items[:] = [item for item in items if item not in out]
    items.sort(key=lambda item: not is_long(item.path))


@cache
def is_long(path: Path) -> bool:
    """Whether the tests of a file begin first: asked once for a file, not for each of them."""
    return path.relative_to(ROOT).parts[0] in LONG_ONES


def pytest_collection_finish() -> None:
    """Nor at any time after."""
    if "hypothesis" in sys.modules:
        draw_once()
    gc.freeze()


def draw_from_no_sources() -> None:
    """Keep Hypothesis, unless it is to search for long, from the constants of our sources: it would
    parse each module that is imported, and what a test draws would depend on which ones are.
    """
    from hypothesis.internal.conjecture import providers

    if hasattr(providers, "_get_local_constants"):  # younger than 6.100, which is enough
        none = type(providers.GLOBAL_CONSTANTS)()
        providers._get_local_constants = lambda: none


def draw_once() -> None:
    """Let Hypothesis ask the collector who holds its random numbers, before it forgets that."""
    from hypothesis import given, settings, strategies

    settings(max_examples=1, database=None)(given(strategies.none())(lambda _: None))()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """What pytest does, and what this library needs before a file and after a test: as fixtures,
    that would be most of what a small test costs.
    """
    if item.path != file.path:
        file.begin(item)
    if hasattr(item.config, "workerinput"):
        run_in_worker(item, nextitem)
    else:
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        runtestprotocol(item, nextitem=nextitem)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    if state.seed is not None:  # which would change what the next test's seeds of operations give
        state.set_seed(None)
    return True


def run_in_worker(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Tell of a test once, not five times."""
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed or report.duration >= SHOWN:
            report.keywords = {}  # nobody reads them
            item.ihook.pytest_runtest_logreport(report=report)


class File:
    """The file whose tests run."""

    path: Path | None = None
    watched_since = -math.inf
    # As users have it, or as the environment says.
    effort = settings.effort

    def begin(self, item: pytest.Item) -> None:
        self.path = item.path
        self.collect()
        if "TENSORMILL_FUZZ" not in os.environ:
            self.watch(item.config)
        if "TENSORMILL_EFFORT" not in os.environ:
            settings.effort = self.effort if is_optimised(item.path) else 0

    def collect(self) -> None:
        """Have collections of cycles look at what this file makes alone: thousands of tests leave a
        million objects, and a look at them all takes 0.15 s.
        """
        gc.collect()
        gc.freeze()

    def watch(self, config: pytest.Config) -> None:
        """A native loop that never ends would say nothing: print every thread's stack instead.

        Seldom, as each call starts and ends a thread, which pytest's `faulthandler_timeout` does
        for each test.
        """
        if time.monotonic() - self.watched_since > LONG / 10:
            self.watched_since = time.monotonic()
            faulthandler.dump_traceback_later(LONG, file=config.stash[fault_handler_stderr_fd_key])


file = File()


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As pytest's, without its link to the newest folder, which costs more than the folder does."""
    name = NO_WORD.sub("_", request.node.name)[:30]
    return tmp_path_factory.mktemp(f"{name}-{next(NUMBERS)}", numbered=False)


def pytest_unconfigure(config: pytest.Config) -> None:
    faulthandler.cancel_dump_traceback_later()
    if LEFT_BEHIND in config.stash:  # nothing else may be deleted, whatever went wrong before
        shutil.rmtree(config.stash[LEFT_BEHIND], ignore_errors=True)


def is_optimised(path: Path) -> bool:
    inside = path.relative_to(ROOT)
    return not OPTIMISED.isdisjoint([inside, *inside.parents])
