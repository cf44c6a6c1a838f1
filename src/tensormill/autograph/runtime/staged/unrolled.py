"""A loop over Python values that a tensor may end.

    for layer in layers:
        x = layer(x)
        if error(x) < 1e-6:
            break

The first iteration is unrolled. Then it is known that a tensor decides about the others, and each
of them is unrolled, too, as a branch of its own: the body runs once for each item, with the item,
as it does in a loop that nothing ends. Only where there are too many for that are they a loop of
the graph, if their items can be tensors and the body takes them. Whether it does only tracing it
can tell, as it may hand them to anything; there is no other trace then, whatever comes of this one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Final

from .. import tensor_ranges, tensors, wording
from ..branches import no_else
from . import branches, loops, raising
from . import items as staged_items
from .facts import StatementFacts
from .iteration import RowSteps, Steps, steps_of

Body = Callable[[Any], None]

# Of a small body each branch takes some 10 ms to trace and to compile, of a step of training 35.
_MOST: Final = 64
# More items than this, of what only Python goes through, may be endless.
_ENDLESS: Final = 10_000


def go_on(rest: Iterable[Any], body: Body, test: Any, options: Any, facts: StatementFacts) -> None:
    """`for item in rest: body(item)`, where the tensor `test()` says whether to go on.

    Raises:
        NotImplementedError: there are too many branches, and the graph cannot do it as a loop.
    """
    items = rest if isinstance(rest, range) else list(islice(rest, _ENDLESS))
    if len(items) <= _MOST:
        _branches(items, body, test, facts)
        return
    if len(items) == _ENDLESS and not isinstance(items, range):
        raise _refused("it is endless, perhaps", body, test)
    steps = _steps(items)
    refusal = steps if isinstance(steps, TypeError) else _refusal(steps, body, test, options, facts)
    if refusal is not None:
        reason = f"the graph cannot do the rest of it: {refusal}"
        raise _refused(reason, body, test) from refusal


def _steps(items: Any) -> Steps | TypeError:
    """The items as rows of the graph, or why they cannot be."""
    if isinstance(items, range):
        made = steps_of(tensor_ranges.make_range(items.start, items.stop, items.step))
        assert made is not None
        return made
    try:
        return RowSteps(staged_items.rows(items, "the items of the loop"))
    except TypeError as error:  # nothing of the user's runs in there
        return error


def _refusal(
    steps: Steps, body: Body, test: Any, options: Any, facts: StatementFacts
) -> Exception | None:
    """Stage the loop, or say why its body is none for tensors."""
    try:
        loops.for_stmt(steps, body, test, options, facts)
    except Exception as error:
        if not raising.is_about_tensors(error):
            raise
        return error
    return None


def _branches(items: Iterable[Any], body: Body, test: Any, facts: StatementFacts) -> None:
    """Each item in a branch, up to the one whose body ends the loop whatever tensors say."""
    is_over = False

    def iteration(item: Any) -> None:
        nonlocal is_over
        body(item)
        decision = test()
        is_over = not tensors.is_staged(decision) and not decision

    for item in items:
        branches.if_stmt(test(), functools.partial(iteration, item), no_else, facts)
        if is_over:
            return


def _refused(reason: str, body: Body, test: Any) -> NotImplementedError:
    (flag,) = (name for name in test.__code__.co_freevars if name != "ag__")
    return NotImplementedError(
        "break and return statements which depend on a TF condition are not supported in Python "
        "for loops. Did you intend to make it a TF loop? That is one over a tensor or tf.range, "
        f"or a `while`. Of this loop, {reason}\n  {wording.last_line(body, flag) or ''}"
    )
