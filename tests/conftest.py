"""Most tests ask what code computes: LLVM optimises it only where that is what they are about.

Its passes and its better instruction selection are most of what the tests would cost. With
`TENSORMILL_EFFORT=2` in the environment every test runs code as users get it.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import re
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
from _pytest.runner import runtestprotocol

from tensormill.config import settings
from tensormill.core.random_state import state
from tests import sampling

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
# Folders of tests that take seconds each: they begin first, so that no process ends alone with one.
LONG_ONES = ("attack", "examples", "fuzz", "keras", "programs", "robust", "stubs")
# Seconds: what pytest shows of `--durations`, and after which a file of tests seems to hang.
SHOWN, LONG = 0.005, 300


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
def pytest_collection() -> Generator[None, object, object]:
    """Let no collection of cycles look at thousands of tests, of which none goes."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put those that take long first; the others stay in their order. Cases may be left out."""
    if "hypothesis" in sys.modules and "TENSORMILL_FUZZ" not in os.environ:
        draw_from_no_sources()
    if out := sampling.left_out(config.option.cases, items):
        config.hook.pytest_deselected(items=list(out))
        items[:] = [item for item in items if item not in out]
    items.sort(key=lambda item: item.path.relative_to(ROOT).parts[0] not in LONG_ONES)


def pytest_collection_finish() -> None:
    """Nor at any time after."""
    if "hypothesis" in sys.modules:
        draw_once()
    gc.collect()
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
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Have workers tell of a test once, not five times: that is most of what a small one costs."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed or report.duration >= SHOWN:
            report.keywords = {}  # nobody reads them
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.fixture(scope="module", autouse=True)
def young() -> None:
    """Have collections of cycles look at what this file makes alone: thousands of tests leave a
    million objects, and a look at them all takes 0.15 s.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def watch(request: pytest.FixtureRequest) -> Iterator[None]:
    """A native loop that never ends would say nothing: print every thread's stack instead.

    Once for a file, as pytest's `faulthandler_timeout` starts and ends a thread for each test.
    """
    if "TENSORMILL_FUZZ" not in os.environ:
        stderr = request.config.stash[fault_handler_stderr_fd_key]
        faulthandler.dump_traceback_later(LONG, file=stderr)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="module", autouse=True)
def effort(request: pytest.FixtureRequest) -> Iterator[None]:
    """Have LLVM do no more than it must, outside `OPTIMISED`."""
    before = settings.effort
    if "TENSORMILL_EFFORT" not in os.environ and not is_optimised(request.path):
        settings.effort = 0
    yield
    settings.effort = before


@pytest.fixture(autouse=True)
def no_seed() -> Iterator[None]:
    """Leave no global seed to the next test: it changes what a seed of an operation gives."""
    yield
    if state.seed is not None:
        state.set_seed(None)


def is_optimised(path: Path) -> bool:
    inside = path.relative_to(ROOT)
    return not OPTIMISED.isdisjoint([inside, *inside.parents])
