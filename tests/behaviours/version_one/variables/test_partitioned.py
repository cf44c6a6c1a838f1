"""Variables in parts, on TensorFlow and on ours: statement I10."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1
HERE = Path(__file__).parent / "fixtures"
WHOLE = np.arange(14, dtype=np.float32).reshape(7, 2)


def in_parts(count: int, axis: int = 0) -> Any:
    return v1.fixed_size_partitioner(count, axis)


def variable(name: str = "w", parts: int | None = 3, **options: Any) -> Any:
    """A variable that begins as `WHOLE`."""
    partitioner = None if parts is None else in_parts(parts)
    start = tf.constant(WHOLE)
    return v1.get_variable(name, initializer=start, partitioner=partitioner, **options)


def started(session: Any) -> None:
    session.run(v1.global_variables_initializer())


def spec_of(part: Any) -> str | None:
    place = part._save_slice_info
    return None if place is None else place.spec


@behaviour("I10")
def test_a_partitioner_cuts_a_variable_into_variables() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        with v1.variable_scope("s", partitioner=in_parts(3)):
            w = variable(parts=None)
            scalar = v1.get_variable("b", [])
        started(session)

        assert ("s/w", [7, 2], tf.float32, 3) == (w.name, w.shape.as_list(), w.dtype, len(w))
        assert ["s/w/part_0:0", "s/w/part_1:0", "s/w/part_2:0"] == [part.name for part in w]
        assert ["7 2 0,3:0,2", "7 2 3,2:0,2", "7 2 5,2:0,2"] == [spec_of(part) for part in w]
        assert [*w, scalar] == v1.global_variables() == v1.trainable_variables()
        assert WHOLE.tolist() == np.concatenate(session.run(list(w))).tolist()
        assert not isinstance(w, tf.Variable)
        assert not tf.is_tensor(w)


@behaviour("I10")
def test_a_variable_in_parts_is_a_tensor_to_functions() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        w = variable()
        whole, product = tf.convert_to_tensor(w), tf.matmul(tf.ones([1, 7]), w)
        again = w.as_tensor()
        gradients = v1.gradients(tf.reduce_sum(tf.square(w)), list(w))
        started(session)

        assert ("w:0", "w_2:0") == (whole.name, again.name)
        assert WHOLE.tolist() == session.run(whole).tolist()
        assert WHOLE.sum(0).tolist() == session.run(product)[0].tolist()
        assert (2 * WHOLE).tolist() == np.concatenate(session.run(gradients)).tolist()
        with pytest.raises(ValueError, match="float64"):
            tf.convert_to_tensor(w, tf.float64)


@behaviour("I10")
def test_columns_are_cut_too() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        w = v1.get_variable("w", initializer=tf.constant(WHOLE), partitioner=in_parts(2, 1))
        one = variable("one", 1)
        changed = w.assign(tf.convert_to_tensor(w) * 2.0)
        started(session)
        session.run(changed)

        assert ["7 2 0,7:0,1", "7 2 0,7:1,1"] == [spec_of(part) for part in w]
        assert (2 * WHOLE).tolist() == session.run(tf.convert_to_tensor(w)).tolist()
        assert ["one/part_0:0"] == [part.name for part in one]
        assert "one:0" == tf.convert_to_tensor(one).name


@behaviour("I10")
def test_parts_are_assigned_together() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        w = variable()
        more = w.assign_add(tf.ones([7, 2]))
        less = w.assign_sub([tf.ones([3, 2]), tf.zeros([2, 2]), tf.ones([2, 2])])
        started(session)
        session.run(more)
        session.run(less)
        found = session.run(tf.convert_to_tensor(w))

        assert [0.0, 2.0, 4.0, 7.0, 9.0, 10.0, 12.0] == found[:, 0].tolist()
        with pytest.raises(AttributeError):
            _ = w.initializer


@behaviour("I10")
def test_rows_are_looked_up_in_parts() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        w = variable()
        ids = [0, 3, 4, 6]
        found = [
            tf.nn.embedding_lookup(w, ids),
            v1.nn.embedding_lookup(w, ids, partition_strategy="div"),
            v1.nn.embedding_lookup(w, ids),
        ]
        sparse = tf.sparse.from_dense([[1, 0], [3, 6]])
        sums = [
            tf.nn.embedding_lookup_sparse(w, sparse, None, combiner="sum"),
            v1.nn.safe_embedding_lookup_sparse(w, sparse, combiner="sum"),
        ]
        rows = v1.gradients(found[0], list(w))
        started(session)
        by_parts, sliced, modulo = session.run(found)

        assert WHOLE[ids].tolist() == by_parts.tolist() == sliced.tolist()
        assert WHOLE[[0, 1, 4, 2]].tolist() == modulo.tolist()
        for one in session.run(sums):
            assert [WHOLE[1].tolist(), (WHOLE[3] + WHOLE[6]).tolist()] == one.tolist()
        assert all(isinstance(one, tf.IndexedSlices) for one in rows)


@behaviour("I10")
def test_sampled_losses_take_tables_in_parts() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        w, whole = variable(), tf.constant(WHOLE)
        b = v1.get_variable("b", [7], partitioner=in_parts(3), initializer=v1.ones_initializer())
        every = tf.random.all_candidate_sampler([[1]], 1, 7, unique=True)
        given: dict[str, Any] = {"num_sampled": 7, "num_classes": 7}
        given |= {"labels": tf.constant([[1]], tf.int64), "inputs": tf.constant([[1.0, 2.0]])}
        losses = [
            v1.nn.nce_loss(*one, **given, sampled_values=every, partition_strategy="div")
            for one in ((w, b), (whole, tf.ones([7])))
        ]
        started(session)
        first, second = session.run(losses)

        assert second == pytest.approx(first)


@behaviour("I10")
def test_initializers_are_told_which_part_they_make() -> None:
    told: list[Any] = []

    def initializer(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        told.append((list(shape), list(partition_info.full_shape), list(partition_info.var_offset)))
        return tf.zeros(shape, dtype)

    with tf.Graph().as_default(), v1.Session() as session:
        v1.set_random_seed(1)
        v1.get_variable("w", [5, 2], initializer=initializer, partitioner=in_parts(2))
        unit = v1.get_variable(
            "unit", [4, 2], initializer=v1.initializers.identity(), partitioner=in_parts(2)
        )
        drawn = [
            v1.get_variable(name, [4, 2], initializer=kind(seed=3), partitioner=in_parts(2))
            for name, kind in (
                ("glorot", v1.glorot_uniform_initializer),
                ("unit_scaling", v1.uniform_unit_scaling_initializer),
            )
        ]
        started(session)

        assert [([3, 2], [5, 2], [0, 0]), ([2, 2], [5, 2], [3, 0])] == told
        assert np.eye(4, 2).tolist() == session.run(tf.convert_to_tensor(unit)).tolist()
        firsts = [session.run(next(iter(one)))[0].tolist() for one in drawn]
        # Recorded from TensorFlow: the scale is that of the whole, the numbers those of the part.
        assert firsts[0] == pytest.approx([0.5575711727142334, 0.6023955345153809])
        assert firsts[1] == pytest.approx([0.48287075757980347, 0.5216898322105408])


@behaviour("I10")
def test_variables_in_parts_are_found_again() -> None:
    with tf.Graph().as_default():
        w = variable()
        v1.get_variable("x", [4])
        with v1.variable_scope("", reuse=True):
            assert v1.get_variable("w", [7, 2], partitioner=in_parts(3)) is w
            assert v1.get_variable("w") is w
            assert v1.get_variable("w/part_0", [3, 2]) is next(iter(w))
            with pytest.raises(ValueError, match=r"specified partitions \[2, 1\]"):
                v1.get_variable("w", [7, 2], partitioner=in_parts(2))
            with pytest.raises(ValueError, match=r"specified shape \(5, 2\)"):
                v1.get_variable("w", [5, 2], partitioner=in_parts(3))
            with pytest.raises(ValueError, match="specified dtype float64"):
                v1.get_variable("w", [7, 2], tf.float64, partitioner=in_parts(3))
            with pytest.raises(ValueError, match="unpartitioned version"):
                v1.get_variable("x", [4], partitioner=in_parts(2))
            with pytest.raises(ValueError, match="PartitionedVariable new does not exist"):
                v1.get_variable("new", [4], partitioner=in_parts(2))
        with pytest.raises(ValueError, match="Partitioned variable with name w already exists"):
            variable()
        with pytest.raises(ValueError, match="No partitioner was provided"):
            v1.get_variable("w", [7, 2])


@behaviour("I10")
@pytest.mark.parametrize(
    ("partitioner", "words"),
    [
        (3, "must be callable"),
        (lambda shape, dtype: 2, "must return a sequence"),
        (lambda shape, dtype: [2], "does not match the Variable's rank"),
        (lambda shape, dtype: [0, 1], "zero partitions"),
        (lambda shape, dtype: [2, 2], "one dimension"),
        (lambda shape, dtype: [8, 1], "7"),
    ],
)
def test_variables_are_not_cut_in_other_ways(partitioner: Any, words: str) -> None:
    with tf.Graph().as_default(), pytest.raises(ValueError, match=words):
        v1.get_variable("w", [7, 2], partitioner=partitioner)


@behaviour("I10")
def test_what_is_cut_has_a_known_shape() -> None:
    with tf.Graph().as_default():
        for given in ({"shape": [None, 2]}, {"initializer": WHOLE}, {"initializer": 1.0}):
            with pytest.raises(ValueError, match="must be fully defined"):
                v1.get_variable("w", partitioner=in_parts(2), **given)


@behaviour("I10")
def test_getters_and_scopes_hand_partitioners_on() -> None:
    told: list[Any] = []

    def getter(getter: Any, name: str, **options: Any) -> Any:
        told.append((name, options["partitioner"] is None))
        return getter(name, **{**options, "partitioner": None})

    with tf.Graph().as_default():
        with v1.variable_scope("a", partitioner=in_parts(2)), v1.variable_scope("b") as scope:
            cut = v1.get_variable("w", [4])
            scope.set_partitioner(None)
            whole = v1.get_variable("v", [4])
        with v1.variable_scope("c", custom_getter=getter, partitioner=in_parts(2)):
            got = v1.get_variable("w", [4])
        local = v1.get_local_variable("l", [4], partitioner=in_parts(2))

        assert (2, "a/b/v:0", "c/w:0") == (len(cut), whole.name, got.name)
        assert [("c/w", False)] == told
        assert list(local) == v1.local_variables()


@behaviour("I10")
def test_each_part_is_regularized() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        variable(regularizer=lambda part: tf.reduce_sum(part))
        started(session)
        losses = session.run(
            [tf.convert_to_tensor(one) for one in v1.losses.get_regularization_losses()]
        )

        assert [15.0, 30.0, 46.0] == losses


@behaviour("I10")
def test_the_same_parts_are_created_by_hand() -> None:
    with tf.Graph().as_default(), v1.variable_scope("in"):
        parts = v1.create_partitioned_variables([7, 2], [3, 1], v1.zeros_initializer(), name="cut")
        again = v1.create_partitioned_variables(
            [7, 2], [3, 1], v1.zeros_initializer(), name="cut", reuse=True
        )

        assert ["in/cut"] * 3 == [part._save_slice_info.full_name for part in parts]
        assert ["7 2 0,3:0,2", "7 2 3,2:0,2", "7 2 5,2:0,2"] == [spec_of(part) for part in parts]
        assert parts == again
        with pytest.raises(ValueError, match="rank at least 1"):
            v1.create_partitioned_variables([], [], v1.zeros_initializer())


@behaviour("I10")
def test_a_saver_keeps_parts_under_the_name_of_the_whole(tmp_path: Path) -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        w = variable("s/w")
        b = v1.get_variable("b", initializer=tf.constant(5.0))
        optimizer = v1.train.AdamOptimizer(0.1)
        step = optimizer.minimize(tf.reduce_sum(tf.square(w)) * b)
        averages = tf.train.ExponentialMovingAverage(0.9).apply(list(w))
        started(session)
        session.run(step)
        session.run(averages)
        expected = session.run(tf.convert_to_tensor(w)).tolist()
        slot = optimizer.get_slot(next(iter(w)), "m")
        path = v1.train.Saver().save(session, f"{tmp_path}/model")
        first = v1.train.Saver([w], write_version=1).save(session, f"{tmp_path}/first")
        other = v1.train.Saver({"other": w}).save(session, f"{tmp_path}/other")
        single = v1.train.Saver({"p": next(iter(w))}).save(session, f"{tmp_path}/single")
        with pytest.raises(TypeError, match="list"):
            v1.train.Saver(w)

    shapes = dict(tf.train.list_variables(path))
    assert {
        "b": [], "b/Adam": [], "b/Adam_1": [], "beta1_power": [], "beta2_power": [],
        "s/w": [7, 2], "s/w/Adam": [7, 2], "s/w/Adam_1": [7, 2],
        "s/w/ExponentialMovingAverage": [7, 2],
    } == shapes  # fmt: skip
    assert ("s/w/part_0/Adam:0", "7 2 0,3:0,2") == (slot.name, spec_of(slot))
    assert [("s/w", [7, 2])] == tf.train.list_variables(first)
    for written, name in ((path, "s/w"), (other, "other")):
        assert expected == tf.train.load_variable(written, name).tolist()
    assert [("p", [3, 2])] == tf.train.list_variables(single)


@behaviour("I10")
@pytest.mark.parametrize("parts", [None, 2, 3, 7])
@pytest.mark.parametrize("runs_operations", [False, True])
def test_what_tensorflow_wrote_in_parts_is_read_in_any(
    parts: int | None, runs_operations: bool
) -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        w = v1.get_variable("s/w", [7, 2], partitioner=None if parts is None else in_parts(parts))
        saver = v1.train.Saver([w])
        path = str(HERE / "partitioned")  # `WHOLE` in three parts, written by TensorFlow 2.21
        if runs_operations:
            proto = saver.as_saver_def()
            session.run(proto.restore_op_name, {proto.filename_tensor_name: path})
        else:
            saver.restore(session, path)

        assert WHOLE.tolist() == session.run(tf.convert_to_tensor(w)).tolist()


@behaviour("I10")
def test_one_part_is_saved_and_restored_by_itself(tmp_path: Path) -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        _, second, _ = variable()
        started(session)
        saver = v1.train.Saver([second])
        path = saver.save(session, f"{tmp_path}/part")
        session.run(second.assign(tf.zeros([2, 2])).op)
        saver.restore(session, path)

        assert WHOLE[3:5].tolist() == session.run(second).tolist()
        assert [("w", [7, 2])] == tf.train.list_variables(path)


@behaviour("I10")
def test_files_tell_where_parts_lie(tmp_path: Path) -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        parts = list(variable("s/w"))
        started(session)
        path = v1.train.Saver().save(session, f"{tmp_path}/model")
        proto = parts[1].to_proto()
        again = v1.Variable.from_proto(proto)
        below = parts[1].to_proto("s").save_slice_info_def.full_name
    with tf.Graph().as_default(), v1.Session() as session:
        v1.train.import_meta_graph(f"{path}.meta").restore(session, path)
        imported = v1.global_variables()
        values = session.run(imported)
        names = [one.name for one in imported]
        written = v1.train.Saver().save(session, f"{tmp_path}/again")
    with tf.Graph().as_default():
        v1.train.import_meta_graph(f"{path}.meta", import_scope="in")
        inside = v1.global_variables()[1]._save_slice_info

    assert ("s/w", [7, 2], [3, 0], [2, 2]) == (
        proto.save_slice_info_def.full_name, list(proto.save_slice_info_def.full_shape),
        list(proto.save_slice_info_def.var_offset), list(proto.save_slice_info_def.var_shape),
    )  # fmt: skip
    assert ("7 2 3,2:0,2", "w") == (spec_of(again), below)
    assert ["7 2 0,3:0,2", "7 2 3,2:0,2", "7 2 5,2:0,2"] == list(map(spec_of, imported))
    assert ["s/w/part_0:0", "s/w/part_1:0", "s/w/part_2:0"] == names
    assert WHOLE.tolist() == np.concatenate(values).tolist()
    assert WHOLE.tolist() == tf.train.load_variable(written, "s/w").tolist()
    assert ("in/s/w", "7 2 3,2:0,2") == (inside.full_name, inside.spec)


@behaviour("I10")
def test_saved_models_keep_parts(tmp_path: Path) -> None:
    path = f"{tmp_path}/model"
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 7], name="x")
        y = tf.matmul(x, variable(), name="y")
        started(session)
        v1.saved_model.simple_save(session, path, {"x": x}, {"y": y})
    loaded = tf.saved_model.load(path)
    found = loaded.signatures["serving_default"](x=tf.ones([1, 7]))["y"]
    with tf.Graph().as_default(), v1.Session() as session:
        v1.saved_model.load(session, ["serve"], path)
        again = session.run("y:0", {"x:0": np.ones([1, 7])})

    assert WHOLE.sum(0).tolist() == found[0].numpy().tolist() == again[0].tolist()
    assert [("w", [7, 2])] == tf.train.list_variables(f"{path}/variables/variables")


@behaviour("I10")
@pytest.mark.parametrize("way", ["name", "scope", "parts"])
def test_parts_begin_with_values_of_a_checkpoint(way: str) -> None:
    path = str(HERE / "partitioned")
    with tf.Graph().as_default(), v1.Session() as session:
        w = v1.get_variable("t/w", [7, 2], partitioner=in_parts(2))
        told: Any = {"name": {"s/w": "t/w"}, "scope": {"s/": "t/"}, "parts": {"s/w": list(w)}}[way]
        v1.train.init_from_checkpoint(path, told)
        started(session)

        assert WHOLE.tolist() == session.run(tf.convert_to_tensor(w)).tolist()


@behaviour("I10")
def test_parts_are_started_warm() -> None:
    path = str(HERE / "partitioned")
    with tf.Graph().as_default(), v1.Session() as session:
        w = v1.get_variable("t/w", [7, 2], partitioner=in_parts(4))
        v1.train.warm_start(path, "t/w", var_name_to_prev_var_name={"t/w": "s/w"})
        started(session)

        assert WHOLE.tolist() == session.run(tf.convert_to_tensor(w)).tolist()


@behaviour("I10")
def test_where_operations_run_at_once_variables_have_parts_too() -> None:
    w = v1.get_variable("w", [4, 2], partitioner=in_parts(2), initializer=v1.ones_initializer())

    assert [[2, 2], [2, 2]] == [part.shape.as_list() for part in w]
    assert [8.0] == [tf.reduce_sum(w).numpy()]


@behaviour("I10")
def test_optimizers_within_scopes_name_slots_of_parts_as_files_have_them() -> None:
    with tf.Graph().as_default():
        w = variable()
        with v1.variable_scope("opt"):
            optimizer = v1.train.MomentumOptimizer(0.1, 0.9)
            optimizer.minimize(tf.reduce_sum(w))
        slot = optimizer.get_slot(next(iter(w)), "momentum")

        # TensorFlow cuts as much off as the variable's own name is long.
        assert ("opt/w/part_0/Momentum:0", "w/t_0/Momentum") == (
            slot.name, slot._save_slice_info.full_name,
        )  # fmt: skip
