"""Records of several files in turn, parsed by the batch."""

from __future__ import annotations

from typing import Any

from bench.work import Goal, Timed, Work, tf2
from bench.workloads.datasets.passes import folder, timed_pass

FILES, COUNT, BATCH = 8, 1_000, 64


def with_tf2(tf: Any) -> Timed:
    place, paths = folder(), list[str]()
    for file in range(FILES):
        paths.append(str(place / f"{file}.tfrecord"))
        with tf.io.TFRecordWriter(paths[-1]) as writer:
            for number in range(COUNT):
                example = tf.train.Example()
                feature = example.features.feature
                feature["x"].float_list.value.extend([float(number)] * 8)
                feature["y"].int64_list.value.append(file)
                writer.write(example.SerializeToString())
    features = {
        "x": tf.io.FixedLenFeature([8], tf.float32),
        "y": tf.io.FixedLenFeature([], tf.int64),
    }
    files = tf.data.Dataset.from_tensor_slices(paths)
    records = files.interleave(
        tf.data.TFRecordDataset, cycle_length=4, block_length=16, num_parallel_calls=2
    )
    batches = records.batch(BATCH).map(lambda texts: tf.io.parse_example(texts, features))
    return timed_pass(batches, lambda last: tf.reduce_sum(last["x"]), FILES * COUNT)


WORK = Work(
    title="TFRecord files in turn, parsed in batches of 64",
    unit="record",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
