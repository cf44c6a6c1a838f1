"""Messages of `tf.compat.v1.profiler` that programs fill themselves."""

from __future__ import annotations

from typing import Any, Final

from ..proto.messages import documented

OpLogProto: Final[Any] = documented(
    "OpLogProto",
    """What is said of operations: their kinds, and how many floating-point operations they do.

    >>> log = tf.compat.v1.profiler.OpLogProto()
    >>> log.log_entries.add(name="product", float_ops=8).float_ops
    8
    """,
)
AdviceProto: Final[Any] = documented(
    "AdviceProto",
    """What checks of a profile have to say, by their names.

    >>> advice = tf.compat.v1.profiler.AdviceProto()
    >>> advice.checkers["ExpensiveOperationChecker"].reports.append("a product")
    >>> len(advice.checkers)
    1
    """,
)
