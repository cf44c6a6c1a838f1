"""`tensorflow.python.eager.monitoring`: counts and numbers of a process, by name and labels.

Nobody collects them here; who counts may read them.
"""

from __future__ import annotations

import bisect
import functools
import sys
import time
from collections.abc import Callable
from typing import Any, ClassVar, Final

from ....core.process.locks import ForkedLock
from ....graph.proto.messages import message

MOST_LABELS: Final = 3
_NAMES: Final[set[str]] = set()
_LOCK: Final = ForkedLock()


class Cell:
    """One number of a metric, for some labels."""

    first: ClassVar[Any] = 0

    def __init__(self) -> None:
        self._value = self.first

    def value(self) -> Any:
        """What it is now."""
        return self._value


class CounterCell(Cell):
    """A number that grows."""

    def increase_by(self, value: int) -> None:
        """Add to it; what is negative adds nothing."""
        with _LOCK():
            self._value += max(int(value), 0)


class GaugeCell(Cell):
    """A value that is set."""

    kind: ClassVar[Any] = int

    def set(self, value: Any) -> None:
        """Have another value."""
        self._value = self.kind(value)


class IntGaugeCell(GaugeCell):
    """An int."""


class StringGaugeCell(GaugeCell):
    """A text."""

    first = ""
    kind = str


class BoolGaugeCell(GaugeCell):
    """True or False."""

    first = False
    kind = bool


class SamplerCell:
    """How often which numbers came."""

    def __init__(self, limits: list[float]) -> None:
        self._limits = limits
        self._numbers: list[float] = []

    def add(self, value: float) -> None:
        """Note a number."""
        self._numbers.append(float(value))

    def value(self) -> Any:
        """All that came, as a HistogramProto."""
        numbers = list(self._numbers)
        counts = [0] * (len(self._limits) + 1)
        for number in numbers:
            counts[bisect.bisect_right(self._limits, number)] += 1
        return message("HistogramProto")(
            min=min(numbers, default=sys.float_info.max),
            max=max(numbers, default=-sys.float_info.max), num=len(numbers), sum=sum(numbers),
            sum_squares=sum(number * number for number in numbers),
            bucket_limit=[*self._limits, sys.float_info.max], bucket=counts,
        )  # fmt: skip


class Metric:
    """A name, of which each combination of labels has a cell."""

    made: Callable[[], Any]

    def __init__(self, name: str, description: str, *labels: str) -> None:
        if len(labels) >= MOST_LABELS:
            kind = type(self).__name__
            raise ValueError(f"Cannot create {kind} metric with label >= {MOST_LABELS}")
        self.name, self.description, self._labels = name, description, labels
        self._cells: dict[tuple[str, ...], Any] = {}

    def get_cell(self, *labels: str) -> Any:
        """The cell of these labels.

        Raises:
            ValueError: there are more or fewer than the metric has.
        """
        if len(labels) != len(self._labels):
            kind = type(self).__name__
            raise ValueError(f"The {kind} expects taking {len(self._labels)} labels")
        with _LOCK():
            if labels not in self._cells:
                self._cells[labels] = self.made()
            return self._cells[labels]


class Counter(Metric):
    """Counts."""

    made = CounterCell


class IntGauge(Metric):
    """Ints."""

    made = IntGaugeCell


class StringGauge(Metric):
    """Texts."""

    made = StringGaugeCell


class BoolGauge(Metric):
    """Truths."""

    made = BoolGaugeCell


class ExponentialBuckets:
    """Limits that are `growth_factor` apart, from `scale` on."""

    def __init__(self, scale: float, growth_factor: float, bucket_count: int) -> None:
        self.limits = [scale * growth_factor**k for k in range(bucket_count)]


class Sampler(Metric):
    """Histograms, with the limits that `buckets` have."""

    def __init__(self, name: str, buckets: Any, description: str, *labels: str) -> None:
        super().__init__(name, description, *labels)
        self._buckets = buckets

    def made(self) -> SamplerCell:
        return SamplerCell(self._buckets.limits)


class MonitoredTimer:
    """A block whose microseconds are added to the cell of a counter."""

    def __init__(
        self, cell: Any, monitored_section_name: str | None = None,
        avoid_repetitive_counting: bool = False,
    ) -> None:  # fmt: skip
        self.cell = cell
        self._name = monitored_section_name if avoid_repetitive_counting else None
        self._counts = True

    def __enter__(self) -> MonitoredTimer:
        self._counts = self._name not in _NAMES
        if self._name is not None:
            _NAMES.add(self._name)
        self._began = time.monotonic_ns()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._counts:
            return
        if self._name is not None:
            _NAMES.discard(self._name)
        self.cell.increase_by((time.monotonic_ns() - self._began) // 1000)


def monitored_timer(cell: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Have calls of a function add their microseconds to a cell."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with MonitoredTimer(cell):
                return function(*args, **kwargs)

        return wrapper

    return decorated
