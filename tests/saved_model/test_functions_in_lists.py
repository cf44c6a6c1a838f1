"""SavedModels of modules that keep functions in lists, dicts and tuples."""

from __future__ import annotations

from pathlib import Path

import tensormill as tf
from tensormill.module.trackable import children_of


def test_functions_in_lists_dicts_and_tuples_are_saved(tmp_path: Path) -> None:
    module = tf.train.Checkpoint(v=tf.Variable(2.0))
    tripled = tf.function(lambda: module.v * 3.0, input_signature=[])
    module.listed, module.named, module.fixed = [tripled, module.v], {"a": tripled}, (tripled,)
    module.nested = [[tripled]]
    tf.saved_model.save(module, str(tmp_path))

    loaded = tf.saved_model.load(str(tmp_path))
    found = (loaded.listed[0], loaded.named["a"], loaded.fixed[0], loaded.nested[0][0])
    assert [6.0] * 4 == [function().numpy() for function in found]
    assert len(loaded.listed) == 2


def test_checkpoints_have_no_functions(tmp_path: Path) -> None:
    module = tf.train.Checkpoint(v=tf.Variable(2.0))
    module.listed = [tf.function(lambda: module.v, input_signature=[])]
    assert list(module._trackable_children()) == ["v", "listed"]
    assert not children_of(module.listed)
