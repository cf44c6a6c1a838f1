"""`tf.compat.v1.train.warm_start`: variables that start at those of another training."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...checkpoint.state_file import get_checkpoint_state
from ...core import context
from ...core.files.gfile import text
from ...core.process.named_tuples import NamedTuple
from ...core.values import PartitionedBase
from ...errors import NotFoundError
from ...formats.slice_files import reader_of
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_graph import get_default_graph
from .starting import demand_shape, spans_of, start_at


class VocabInfo(NamedTuple):
    """How words got other places in a vocabulary: rows (or columns) of a variable go with them.

    new_vocab, old_vocab: files of a word a line. new_vocab_size, old_vocab_size: how many of them
    count; -1 for all of the old. num_oov_buckets: how many rows follow those of words.
    backup_initializer: gives rows of words that are new, and the last ones; zeros without it. axis:
    0 for rows, 1 for columns.

    >>> tf.compat.v1.train.VocabInfo("new.txt", 3, 1, "old.txt").axis
    0
    """

    new_vocab: str
    new_vocab_size: int
    num_oov_buckets: int
    old_vocab: str
    old_vocab_size: int = -1
    backup_initializer: Any = None
    axis: int = 0


def warm_start(
    ckpt_to_initialize_from: Any,
    vars_to_warm_start: Any = ".*",
    var_name_to_vocab_info: Mapping[str, VocabInfo] | None = None,
    var_name_to_prev_var_name: Mapping[str, str] | None = None,
) -> None:
    """Let variables of the graph start at the values of a checkpoint, when they are initialized.

    vars_to_warm_start: a pattern of names, of trainable variables; a list of patterns, of all
    variables; a list of variables; or None, for those with vocabularies alone. The mappings are by
    the names that variables have here: of vocabularies whose order changed, and of other names in
    the checkpoint.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(2.0, name="v")
    ...     session.run(v.initializer)
    ...     path = tf.compat.v1.train.Saver().save(session, "warm/model")
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(0.0, name="v")
    ...     tf.compat.v1.train.warm_start("warm")
    ...     session.run(v.initializer)
    ...     print(session.run(v))
    2.0

    Raises:
        ValueError: there is no checkpoint, a shape differs, or a name of a mapping is of no
            variable.
        NotFoundError: the checkpoint has no such value.
    """
    folder = text(ckpt_to_initialize_from)
    state = get_checkpoint_state(folder)
    bundle = reader_of(folder if state is None else state.model_checkpoint_path)
    vocabularies = dict(var_name_to_vocab_info or {})
    earlier = dict(var_name_to_prev_var_name or {})
    started = set[str]()
    for variable in _chosen(vars_to_warm_start, vocabularies):
        name = _name(variable)
        started.add(name)
        _start(variable, bundle, earlier.get(name, name), vocabularies.get(name))
    others = {*vocabularies, *earlier} - started
    if others:
        raise ValueError(
            "You provided names in var_name_to_vocab_info or var_name_to_prev_var_name of what is "
            f"not warm-started: {sorted(others)}"
        )


def _name(variable: Any) -> str:
    """What a variable, or the whole that it is a part of, is called in checkpoints."""
    place = variable._save_slice_info
    return variable.op.name if place is None else place.full_name


def _chosen(wanted: Any, vocabularies: Mapping[str, VocabInfo]) -> list[Any]:
    graph = get_default_graph()
    variables = graph.get_collection(GraphKeys.GLOBAL_VARIABLES)
    if wanted is None:
        found: list[Any] = []
    elif isinstance(wanted, str):
        trainable = graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
        found = [one for one in trainable if re.match(wanted, one.op.name)]
    elif isinstance(wanted, Sequence) and all(isinstance(one, str) for one in wanted):
        found = [one for one in variables if any(re.match(word, one.op.name) for word in wanted)]
    elif isinstance(wanted, Sequence):
        found = [part for one in wanted for part in (one if _is_in_parts(one) else [one])]
    else:
        raise ValueError(f"`vars_to_warm_start` must be a `list` or `str`; got {type(wanted)}")
    known = {id(one) for one in found}
    return found + [one for one in variables if _name(one) in vocabularies and id(one) not in known]


def _is_in_parts(given: Any) -> bool:
    return isinstance(given, (list, tuple, PartitionedBase))


def _start(variable: Any, bundle: Any, name: str, vocabulary: VocabInfo | None) -> None:
    if name not in bundle:
        raise NotFoundError(f"Key {name} not found in checkpoint {bundle.prefix}")
    place = variable._save_slice_info
    if vocabulary is None:
        start_at(variable, bundle, name, place)
        return
    value = remapped(bundle.read(name), vocabulary)
    demand_shape(variable, place, name, value.shape)
    variable.start_at(value if place is None else value[spans_of(place)])


def remapped(value: Any, vocabulary: VocabInfo) -> Any:
    """Rows (or columns) of a value in the order of the new vocabulary.

    Raises:
        ValueError: the old vocabulary has not as many words as the value has rows.
    """
    old, new = _words(vocabulary.old_vocab), _words(vocabulary.new_vocab)
    if vocabulary.old_vocab_size >= 0:
        old = old[: vocabulary.old_vocab_size]
    rows = np.moveaxis(value, vocabulary.axis, 0)
    if len(rows) < len(old):
        raise ValueError(f"there are {len(old)} words in the old vocabulary, and {len(rows)} rows")
    places = {word: place for place, word in enumerate(old)}
    found = [places.get(word, -1) for word in new[: vocabulary.new_vocab_size]]
    found += [-1] * vocabulary.num_oov_buckets
    made = _backup(vocabulary, (len(found), *rows.shape[1:]), rows.dtype)
    for place, one in enumerate(found):
        if one >= 0:
            made[place] = rows[one]
    return np.moveaxis(made, 0, vocabulary.axis)


def _backup(vocabulary: VocabInfo, sizes: tuple[int, ...], dtype: Any) -> Any:
    """What new rows start at, in the order of the variable's axes but for that of words."""
    if vocabulary.backup_initializer is None:
        return np.zeros(sizes, dtype)
    shape = list(sizes)
    if vocabulary.axis == 1:
        shape[:2] = shape[1::-1]
    with context.init_scope():
        made = np.array(vocabulary.backup_initializer(shape, dtype=dtype))
    return np.moveaxis(made, vocabulary.axis, 0).copy()


def _words(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file]
