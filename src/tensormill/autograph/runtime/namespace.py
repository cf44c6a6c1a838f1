"""The namespace `ag__` of converted code: what is in it."""

from __future__ import annotations

import functools
from typing import Any

from ..options import ConversionOptions
from .assertions import assert_stmt
from .booleans import and_, compared, contains, not_, not_in, or_
from .branches import if_exp, if_stmt
from .calls import Calls
from .items import get_item, get_slice, set_items, spread, unpacked, update_item
from .loops import for_stmt, loop_options, while_stmt
from .places.state import assign, attribute, item, module_name
from .places.watched_containers import Watched
from .raising import raised
from .returns import returned
from .sentinels import NO_VALUE


def comprehension(*arguments: Any) -> Any:
    from . import comprehensions  # few functions have one

    return comprehensions.comprehension(*arguments)


def iter_items(iterable: Any) -> Any:
    from . import comprehensions

    return comprehensions.items_of(iterable)


def item_test(test: Any, text: str) -> Any:
    from . import comprehensions

    return comprehensions.item_test(test, text)


class Runtime:
    """The namespace `ag__`. One for each set of options."""

    def __init__(self, options: ConversionOptions) -> None:
        calls = Calls(options, self)
        self.converted = calls.converted
        self.entry = calls.entry

    NO_VALUE = NO_VALUE
    and_ = staticmethod(and_)
    assert_stmt = staticmethod(assert_stmt)
    assign = staticmethod(assign)
    attribute = staticmethod(attribute)
    compared = staticmethod(compared)
    comprehension = staticmethod(comprehension)
    contains = staticmethod(contains)
    for_stmt = staticmethod(for_stmt)
    get_item = staticmethod(get_item)
    get_slice = staticmethod(get_slice)
    if_exp = staticmethod(if_exp)
    if_stmt = staticmethod(if_stmt)
    item = staticmethod(item)
    iter_items = staticmethod(iter_items)
    item_test = staticmethod(item_test)
    loop_options = staticmethod(loop_options)
    module_name = staticmethod(module_name)
    not_ = staticmethod(not_)
    not_in = staticmethod(not_in)
    or_ = staticmethod(or_)
    raised = staticmethod(raised)
    returned = staticmethod(returned)
    set_items = staticmethod(set_items)
    spread = staticmethod(spread)
    unpacked = staticmethod(unpacked)
    update_item = staticmethod(update_item)
    watched_container = Watched
    while_stmt = staticmethod(while_stmt)

    def __repr__(self) -> str:
        return "<AutoGraph runtime>"


@functools.lru_cache(maxsize=64)
def runtime_for(options: ConversionOptions) -> Any:
    return Runtime(options)
