"""`while` and `for`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.process.named_tuples import NamedTuple
from ..verbosity import logger
from . import tensors
from .iterators import gone_through
from .staged import iteration

# An unrolled loop that grows this long is a mistake more often than not.
WARN_AFTER = 50_000
STOP_AFTER = 10**8


def while_stmt(
    test: Callable[[], Any], body: Callable[[], None], options: Any = None, **facts: Any
) -> None:
    """`while test(): body()`.

    Each evaluation of the test decides anew: a loop whose test starts as a Python value and
    becomes a tensor (`while True:` with a `break` that depends on one) runs its first iterations
    while it is traced, and the graph does the rest.
    """
    from .staged import loops
    from .staged.facts import StatementFacts

    iterations = 0
    while True:
        decision = loops.evaluated(test)
        if decision is loops.IN_GRAPH:
            loops.while_stmt(test, body, options, StatementFacts(**facts))
            return
        if not decision:
            return
        del decision  # a list that grows in the body must have no other name
        body()
        iterations += 1
        _check_unrolling(iterations)


def for_stmt(
    iterable: Any,
    body: Callable[[Any], None],
    test: Callable[[], Any] | None = None,
    options: Any = None,
    **facts: Any,
) -> None:
    """`for item in iterable: body(item)`, going on while `test()`.

    Where that starts to depend on a tensor, the graph does the rest.
    """
    staged = iteration.steps_of(iterable)
    if staged is not None:
        from .staged import loops
        from .staged.facts import StatementFacts

        loops.for_stmt(staged, body, test, options, StatementFacts(**facts))
        return
    items = iter(gone_through(iterable))
    for count, item in enumerate(items, 1):
        body(item)
        decision = True if test is None else tensors.in_python(test())
        if tensors.is_staged(decision):
            from .staged import unrolled
            from .staged.facts import StatementFacts

            rest = iterable[count:] if isinstance(iterable, range) else items
            unrolled.go_on(rest, body, test, options, StatementFacts(**facts))
            return
        if not decision:
            break
        _check_unrolling(count)


def _check_unrolling(iterations: int) -> None:
    if iterations == WARN_AFTER and tensors.building_graph():
        logger.warning(
            "Large unrolled loop detected: %d iterations of a Python loop ran while tracing. "
            "Did you mean to use a TF loop, over tf.range(...) or a tensor?",
            iterations,
        )
    if iterations >= STOP_AFTER and tensors.building_graph():
        raise ValueError("Exceeded maximum number of loop iterations while tracing.")


class LoopOptions(NamedTuple):
    """What `set_loop_options` says about a loop."""

    parallel_iterations: int | None = None
    swap_memory: bool | None = None
    maximum_iterations: Any = None
    shape_invariants: Any = None


def loop_options(*args: Any, **kwargs: Any) -> LoopOptions:
    return LoopOptions(*args, **kwargs)
