"""The public functions of images that also take ragged tensors."""

from __future__ import annotations

from ..composites import on_values
from ..image import colors

adjust_brightness = on_values(colors.adjust_brightness)
adjust_gamma = on_values(colors.adjust_gamma)
convert_image_dtype = on_values(colors.convert_image_dtype)
