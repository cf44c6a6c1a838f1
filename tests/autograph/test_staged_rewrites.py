"""What staged loops and branches refuse: the error names the variable and a rewrite that works."""

from __future__ import annotations

# Some variables are bound in one branch only, on purpose.
# pyright: reportPossiblyUnboundVariable=false
import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import tensormill as tf
from tensormill.autograph.experimental import set_loop_options

XS = [3.0, -1.0, 2.0]


class Refused(NamedTuple):
    """A function that is refused, words of the error, and the function rewritten as it says."""

    function: Callable[..., Any]
    error: type[Exception]
    words: str
    rewritten: Callable[..., Any]


def one_branch_only(xs: Any) -> Any:
    if xs[0] > 0:
        y = xs[0]
    return y


def both_branches(xs: Any) -> Any:
    if xs[0] > 0:
        y = xs[0]
    else:
        y = -1.0
    return y


def none_first(xs: Any) -> Any:
    best = None
    for x in xs:
        if x > 0:
            best = x
    return best


def number_first(xs: Any) -> Any:
    best = -1.0
    for x in xs:
        if x > 0:
            best = x
    return best


def other_dtype(xs: Any) -> Any:
    count = tf.constant(0)
    for x in xs:
        count = x
    return count


def cast_dtype(xs: Any) -> Any:
    count = tf.constant(0)
    for x in xs:
        count = tf.cast(x, tf.int32)
    return count


def other_rank(xs: Any) -> Any:
    y = xs[0]
    for x in xs:
        y = tf.stack([x, x])
    return y


def any_rank(xs: Any) -> Any:
    y = xs[0]
    for x in xs:
        set_loop_options(shape_invariants=[(y, tf.TensorShape(None))])
        y = tf.stack([x, x])
    return y


def with_two_names(xs: Any) -> Any:
    found = []
    same = found
    for x in xs:
        found.append(x)
    return found, len(same) >= 0


def with_one_name(xs: Any) -> Any:
    found = []
    same = found
    found = list(found)
    for x in xs:
        found.append(x)
    return found, len(same) >= 0


def collected_by_a_helper(xs: Any) -> Any:
    def collect(found: Any) -> None:
        for x in xs:
            found.append(x)

    found = []
    collect(found)
    return found


def returned_by_a_helper(xs: Any) -> Any:
    def collect(found: Any) -> Any:
        found = list(found)
        for x in xs:
            found.append(x)
        return found

    found = []
    found = collect(found)
    return found


def mixed_elements(xs: Any) -> Any:
    found = [0]
    for x in xs:
        found.append(x > 0)
    return found


def cast_elements(xs: Any) -> Any:
    found: list[Any] = [0]
    for x in xs:
        found.append(tf.cast(x > 0, tf.int32))
    return found


def made_a_tuple(xs: Any) -> Any:
    found = []
    for x in xs:
        found.append(x)
    return tf.stack(tuple(found))


def made_a_tensor(xs: Any) -> Any:
    found = []
    for x in xs:
        found.append(x)
    return tf.stack(found)


def sorted_by_pairs(xs: Any) -> Any:
    found = []
    for x in xs:
        found.append((x, -x))
    found.sort()
    return [x for x, _ in found]


def sorted_by_scalars(xs: Any) -> Any:
    found = []
    for x in xs:
        found.append((x, -x))
    found.sort(key=lambda pair: pair[0])
    return [x for x, _ in found]


def changed_by_a_slice_with_steps(xs: Any) -> Any:
    found = []
    for x in xs:
        found.append(x)
    del found[::2]
    return found


def changed_one_by_one(xs: Any) -> Any:
    found = []
    for x in xs:
        found.append(x)
    return found[1::2]


def gone_through_by_python(xs: Any) -> Any:
    found = []
    for x in xs:
        found.append(x)
    doubled = dict.fromkeys(found)
    return list(doubled)


def gone_through_by_a_loop(xs: Any) -> Any:
    found, doubled = [], []
    for x in xs:
        found.append(x)
    for y in found:
        doubled.append(y)
    return doubled


def endless_loop_left_early(xs: Any) -> Any:
    for k in itertools.count():
        if xs[k] < 0:
            break
    return k


def staged_loop_left_early(xs: Any) -> Any:
    for k in tf.range(3):
        if xs[k] < 0:
            break
    return k


def dropped_write(xs: Any) -> Any:
    array = tf.TensorArray(tf.float32, size=3)
    for k in tf.range(3):
        array.write(k, xs[k])
    return array.stack()


def kept_write(xs: Any) -> Any:
    array = tf.TensorArray(tf.float32, size=3)
    for k in tf.range(3):
        array = array.write(k, xs[k])
    return array.stack()


def returned_as_two_dtypes(xs: Any) -> Any:
    if xs[0] > 0:
        return xs[0]
    return tf.size(xs)


def returned_as_one_dtype(xs: Any) -> Any:
    if xs[0] > 0:
        return xs[0]
    return tf.cast(tf.size(xs), tf.float32)


def returned_or_none(xs: Any) -> Any:
    if xs[0] > 0:
        return xs


def returned_or_made_up(xs: Any) -> Any:
    if xs[0] > 0:
        return xs
    return tf.zeros([3])


def not_on_every_way(xs: Any) -> Any:
    for x in xs:
        if x > 2:
            return x


def on_every_way(xs: Any) -> Any:
    for x in xs:
        if x > 2:
            return x
    return -1.0


REFUSED = [
    Refused(one_branch_only, ValueError, "'y' must also be initialized in the else", both_branches),
    Refused(none_first, ValueError, "'best' is not allowed to be None before", number_first),
    Refused(other_dtype, TypeError, r"'count' has dtype int32 before.*tf\.cast", cast_dtype),
    Refused(other_rank, ValueError, r"'y' has shape \(\) before .*set_loop_options", any_rank),
    Refused(with_two_names, ValueError, r"'found' .*`found = list\(found\)`", with_one_name),
    Refused(
        collected_by_a_helper, ValueError, "'found' .*and use 'found', or return it",
        returned_by_a_helper,
    ),
    Refused(mixed_elements, TypeError, r"'found' .*dtype int32, another bool; use tf\.cast",
            cast_elements),
    Refused(made_a_tuple, TypeError, r"made a tuple.*tf\.stack\(the list\)", made_a_tensor),
    Refused(sorted_by_pairs, ValueError, r"sort\(key=…\)", sorted_by_scalars),
    Refused(
        changed_by_a_slice_with_steps, ValueError, r"without steps, .*found = found\[…\]",
        changed_one_by_one,
    ),
    Refused(gone_through_by_python, TypeError, "loop with a `for` statem", gone_through_by_a_loop),
    Refused(
        endless_loop_left_early, NotImplementedError, r"or tf\.range", staged_loop_left_early
    ),
    Refused(dropped_write, ValueError, r"write `array = array\.write\(…\)`", kept_write),
    Refused(returned_as_two_dtypes, TypeError, "the value retur.*tf.cast", returned_as_one_dtype),
    Refused(returned_or_none, ValueError, r"like `return tf.zeros\(\[3\]\)`", returned_or_made_up),
    Refused(not_on_every_way, ValueError, r"add a `return` .*, like `return 0\.0`", on_every_way),
]  # fmt: skip


def plain(structure: Any) -> Any:
    return tf.nest.map_structure(lambda one: tf.constant(one).numpy().tolist(), structure)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.function.__name__)
def test_the_error_says_what_to_write(case: Refused) -> None:
    with pytest.raises(case.error, match=f"(?s){case.words}"):
        tf.function(case.function)(tf.constant(XS))


@pytest.mark.sampled
@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.rewritten.__name__)
def test_and_that_works(case: Refused) -> None:
    eager = case.rewritten(tf.constant(XS))

    assert plain(eager) == plain(tf.function(case.rewritten)(tf.constant(XS)))
