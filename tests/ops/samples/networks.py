"""Samples of activations, softmax, cross entropies, biases, clipping."""

from __future__ import annotations

from .sample import INF, NAN, Table, array, case, f32, i32, i64, scalar, spread, whole

X, DY = spread((2, 3)), spread((2, 3), -1, 1, 4)
SPECIAL = f32(0.0, -0.0, 0.5, -0.5, 3.0, 7.0, 20.0, -20.0, 1e-6, INF, -INF, NAN)
LOGITS, LABELS = spread((3, 4)), spread((3, 4), 0.1, 0.4, 2)
LABELS /= LABELS.sum(1, keepdims=True)  # the gradient is right for probabilities only


def activation(*more: object) -> list:
    return [case(X), case(SPECIAL, smooth=False, tolerance=1e-5), case(spread((0, 2))), *more]


INTEGER = case(whole(6, -9, 9))

SAMPLES: Table = {
    "Relu": activation(INTEGER), "Relu6": activation(INTEGER, case(2 + 3 * X)),
    "Elu": activation(), "Selu": activation(), "Softplus": activation(case(20 * X)),
    "Softsign": activation(),
    "LeakyRelu": [case(X, alpha=0.5), case(SPECIAL, smooth=False, tolerance=1e-5), case(X)],
    "ReluGrad": [
        case(DY, X), case(f32(1, 1, 1), f32(0, -1, 2))], "Relu6Grad": [case(DY, 3 + 3 * X),
        case(f32(1, 1, 1), f32(0, 6, 2)),
    ],
    "LeakyReluGrad": [case(DY, X), case(DY, X, alpha=0.5), case(f32(1, 1, 1), f32(0, -1, 2))],
    "EluGrad": [case(DY, X)], "SeluGrad": [case(DY, X)], "SoftsignGrad": [case(DY, X)],
    "Softmax": [
        case(LOGITS), case(100 * LOGITS), case(spread((2, 2, 3))), case(array("f16", LOGITS)),
    ],
    "LogSoftmax": [case(LOGITS), case(100 * LOGITS), case(array("bf16", LOGITS))],
    "SoftmaxCrossEntropyWithLogits": [
        case(LOGITS, LABELS), case(f32([1, 2], [3, 1]), f32([1, 0], [0.5, 0.5])),
    ],
    "SparseSoftmaxCrossEntropyWithLogits": [
        case(LOGITS, i32(0, 3, 1)), case(f32([1, 2], [3, 1]), i64(1, 0)),
    ],
    "BiasAdd": [
        case(X, spread(3, seed=2)), case(spread((2, 2, 3, 4)), spread(4, seed=2)),
        case(spread((2, 3, 4)), spread(3, seed=2), data_format="NCHW"),
        case(whole((2, 2), 0, 9), i32(1, 2)),
    ],
    "BiasAddGrad": [
        case(X), case(spread((2, 2, 3, 4))), case(spread((2, 3, 4)), data_format="NCHW"),
    ],
    "InTopKV2": [
        case(f32([0.1, 0.9, 0.5], [0.3, 0.2, 0.3]), i32(2, 0), scalar(1)),
        case(f32([0.1, NAN]), i64(0), scalar(2, "i64")),
    ],
    "ClipByValue": [
        case(X, scalar(-0.7, "f64"), scalar(0.8, "f64")),
        case(X, spread((2, 3), -1, -0.5, 8), scalar(0.8, "f64")),
        case(i32(1, 5, 9), scalar(2), scalar(6)),
        case(f32(1, NAN, INF), scalar(0, "f32"), scalar(2, "f32"), smooth=False),
        case(
            array("c64", [1 + 2j, 3, -1 + 5j]), scalar(0, "c64"), scalar(1 + 1j, "c64"),
            expected=array("c64", [1 + 1j, 1, 1j]), smooth=False,
        ),
    ],
    "L2Loss": [case(X), case(scalar(2.0, "f64")), case(spread((0, 2)))],
    "CheckNumerics": [case(X, message="bad"), case(spread((0, 2)), message="{bad}")],
    "CheckNumericsV2": [case(X, message="bad"), case(spread((0, 2)), message="{bad}")],
    "DeviceIndex": [
        case(device_names=["GPU", "CPU"]), case(device_names=["GPU"]), case(device_names=[]),
    ],
    "Raise": [case(scalar(True, "bool"), (i32(1, 2),), exception="text", expected=())],
    "Assert": [case(scalar(True, "bool"), (scalar("text", "str"), i32(1, 2)), summarize=2)],
}  # fmt: skip
