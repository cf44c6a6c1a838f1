"""The networks of `keras.applications`, untrained and for small pictures."""

from __future__ import annotations

from typing import Any, Final

# The least size that a network takes, where that is not 32.
_SIZES: Final = {
    "InceptionResNetV2": 75, "InceptionV3": 75, "Xception": 71, "NASNetMobile": 32,
    "NASNetLarge": 32,
}  # fmt: skip
# One of each family: the others have more of the same layers.
SMALLEST: Final = (
    "ConvNeXtTiny", "DenseNet121", "EfficientNetB0", "EfficientNetV2B0", "InceptionResNetV2",
    "InceptionV3", "MobileNet", "MobileNetV2", "MobileNetV3Small", "NASNetMobile", "ResNet50",
    "ResNet50V2", "VGG16", "Xception",
)  # fmt: skip


def size_of(name: str) -> int:
    return _SIZES.get(name, 32)


def application(keras: Any, name: str) -> Any:
    """The network with random weights."""
    size = size_of(name)
    return getattr(keras.applications, name)(weights=None, input_shape=(size, size, 3), classes=5)
