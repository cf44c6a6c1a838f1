"""Gradients of operations that TensorFlow has for float32 only, against finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

from . import rules
from .rules import REGISTRY, Sample
from .samples import SAMPLES

# Wide steps, since sums of float32 are rounded; most of these are linear. Magnitudes are not where
# they are small.
STEP, TOLERANCE = 2e-2, 2e-2
NARROW_STEPS = {"AudioSpectrogram": 1e-3}
NAMES = (
    "AdjustContrastv2", "AdjustHue", "AdjustSaturation", "AvgPool3D",
    "FusedBatchNormV3", "LRN", "MaxPool3D", "ResizeBicubic",
    "ResizeBilinear", "ResizeBilinearGrad", "ResizeNearestNeighbor", "ResizeNearestNeighborGrad",
    "ScaleAndTranslate", "ApproxTopK", "AudioSpectrogram", "CropAndResize",
    "CropAndResizeGradImage", "DrawBoundingBoxes", "DrawBoundingBoxesV2", "ExtractGlimpse",
    "ExtractGlimpseV2", "ScaleAndTranslateGrad", "SparseMatMul",
)  # fmt: skip


def first_output(name: str, sample: Sample, operands: list[Any]) -> Any:
    return rules.applied(REGISTRY[name], operands, sample)[0]


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_gradients_agree_with_finite_differences(name: str) -> None:
    tried, width = 0, NARROW_STEPS.get(name, STEP)
    for sample in SAMPLES[name]:
        x = sample.operands[0]
        if x.dtype != np.float32 or not x.size:
            continue
        rest = list(sample.operands[1:])
        generator = np.random.default_rng(0)
        way = generator.standard_normal(x.shape).astype(np.float32)
        with tf.GradientTape() as tape:
            start = tf.constant(x)
            tape.watch(start)
            y = first_output(name, sample, [start, *rest])
            weights = generator.standard_normal(y.shape).astype(np.float32)
            total = tf.reduce_sum(y * weights)
        found = float(np.vdot(tape.gradient(total, start), way))

        ends = [first_output(name, sample, [tf.constant(x + step * way), *rest]).numpy()
                for step in (width, -width)]  # fmt: skip
        expected = float(np.vdot(np.float64(ends[0]) - ends[1], weights)) / (2 * width)
        scale = float(np.linalg.norm(way) + np.linalg.norm(weights))
        assert found == pytest.approx(expected, rel=TOLERANCE, abs=TOLERANCE * scale)
        tried += 1
    assert tried
