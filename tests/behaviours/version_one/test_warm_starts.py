"""Variables that start at those of another training, on TensorFlow and on ours: I10."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1
train = v1.train
ROWS = np.array([[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]], np.float32)


@pytest.fixture
def earlier(tmp_path: Path) -> str:
    """The folder of a checkpoint of `a/w`, `a/b` and `n`."""
    with tf.Graph().as_default(), v1.Session() as session:
        tf.Variable(ROWS, name="a/w")
        tf.Variable([7.0], name="a/b")
        tf.Variable(9, name="n", trainable=False)
        session.run(v1.global_variables_initializer())
        train.Saver().save(session, f"{tmp_path}/model")
    (tmp_path / "old.txt").write_text("x\ny\nz\n")
    (tmp_path / "new.txt").write_text("z\nq\nx\n")
    return str(tmp_path)


def started(*begin: Any, rows: Any = ROWS, **said: Any) -> list[Any]:
    """What `a/w`, `a/b` and `n` are, which are zeros otherwise."""
    with tf.Graph().as_default(), v1.Session() as session:
        w = tf.Variable(np.zeros_like(rows), name="a/w")
        b = tf.Variable([0.0], name="a/b")
        n = tf.Variable(0, name="n", trainable=False)
        train.warm_start(*begin, **said)
        session.run(v1.global_variables_initializer())
        return [one.tolist() for one in session.run([w, b, n])]


@behaviour("I10")
def test_names_say_which_variables_start_at_other_values(earlier: str) -> None:
    zeros = np.zeros_like(ROWS).tolist()

    assert [ROWS.tolist(), [7.0], 0] == started(earlier)
    assert [ROWS.tolist(), [7.0], 0] == started(f"{earlier}/model", "a/")
    assert [zeros, [7.0], 0] == started(earlier, ".*/b")
    assert [zeros, [7.0], 9] == started(earlier, [".*b", "n"])


@behaviour("I10")
def test_variables_may_have_had_other_names(earlier: str) -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        w = tf.Variable([0.0], name="now")
        train.warm_start(earlier, [w], var_name_to_prev_var_name={"now": "a/b"})
        session.run(w.initializer)

        assert [7.0] == session.run(w).tolist()
        with pytest.raises(ValueError):  # noqa: PT011
            train.warm_start(earlier, {"now"})


@behaviour("I10")
def test_rows_follow_the_words_of_a_vocabulary(earlier: str) -> None:
    words = train.VocabInfo(f"{earlier}/new.txt", 3, 1, f"{earlier}/old.txt")
    ones = words._replace(backup_initializer=v1.ones_initializer(), num_oov_buckets=0)
    few = words._replace(old_vocab_size=2, new_vocab_size=1, num_oov_buckets=2)
    wide = np.zeros([4, 2], np.float32)

    for vocabulary, rows, expected in (
        (words, wide, [[3.0, 3.5], [0.0, 0.0], [1.0, 1.5], [0.0, 0.0]]),
        (ones, ROWS, [[3.0, 3.5], [1.0, 1.0], [1.0, 1.5]]),
        (few, ROWS, [[0.0, 0.0]] * 3),
    ):
        found = started(earlier, "a/w", {"a/w": vocabulary}, rows=rows)
        assert [expected, [0.0], 0] == found
    assert [[[3.0, 3.5], [1.0, 1.0], [1.0, 1.5]], [0.0], 0] == started(earlier, None, {"a/w": ones})
    assert (-1, None, 0) == (words.old_vocab_size, words.backup_initializer, words.axis)
