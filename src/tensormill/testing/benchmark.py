"""`tf.test.Benchmark`: how long operations take."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ..graph.proto.messages import message
from .evaluation import evaluated

_registered: Final[list[type[Benchmark]]] = []


class Benchmark:
    """Base of benchmarks: methods called `benchmark...`, run by `tf.test.main` if asked for.

    A class whose name begins with an underscore is abstract.
    """

    def __init_subclass__(cls) -> None:
        if not cls.is_abstract():
            _registered.append(cls)

    @classmethod
    def is_abstract(cls) -> bool:
        """Whether there is nothing to run in it."""
        return not any(name.startswith("benchmark") for name in dir(cls))

    def evaluate(self, tensors: Any) -> Any:
        """The values of a structure of tensors, as NumPy has them."""
        return evaluated(tensors)

    def run_op_benchmark(
        self, sess: Any, op_or_tensor: Any, feed_dict: Any = None, burn_iters: int = 2,
        min_iters: int = 10, store_trace: bool = False, store_memory_usage: bool = True,
        name: str | None = None, extras: Mapping[str, Any] | None = None, mbs: float = 0,
    ) -> dict[str, Any]:  # fmt: skip
        """Run something of a session's graph many times, and report the median time.

        burn_iters: how often it runs before that. mbs: how many megabytes it moves each time.
        """
        for _ in range(burn_iters):
            sess.run(op_or_tensor, feed_dict=feed_dict)
        times: list[float] = []
        for _ in range(min_iters):
            start = time.perf_counter()
            sess.run(op_or_tensor, feed_dict=feed_dict)
            times.append(time.perf_counter() - start)
        median = float(np.median(times))
        facts = dict(extras or {}) | {
            "wall_time_mean": float(np.mean(times)),
            "wall_time_stdev": float(np.std(times)),
        }
        throughput = mbs / median if median else 0.0
        self.report_benchmark(min_iters, None, median, throughput, facts, name)
        return {
            "name": name or type(self).__name__,
            "iters": min_iters,
            "wall_time": median,
            "throughput": throughput,
            "extras": facts,
        }

    def report_benchmark(
        self, iters: int | None = None, cpu_time: float | None = None,
        wall_time: float | None = None, throughput: float | None = None, extras: Any = None,
        name: str | None = None, metrics: Any = None,
    ) -> None:  # fmt: skip
        """Print what was measured, as one line of JSON."""
        told = {
            "name": name or type(self).__name__, "iters": iters, "cpu_time": cpu_time,
            "wall_time": wall_time, "throughput": throughput, "extras": extras,
            "metrics": metrics,
        }  # fmt: skip
        print(json.dumps({key: value for key, value in told.items() if value is not None}))


def benchmark_config() -> Any:
    """A `tf.compat.v1.ConfigProto` that asks for no optimization of dependencies.

    >>> tf.test.benchmark_config().graph_options.rewrite_options.dependency_optimization
    2
    """
    made = message("ConfigProto")()
    rewriting = made.graph_options.rewrite_options
    rewriting.dependency_optimization = rewriting.OFF
    return made


def run_benchmarks(pattern: str) -> None:
    """Run the benchmarks whose `Class.method` has the pattern; "all" stands for every one."""
    wanted = "" if pattern == "all" else pattern
    for cls in _registered:
        made = cls()
        for name in dir(cls):
            if name.startswith("benchmark") and re.search(wanted, f"{cls.__name__}.{name}"):
                getattr(made, name)()
