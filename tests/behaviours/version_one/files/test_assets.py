"""Files that belong to graphs of TensorFlow 1, on TensorFlow and on ours: statement I10."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1
# A table of the words a, b and c, exported by TensorFlow 2.21 from a file that is no more.
EXPORTED = str(Path(__file__).parent / "fixtures" / "words")


def table_of(path: Path, default: int) -> Any:
    place = tf.lookup.TextFileIndex
    entries = tf.lookup.TextFileInitializer(
        str(path), tf.string, place.WHOLE_LINE, tf.int64, place.LINE_NUMBER
    )
    return tf.lookup.StaticHashTable(entries, default)


def exported(tmp_path: Path) -> str:
    """A model of two tables, whose files have one name and are gone."""
    paths = [tmp_path / folder / "words.txt" for folder in ("first", "second")]
    for path, words in zip(paths, ("a\nb\nc\n", "x\ny\n"), strict=True):
        path.parent.mkdir()
        path.write_text(words)
    with tf.Graph().as_default(), v1.Session() as session:
        words = v1.placeholder(tf.string, [None], name="words")
        found = {
            name: tf.identity(table_of(path, -1).lookup(words), name=name)
            for name, path in zip("yz", paths, strict=True)
        }
        assets = v1.get_collection(v1.GraphKeys.ASSET_FILEPATHS)
        begin = v1.tables_initializer()
        session.run(begin)
        builder = v1.saved_model.Builder(f"{tmp_path}/model")
        signature = v1.saved_model.predict_signature_def({"words": words}, found)
        builder.add_meta_graph_and_variables(
            session, ["serve"], {"serving_default": signature}, assets_collection=assets,
            main_op=begin,
        )  # fmt: skip
        builder.save()
        assert ["asset_path:0", "asset_path_1:0"] == [one.name for one in assets]
    for path in paths:
        path.unlink()
    return f"{tmp_path}/model"


@behaviour("I10")
def test_files_of_tables_are_copied_into_models(tmp_path: Path) -> None:
    path = exported(tmp_path)
    serve = tf.saved_model.load(path).signatures["serving_default"]
    found = {key: one.numpy().tolist() for key, one in serve(words=tf.constant(["b", "y"])).items()}

    assert {"words.txt", "words.txt_1"} == {one.name for one in Path(path, "assets").iterdir()}
    assert {"y": [1, -1], "z": [-1, 1]} == found


@behaviour("I10")
@pytest.mark.parametrize("scope", [None, "old"])
def test_sessions_fill_tables_from_the_files_of_models(tmp_path: Path, scope: str | None) -> None:
    for path, names in ((exported(tmp_path), ("y", "z")), (EXPORTED, ("y",))):
        before = "" if scope is None else f"{scope}/"
        with tf.Graph().as_default(), v1.Session() as session:
            v1.saved_model.load(session, ["serve"], path, import_scope=scope)
            fetches = [f"{before}{name}:0" for name in names]
            found = session.run(fetches, {f"{before}words:0": ["b", "y"]})

        assert [[1, -1], [-1, 1]][: len(names)] == [one.tolist() for one in found]


@behaviour("I10")
def test_models_of_tensorflow_fill_tables_from_their_files() -> None:
    serve = tf.saved_model.load(EXPORTED).signatures["serving_default"]

    assert [2, -1, 0] == serve(words=tf.constant(["c", "d", "a"]))["y"].numpy().tolist()


@behaviour("I10")
def test_assets_are_constants_with_paths(tmp_path: Path) -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        builder = v1.saved_model.Builder(f"{tmp_path}/model")
        for wrong in ("words.txt", v1.placeholder(tf.string, []), tf.constant(3)):
            with pytest.raises(TypeError, match="Asset path tensor"):
                builder.add_meta_graph_and_variables(session, ["serve"], assets_collection=[wrong])
