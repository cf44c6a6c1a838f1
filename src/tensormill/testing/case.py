"""`tf.test.TestCase`, and how files of tests are run."""

from __future__ import annotations

import functools
import os
import random
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from ..core import context
from ..core.random_state import set_seed
from ..function.session import Session
from ..graph.builder import FuncGraph
from ..graph.by_hand.default_graph import get_default_graph, may_be_reset, reset_default_graph
from .asserts import TensorAssertions
from .evaluation import evaluated
from .foundation import absltest

SEED: Final = 87654321


class NoSession:
    """What `session()` gives where operations run at once."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"session().{name}: operations run at once here, without a session; use "
            "self.evaluate(...), or build a graph: with tf.Graph().as_default(), self.session():"
        )


class EagerSession:
    """What `cached_session()` gives where operations run at once: `run` gives values."""

    def run(self, fetches: Any, *args: Any, **kwargs: Any) -> Any:
        """The values of a structure of tensors, as NumPy has them; what is callable is called.

        Raises:
            RuntimeError: something is to be fed, or there are options.
        """
        fed = kwargs.pop("feed_dict", None)
        if fed or args or kwargs:
            said = "feed_dict is" if fed else "options are"
            raise RuntimeError(
                f"session.run: {said} not supported where operations run at once; there is no "
                "graph to feed, and run(t) is t.numpy()"
            )
        return evaluated(fetches)


class CapturedWrites:
    """What was written to a stream since a block began."""

    def __init__(self, path: str) -> None:
        self._path: Final = path

    def contents(self) -> str:
        """All of it, as text."""
        with open(self._path, errors="replace") as file:
            return file.read()


class CheckedThread(threading.Thread):
    """A thread whose exception `join` raises."""

    def __init__(self, target: Callable[..., Any], args: Any, kwargs: Any) -> None:
        super().__init__()
        self._work: Final = functools.partial(target, *(args or ()), **(kwargs or {}))
        self._raised: BaseException | None = None

    def run(self) -> None:
        try:
            self._work()
        except BaseException as error:
            self._raised = error

    def join(self, timeout: float | None = None) -> None:
        super().join(timeout)
        if self._raised is not None:
            raise AssertionError(f"Error in checkedThread: {self._raised}") from self._raised


class TestCase(TensorAssertions):
    """A test case that compares tensors. Each test begins with the same seeds and an empty graph.

    >>> class SquareTest(tf.test.TestCase):
    ...     def test_square(self):
    ...         self.assertAllClose(tf.square([1.0, 2.0]), [1.0, 4.0])
    >>> SquareTest("test_square").run().wasSuccessful()
    True
    """

    def __init__(self, methodName: str = "runTest") -> None:
        super().__init__(methodName)
        self._cached: tuple[Session, Any] | None = None

    def setUp(self) -> None:
        super().setUp()
        random.seed(SEED)
        np.random.seed(SEED)
        set_seed(SEED)
        if may_be_reset():  # not where somebody runs tests within a graph's block
            reset_default_graph()
        get_default_graph().seed = SEED

    def evaluate(self, tensors: Any) -> Any:
        """The values of a structure of tensors, as NumPy has them."""
        return evaluated(tensors)

    def evaluate_if_both_tensors(self, a: Any, b: Any) -> Any:
        """Two values; those of tensors where both are."""
        from ..core.values import is_tensor

        return (evaluated(a), evaluated(b)) if is_tensor(a) and is_tensor(b) else (a, b)

    def assertRaisesRegexp(
        self, expected_exception: Any, expected_regex: Any, *args: Any, **kwargs: Any
    ) -> Any:
        """`assertRaisesRegex` by its older name, which Python 3.12 dropped.

        >>> class Test(tf.test.TestCase):
        ...     def test_words(self):
        ...         with self.assertRaisesRegexp(ValueError, "wr.ng"):
        ...             raise ValueError("wrong")
        >>> Test("test_words").debug()
        """
        return self.assertRaisesRegex(expected_exception, expected_regex, *args, **kwargs)

    def get_temp_dir(self) -> str:
        """A folder that is there until the test has ended."""
        if not hasattr(self, "_folder"):
            self._folder = tempfile.mkdtemp(prefix=f"{type(self).__name__}-")
            self.addCleanup(shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder

    @contextmanager
    def session(
        self, graph: FuncGraph | None = None, config: Any = None, use_gpu: bool = True,
        force_gpu: bool = False,
    ) -> Iterator[Any]:  # fmt: skip
        """A session of the graph that is built here; where operations run at once, a hint."""
        if graph is None and not context.building_graph():
            yield NoSession()
            return
        with Session(graph=graph, config=config) as found, found.graph.as_default():
            yield found

    @contextmanager
    def cached_session(
        self, graph: FuncGraph | None = None, config: Any = None, use_gpu: bool = True,
        force_gpu: bool = False,
    ) -> Iterator[Any]:  # fmt: skip
        """The session of this test, whose variables keep their values from block to block.

        Where operations run at once, its `run` gives the values of what is there.

        Raises:
            ValueError: an earlier block was given another graph or other options.
        """
        if not context.building_graph():
            yield EagerSession()
            return
        asked = (graph, config, force_gpu)
        if self._cached is None:
            found = Session(graph=graph, config=config)
            self.addCleanup(found.close)
            self._cached = (found, asked)
        found, before = self._cached
        if any(one is not other for one, other in zip(before, asked, strict=True)):
            raise ValueError(
                "cached_session: the graph and options of a test's cached session stay those of "
                "its first block; use session() for another one"
            )
        with found.graph.as_default(), found.as_default():
            yield found

    def test_session(
        self, graph: FuncGraph | None = None, config: Any = None, use_gpu: bool = True,
        force_gpu: bool = False,
    ) -> Any:  # fmt: skip
        """The same as `session`; it is no test, though unittest takes it for one."""
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")
        return self.session(graph, config, use_gpu, force_gpu)

    def checkedThread(
        self, target: Callable[..., Any], args: Any = None, kwargs: Any = None
    ) -> CheckedThread:
        """A thread whose exception `join` raises as the test's."""
        return CheckedThread(target, args, kwargs)

    @contextmanager
    def captureWritesToStream(self, stream: Any) -> Iterator[CapturedWrites]:
        """What is written to a stream's file in the block, by whomever."""
        path = os.path.join(self.get_temp_dir(), f"stream-{stream.fileno()}")
        stream.flush()
        kept = os.dup(stream.fileno())
        try:
            with open(path, "wb") as file:
                os.dup2(file.fileno(), stream.fileno())
                yield CapturedWrites(path)
                stream.flush()
        finally:
            os.dup2(kept, stream.fileno())
            os.close(kept)


def disable_with_predicate(pred: Callable[[], bool], skip_message: str) -> Callable[..., Any]:
    """Decorate a test to be skipped where `pred()` is true.

    >>> @tf.test.disable_with_predicate(lambda: False, "no")
    ... def test(case):
    ...     return 1
    >>> test(None)
    1

    Raises:
        unittest.SkipTest (when the test runs): `pred()` is true.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def decorated(self: Any, *args: Any, **kwargs: Any) -> Any:
            if pred():
                self.skipTest(skip_message)
            return function(self, *args, **kwargs)

        return decorated

    return decorate


def with_eager_op_as_function(cls: Any = None, only_as_function: bool = False) -> Any:
    """Decorate a class of tests: operations run in one way here, so that it stays as it is.

    >>> @tf.test.with_eager_op_as_function
    ... class Tests(tf.test.TestCase):
    ...     pass
    """
    return cls if cls is not None else lambda one: one


def main(argv: list[str] | None = None) -> None:
    """Run the tests of the file that was started, and leave the process.

    With `--benchmarks=PATTERN` among the arguments, benchmarks run instead.

    >>> if __name__ == "__main__x":
    ...     tf.test.main()

    Raises:
        SystemExit: the tests have run.
    """
    from .benchmark import run_benchmarks

    words = sys.argv if argv is None else argv
    patterns = [one.partition("=")[2] for one in words if one.startswith("--benchmark")]
    if patterns:
        run_benchmarks(patterns[-1])
    else:
        absltest.main(argv=argv)
