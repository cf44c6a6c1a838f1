"""A network of quantized operations, as TensorFlow wrote it, gives TensorFlow's numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import tensormill as tf

# Images of 6 by 6 convolved, with a bias, rectified, pooled, and multiplied by a matrix: between
# the layers 8 bits in the range that the layer's 32 bits use.
GRAPH = Path(__file__).with_name("recorded") / "quantized.pb"
IMAGES = ((np.arange(72) * 37 % 101 - 44) / 11).astype("f").reshape(2, 6, 6, 1)


def test_layers_of_levels_give_what_tensorflow_gives() -> None:
    proto = tf.compat.v1.GraphDef.FromString(GRAPH.read_bytes())

    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        (y,) = tf.graph_util.import_graph_def(proto, name="", return_elements=["y:0"])
        found, _ = session.run([y, "QuantizedConv2D:1"], {"x:0": IMAGES})
    expected = [
        [-12.49662971496582, 10.175827026367188, -4.1952972412109375],
        [-12.585891723632812, 10.086565017700195, -4.1952972412109375],
    ]
    assert expected == found.tolist()
