"""A loop over Python values that a tensor may end: the graph does what is left of it.

    for i in range(100):
        x = step(x)
        if error(x) < 1e-6:
            break

The first iteration is unrolled. Then it is known that a tensor decides about the others. They are a
loop of the graph, if their items can be tensors and the body takes them; else each of them is
unrolled as a branch of its own. Whether the body takes tensors only tracing it can tell, as it may
hand them to anything; its own errors have come out of the first iteration.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Final

from .. import tensor_ranges, wording
from ..branches import no_else
from . import branches, loops, raising
from . import items as staged_items
from .facts import StatementFacts
from .iteration import RowSteps, Steps, steps_of
from .tracing import Refused, Trial

Body = Callable[[Any], None]

# More branches than this are rather a mistake.
_MOST: Final = 64
# More items than this, of what only Python goes through, may be endless.
_ENDLESS: Final = 10_000


def go_on(rest: Iterable[Any], body: Body, test: Any, options: Any, facts: StatementFacts) -> None:
    """`for item in rest: body(item)`, where the tensor `test()` says whether to go on.

    Raises:
        NotImplementedError: the graph cannot do it as a loop, and there are too many branches.
    """
    items = rest if isinstance(rest, range) else list(islice(rest, _ENDLESS))
    if not items:
        return
    if len(items) == _ENDLESS and not isinstance(items, range):
        raise _refused("it is endless, perhaps", body, test)
    steps = _steps(items)
    refusal = steps if isinstance(steps, TypeError) else _refusal(steps, body, test, options, facts)
    if refusal is None:
        return
    if len(items) > _MOST:
        raise _refused(f"the graph cannot do the rest of it: {refusal}", body, test) from refusal
    _branches(items, body, test, facts)


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
        Trial().run(lambda: loops.for_stmt(steps, body, test, options, facts), _is_known)
    except Refused as refused:
        return refused.error
    return None


def _is_known(error: Exception) -> bool | None:
    """No `raise` of converted code is a refusal; of others the trial knows."""
    return False if raising.is_of_user(error) else None


def _branches(items: Iterable[Any], body: Body, test: Any, facts: StatementFacts) -> None:
    for item in items:
        branches.if_stmt(test(), functools.partial(body, item), no_else, facts)


def _refused(reason: str, body: Body, test: Any) -> NotImplementedError:
    (flag,) = (name for name in test.__code__.co_freevars if name != "ag__")
    return NotImplementedError(
        "break and return statements which depend on a TF condition are not supported in Python "
        "for loops. Did you intend to make it a TF loop? That is one over a tensor or tf.range, "
        f"or a `while`. Of this loop, {reason}\n  {wording.last_line(body, flag) or ''}"
    )
