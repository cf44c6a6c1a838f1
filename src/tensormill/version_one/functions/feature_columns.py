"""Feature columns whose arguments came in another order."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...feature_columns import categories


def categorical_column_with_vocabulary_file(
    key: str,
    vocabulary_file: str,
    vocabulary_size: int | None = None,
    num_oov_buckets: int = 0,
    default_value: int | None = None,
    dtype: Any = dtypes.string,
) -> Any:
    r"""Categories by the line of a file that they stand in
    (`tf.feature_column.categorical_column_with_vocabulary_file`).

    >>> tf.io.write_file("colours.txt", "red\nblue")
    >>> column = tf.compat.v1.feature_column.categorical_column_with_vocabulary_file
    >>> column("c", "colours.txt", None, 3).num_buckets
    5

    Raises:
        ValueError: there is no such file, the size is not positive, or both of `default_value` and
            `num_oov_buckets` are given.
    """
    return categories.categorical_column_with_vocabulary_file(
        key, vocabulary_file, vocabulary_size, dtype, default_value, num_oov_buckets
    )
