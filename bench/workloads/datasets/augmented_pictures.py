"""JPEG files read, decoded, turned, cut, resized and brightened at random, as for training."""

from __future__ import annotations

from typing import Any

from bench.work import Goal, Timed, Work, tf2
from bench.workloads.datasets.decode_pictures import COUNT, PICTURE
from bench.workloads.datasets.passes import folder, timed_pass


def with_tf2(tf: Any) -> Timed:
    file = folder() / "picture.jpg"
    file.write_bytes(tf.io.encode_jpeg(PICTURE, quality=85).numpy())

    def augmented(name: Any) -> Any:
        picture = tf.io.decode_jpeg(tf.io.read_file(name), 3)
        picture = tf.image.random_flip_left_right(picture)
        picture = tf.image.random_crop(picture, [300, 400, 3])
        picture = tf.image.resize(picture, [224, 224])
        picture = tf.image.random_brightness(picture, 0.2)
        picture = tf.image.random_contrast(picture, 0.8, 1.2)
        return picture / 127.5 - 1.0

    names = tf.data.Dataset.from_tensors(str(file)).repeat(COUNT)
    pictures = names.map(augmented, num_parallel_calls=tf.data.AUTOTUNE)
    batches = pictures.batch(16).prefetch(tf.data.AUTOTUNE)
    return timed_pass(batches, lambda last: tf.shape(last)[0], COUNT)


WORK = Work(
    title="JPEG files read, decoded and augmented at random, 500×375",
    unit="picture",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
