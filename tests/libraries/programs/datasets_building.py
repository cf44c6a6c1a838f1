"""Datasets of tensorflow-datasets: built, written, read in parts, decoded, made up."""

import tempfile

import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds

F = tfds.features


def _example(k):
    numbers = np.random.default_rng(k)
    return {
        "picture": numbers.integers(0, 256, (4 + k % 3, 5, 1)).astype("uint8"),
        "label": ("cat", "dog")[k % 2],
        "text": f"number {k}",
        "words": [f"w{j}" for j in range(k % 3)],
        "rows": [list(range(j)) for j in range(k % 3 + 1)],
        "boxes": [F.BBox(0.1, 0.2, 0.5, 0.6)] * (k % 2),
        "matrix": numbers.normal(size=(2, 3)).astype("float32"),
        "is_odd": bool(k % 2),
        "translation": {"en": "one", "de": f"eins {k}"},
        "inner": [{"q": j} for j in range(k % 3)],
        "video": numbers.integers(0, 256, (2, 4, 4, 3)).astype("uint8"),
    }


def _builder(folder):
    features = F.FeaturesDict(
        {
            "picture": F.Image(shape=(None, None, 1)),
            "label": F.ClassLabel(names=["cat", "dog"]),
            "text": F.Text(),
            "words": F.Sequence(F.Text()),
            "rows": F.Sequence(F.Sequence(np.int64)),
            "boxes": F.Sequence(F.BBoxFeature()),
            "matrix": F.Tensor(shape=(2, 3), dtype=np.float32),
            "is_odd": F.Scalar(np.bool_),
            "translation": F.Translation(["en", "de"]),
            "inner": F.Dataset({"q": np.int64}),
            "video": F.Video(shape=(None, 4, 4, 3)),
        }
    )
    splits = {name: [(k, _example(k)) for k in range(n)] for name, n in (("train", 9), ("test", 4))}
    builder = tfds.dataset_builders.AdhocBuilder(
        name="mine", version="1.0.0", features=features, split_datasets=splits, data_dir=folder
    )
    builder.download_and_prepare()
    return builder


def _flat(value):
    """Of nested datasets and ragged rows the lists."""
    if isinstance(value, dict):
        return {key: _flat(one) for key, one in value.items()}
    if isinstance(value, tf.data.Dataset) or type(value).__name__.endswith("IterableDataset"):
        return [_flat(one) for one in value]
    return value.to_list() if hasattr(value, "to_list") else value


def examples_are_written_and_read():
    with tempfile.TemporaryDirectory() as folder:
        data = _builder(folder).as_dataset(split="train")
        return [_flat(one) for one in tfds.as_numpy(data)]


def parts_are_read_in_an_order():
    with tempfile.TemporaryDirectory() as folder:
        builder = _builder(folder)
        config = tfds.ReadConfig(shuffle_seed=1)
        data = builder.as_dataset(
            split="train[2:7]+test[:50%]", shuffle_files=True, read_config=config
        )
        return [one["text"] for one in data], [*map(str, tfds.even_splits("train", 3))]


def pictures_are_not_decoded():
    with tempfile.TemporaryDirectory() as folder:
        skipped = {"picture": tfds.decode.SkipDecoding(), "video": tfds.decode.SkipDecoding()}
        data = _builder(folder).as_dataset(split="train", decoders=skipped)
        return [tf.io.decode_image(one["picture"]) for one in data], str(data.element_spec)


def some_features_are_decoded():
    with tempfile.TemporaryDirectory() as folder:
        wanted = tfds.decode.PartialDecoding({"text": True, "matrix": True})
        data = _builder(folder).as_dataset(split="test", decoders=wanted)
        return [*data]


def batches_are_ragged():
    with tempfile.TemporaryDirectory() as folder:
        data = _builder(folder).as_dataset(split="train")
        return [
            {key: value.to_list() for key, value in one.items()}
            for one in data.map(lambda x: {"words": x["words"], "rows": x["rows"]}).ragged_batch(4)
        ]


def a_folder_of_pictures_is_a_dataset():
    with tempfile.TemporaryDirectory() as folder:
        for split in ("train", "test"):
            for label in ("a", "b"):
                for k in range(2):
                    path = f"{folder}/{split}/{label}/{k}.png"
                    tf.io.gfile.makedirs(path.rpartition("/")[0])
                    tf.io.write_file(
                        path, tf.io.encode_png(np.full((4, 4, 3), 40 * k + 5, np.uint8))
                    )
        made = tfds.ImageFolder(folder)
        data = made.as_dataset(split="train", as_supervised=True)
        found = [(int(label), int(tf.reduce_sum(tf.cast(x, tf.int32)))) for x, label in data]
        return sorted(found), made.info.features["label"].names


def datasets_are_made_up():
    with tfds.testing.mock_data(num_examples=3):
        pairs = tfds.load("mnist", split="train", as_supervised=True, batch_size=2)
        return [*tfds.as_numpy(pairs)]


def frames_are_made_of_datasets():
    with tempfile.TemporaryDirectory() as folder:
        builder = _builder(folder)
        data = builder.as_dataset(split="test").map(lambda x: {"text": x["text"], "n": x["is_odd"]})
        return tfds.as_dataframe(data).to_dict("list")
