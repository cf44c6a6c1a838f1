"""What is asked of rows of strings."""

from __future__ import annotations

from typing import Any

from ...errors import InvalidArgumentError


def demand_rows(sizes: Any, name: str, splits: Any, values: Any) -> None:
    """Refuse splits that do not go from the first of some values behind the last."""
    last, (count,) = sizes.shape(splits)[0] - 1, sizes.shape(values)

    def is_end(number: Any, place: Any) -> Any:
        return ((place != 0) | (number == 0)) & ((place != last) | (number == count))

    sizes.each_pair(splits, lambda one, after: one <= after, InvalidArgumentError, NOT_SORTED)
    sizes.each(splits, is_end, InvalidArgumentError, NOT_ALL, name, count, placed=True)


NOT_SORTED = "splits have to be sorted"
NOT_ALL = "{}: splits go from 0 to {}, the number of values, and splits{at} is {it}"
