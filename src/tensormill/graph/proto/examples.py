"""`tf.train.Example` and its parts: what records hold, by the names of features."""

from __future__ import annotations

from typing import Any, Final

from .messages import documented

BytesList: Final[Any] = documented(
    "BytesList",
    """Strings: the `value` of a feature.

    >>> tf.train.BytesList(value=[b"a", b"b"]).value[1]
    b'b'
    """,
)
FloatList: Final[Any] = documented(
    "FloatList",
    """Numbers of 32 bits: the `value` of a feature.

    >>> tf.train.FloatList(value=[0.5, 1.5]).value[1]
    1.5
    """,
)
Int64List: Final[Any] = documented(
    "Int64List",
    """Integers of 64 bits: the `value` of a feature.

    >>> tf.train.Int64List(value=[1, 2]).value[1]
    2
    """,
)
Feature: Final[Any] = documented(
    "Feature",
    """The values of one feature: a `bytes_list`, a `float_list` or an `int64_list`.

    >>> feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[7]))
    >>> feature.WhichOneof("kind"), list(feature.int64_list.value)
    ('int64_list', [7])
    """,
)
Features: Final[Any] = documented(
    "Features",
    """Features by their names, in `feature`.

    >>> one = tf.train.Feature(float_list=tf.train.FloatList(value=[0.5]))
    >>> list(tf.train.Features(feature={"weight": one}).feature)
    ['weight']
    """,
)
FeatureList: Final[Any] = documented(
    "FeatureList",
    """The values of one feature at each step of a sequence, in `feature`.

    >>> one = tf.train.Feature(float_list=tf.train.FloatList(value=[0.5]))
    >>> len(tf.train.FeatureList(feature=[one, one]).feature)
    2
    """,
)
FeatureLists: Final[Any] = documented(
    "FeatureLists",
    """The lists of a sequence by their names, in `feature_list`.

    >>> steps = tf.train.FeatureList(feature=[tf.train.Feature()])
    >>> list(tf.train.FeatureLists(feature_list={"words": steps}).feature_list)
    ['words']
    """,
)
Example: Final[Any] = documented(
    "Example",
    """One record: its `features`, by their names. Record files hold it as bytes.

    >>> one = tf.train.Feature(int64_list=tf.train.Int64List(value=[7]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"label": one}))
    >>> tf.train.Example.FromString(example.SerializeToString()) == example
    True
    """,
)
SequenceExample: Final[Any] = documented(
    "SequenceExample",
    """One sequence: features of the whole in `context`, of its steps in `feature_lists`.

    >>> steps = tf.train.FeatureList(feature=[tf.train.Feature()])
    >>> lists = tf.train.FeatureLists(feature_list={"words": steps})
    >>> example = tf.train.SequenceExample(feature_lists=lists)
    >>> len(example.feature_lists.feature_list["words"].feature)
    1
    """,
)
