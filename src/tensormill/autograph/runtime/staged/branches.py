"""`if` and the conditional expression, where a tensor decides."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

from ....graph.numbers.loop_numbers import LoopNumber, mark
from ....graph.operation import Operation
from ...errors import NotInEveryBranch
from .. import tensors
from ..places import containers
from ..places.aliases import Alias
from ..places.in_place import ways
from ..places.state import Place
from ..places.state import variables as variables_of
from ..places.structures import TakenApart
from ..places.watched_containers import Guard
from ..sentinels import NO_VALUE, UNSET
from . import raising, tracing
from .blocks import StatementVariables
from .conditions import condition
from .facts import StatementFacts, StatementPlace
from .merging import Merged, Output, merge


def if_stmt(
    test: Any, main: Callable[[], None], orelse: Callable[[], None], facts: StatementFacts
) -> None:
    """Trace both branches; what they assign comes out of one conditional."""
    decision = condition(test, "if statement")
    variables = StatementVariables(facts)
    with tracing.undoing(variables.restore) as undoing:
        while not _is_staged(decision, variables, main, orelse):
            variables.restore()
        undoing.keep()


def _is_staged(
    decision: Any,
    variables: StatementVariables,
    main: Callable[[], None],
    orelse: Callable[[], None],
) -> bool:
    """Stage the statement; False where a list or dict that only calls change cannot be merged: it
    is left to the trace from now on, and whoever watches it has to see that.
    """
    first = tracing.Branch("cond_true", lambda: _run(variables, main))
    second = tracing.Branch("cond_false", lambda: _run(variables, orelse))
    _add_discovered(variables, first)
    _fill_in_for_raised(decision, first, second, [one.before for one in variables.places])
    unlike = _unlike(variables, first, second)
    others = [(one.place, _last(one.before, first, second, k)) for k, one in unlike.items()]
    has_containers = any(containers.is_plain(one.before) for one in unlike.values())
    variables.leave_alone({place.name for place, _ in others})
    if has_containers:
        return False
    for branch in (first, second):
        branch.left = [one for k, one in enumerate(branch.left) if k not in unlike]
    _let_lists_grow(variables, first, second)
    before = [one.before for one in variables.places]
    merged = _merge_or_choose(
        decision, first, second, before,
        lambda: _merged(variables, first.left, second.left, main, orelse),
    )  # fmt: skip
    variables.put(_outcome(decision, first, second, merged))
    for place, value in others:
        place.set(value)
    return True


def _last(before: Any, first: tracing.Branch, second: tracing.Branch, place: int) -> Any:
    """What the trace of both branches leaves in a place."""
    value = second.left[place].value
    return first.left[place].value if value is before else value


def _unlike(
    variables: StatementVariables, first: tracing.Branch, second: tracing.Branch
) -> dict[int, StatementPlace]:
    """The discovered places, by number, in which the branches leave what is no state."""
    found: dict[int, StatementPlace] = {}
    rows = zip(variables.places, first.left, second.left, strict=True)
    for k, (known, one, other) in enumerate(rows):
        if not known.is_discovered:
            continue
        name = known.place.name
        try:
            if elements := containers.lists_to_stage(name, one.value, other.value):
                containers.check_unshared(name, known.shared, elements)
            else:
                merge(name, one, other)
        except (TypeError, ValueError):
            found[k] = known
    return found


def _add_discovered(variables: StatementVariables, branch: tracing.Branch) -> None:
    """Let a branch leave as they were the places which only the other one has shown to be some."""
    if isinstance(branch.left, Exception):
        return
    for one in variables.places[len(branch.left) :]:
        branch.left.append(branch.within(functools.partial(TakenApart, one.place.name, one.before)))


def if_exp(
    test: Any,
    main: Callable[[], Any],
    orelse: Callable[[], Any],
    text: str,
    bound: FunctionType | None,
) -> Any:
    guard = guard_of(main, orelse)
    value = choose(condition(test, "if expression"), main, orelse, text, bound)
    guard.check("a if c else b")
    return value


def guard_of(*operands: Callable[[], Any]) -> Guard:
    """What sees that operands change a container, which only statements can do in the graph."""
    functions = [one for one in operands if isinstance(one, FunctionType)]
    places = [place for one in functions for place in variables_of(one)]
    return Guard((), places, has_copies=False)


def choose(
    decision: Any,
    main: Callable[[], Any],
    orelse: Callable[[], Any],
    text: str,
    bound: FunctionType | None = None,
) -> Any:
    """One of two values; errors call it `text`. `bound` are variables that `:=` in one binds."""
    places = variables_of(bound)
    before = [place.get() for place in places]
    known: list[tuple[str, Any]] = []
    first = tracing.Branch("cond_true", lambda: _run_operand(main, text, places, before, known))
    second = tracing.Branch("cond_false", lambda: _run_operand(orelse, text, places, before, known))
    _fill_in_for_raised(decision, first, second, [NO_VALUE, *before])
    if elements := containers.lists_to_stage(text, first.left[0].value, second.left[0].value):
        _let_grow(text, 0, elements, first, second)
    names = [text, *(place.name for place in places)]
    merged = _merge_or_choose(
        decision, first, second, [NO_VALUE, *before],
        lambda: [merge(*row) for row in zip(names, first.left, second.left, strict=True)],
    )  # fmt: skip
    value, *others = _outcome(decision, first, second, merged)
    for place, other in zip(places, others, strict=True):
        place.set(UNSET if other is NO_VALUE else other)
    for way, container in known:
        _note_alias("the value chosen" + way, value, way, container)
    return value


def _note_alias(name: str, value: Any, way: str, container: Any) -> None:
    """Note that a container should be the one at the end of a way in a value."""
    made = ways(value).get(way)
    if made is not container:
        found = [one for one in (made, container) if one is not None]
        where = tracing.user_line()
        tracing.note_alias(Alias(name, where, found, is_element=made is None))


def _run_operand(
    make: Callable[[], Any],
    text: str,
    places: Sequence[Place],
    before: Sequence[Any],
    known: list[tuple[str, Any]],
) -> list[TakenApart] | Exception:
    """An expression's value, and those of the variables that it may bind. `known` gets the
    containers in the value that others know, too, with the ways to them.

    One that it did not bind has none that anybody may look at: `x > 0 and (y := …)`.
    """

    def run() -> list[TakenApart]:
        for place, value in zip(places, before, strict=True):
            place.set(value)
        value = make()
        found = ways(value)
        (holders,) = containers.known_containers([value])
        known.extend((way, found[way]) for way, _, count in holders if count > 2)
        bound = [(place.name, place.get()) for place in places]
        left = [TakenApart(name, NO_VALUE if one is UNSET else _result(one)) for name, one in bound]
        return [TakenApart(text, _result(value)), *left]

    return _attempted(run)


def _run(variables: StatementVariables, block: Callable[[], None]) -> list[TakenApart] | Exception:
    def run() -> list[TakenApart]:
        values = variables.run(block, "if", (one.before for one in variables.places))
        pairs = zip(variables.places, values, strict=True)
        return [TakenApart(one.place.name, _result(value)) for one, value in pairs]

    return _attempted(run)


def _result(value: Any) -> Any:
    """A value that a branch leaves; for an operation, that it has run, as `tf.cond` says it."""
    return tensors.as_tensor(True) if isinstance(value, Operation) else value


def _attempted(block: Callable[[], list[TakenApart]]) -> list[TakenApart] | Exception:
    """What a branch leaves; or the exception that it always ends in, which the graph will raise."""
    try:
        return block()
    except Exception as error:
        if not raising.is_of_user(error):
            raise
        raising.stage_raise(error)
        return error


def _fill_in_for_raised(
    decision: Any, first: tracing.Branch, second: tracing.Branch, before: Sequence[Any]
) -> None:
    """Let a branch that raises leave what suits the other one: nobody will see it.

    Raises:
        Exception: both do, so whatever is behind the statement never runs.
    """
    if isinstance(first.left, Exception) and isinstance(second.left, Exception):
        _outcome(decision, first, second, [])
        raise raising.passed_on(first.left)
    for one, other in ((first, second), (second, first)):
        if isinstance(one.left, Exception):
            one.left = _suiting(other, before)


def _suiting(branch: tracing.Branch, before: Sequence[Any]) -> list[TakenApart]:
    """What the other branch is to leave where nobody will see it."""
    pairs = zip(branch.left, before, strict=True)
    return [now if _is_unchanged(now.value, then) else _NOTHING for now, then in pairs]


def _merge_or_choose(
    decision: Any,
    first: tracing.Branch,
    second: tracing.Branch,
    before: Sequence[Any],
    merged: Callable[[], list[Merged]],
) -> list[Merged]:
    """What two branches leave, merged; where they do not agree, Python may know which one runs."""
    try:
        return merged()
    except (TypeError, ValueError):
        if (is_true := tracing.wanted(decision)) is None:
            raise
    if is_true:
        second.left = _suiting(first, before)
    else:
        first.left = _suiting(second, before)
    return merged()


def _is_unchanged(now: Any, then: Any) -> bool:
    if now is then or type(now) is not type(then):
        return now is then
    return containers.is_plain(then) and now == then


_NOTHING = TakenApart("", NO_VALUE)


def _let_lists_grow(
    variables: StatementVariables, first: tracing.Branch, second: tracing.Branch
) -> None:
    """Make lists of the graph of those that the branches leave with different lengths."""
    for k, known in enumerate(variables.places):
        name, one, other = known.place.name, first.left[k].value, second.left[k].value
        elements = containers.lists_to_stage(name, one, other)
        if not elements:
            continue
        if "" not in known.moved:
            containers.check_unshared(name, known.shared - known.moved, elements)
        _let_grow(name, k, elements, first, second)


def _let_grow(
    name: str, place: int, elements: Mapping[str, Any], *branches: tracing.Branch
) -> None:
    for branch in branches:
        value = branch.left[place].value
        branch.left[place] = branch.within(_grown(name, value, elements))


def _grown(name: str, value: Any, elements: Mapping[str, Any]) -> Callable[[], TakenApart]:
    return lambda: TakenApart(name, containers.with_staged_lists(name, value, elements))


def _merged(
    variables: StatementVariables,
    first: Sequence[TakenApart],
    second: Sequence[TakenApart],
    main: Callable[[], None],
    orelse: Callable[[], None],
) -> list[Merged]:
    found: list[Merged] = []
    for known, one, other in zip(variables.places, first, second, strict=True):
        try:
            found.append(merge(known.place.name, one, other))
        except (TypeError, ValueError) as error:
            lines = [_line_of(branch, known.place.name) for branch in (main, orelse)]
            where = f"{error}\n  main branch: {lines[0]}\n  else branch: {lines[1]}"
            if isinstance(error, NotInEveryBranch):
                raise NotInEveryBranch(error.name, where) from None
            raise type(error)(where) from None
    return found


def _outcome(
    decision: Any, first: tracing.Branch, second: tracing.Branch, merged: Sequence[Merged]
) -> list[Any]:
    """The merged values, with tensors that come out of the conditional."""
    outputs = [output for one in merged for output in one.outputs]
    main = first.finish(lambda: [_made(one.main, one.orelse, one) for one in outputs])
    orelse = second.finish(lambda: [_made(one.orelse, one.main, one) for one in outputs])
    results = tracing.conditional(decision, main, orelse)
    for result, output in zip(results, outputs, strict=True):
        if output.numbers:
            mark(result, LoopNumber(output.numbers))
        tracing.be_chosen(result, decision, output.main, output.orelse)
    results = iter(results)
    return [one.rebuilt([next(results) for _ in one.outputs]) for one in merged]


def _made(value: Any, other: Any, output: Output) -> Any:
    if value is NO_VALUE:
        return tensors.blank_like(other)
    return tensors.as_tensor(value, output.dtype)


def _line_of(branch: Callable[[], None], name: str) -> str:
    from ..wording import branch_line  # not before there is an error

    return branch_line(branch, name)
