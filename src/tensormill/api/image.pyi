# Written by `make stubs` from the table beside it.

"""`tf.image`: images resized, cut, turned, in other colours."""

from ..eager.tensor import Tensor as _Tensor
from typing import Any as _Any
from ..ops.image.cropping import ResizeMethod as ResizeMethod
from ..ops.image.colors import adjust_brightness as adjust_brightness
from ..ops.image.colors import adjust_contrast as adjust_contrast
from ..ops.image.colors import adjust_gamma as adjust_gamma
from ..ops.image.colors import adjust_hue as adjust_hue
from ..ops.image.colors import adjust_saturation as adjust_saturation
from ..ops.image.cropping import central_crop as central_crop
from ..ops.image.combined_suppression import combined_non_max_suppression as combined_non_max_suppression
from ..ops.image.colors import convert_image_dtype as convert_image_dtype
from ..ops.image.crop_and_resize import crop_and_resize as crop_and_resize
from ..ops.image.cropping import crop_to_bounding_box as crop_to_bounding_box
from ..ops.image.drawing import draw_bounding_boxes as draw_bounding_boxes
from ..ops.image.patches import extract_patches as extract_patches
from ..ops.image.cropping import flip_left_right as flip_left_right
from ..ops.image.cropping import flip_up_down as flip_up_down
from ..ops.image.colors import grayscale_to_rgb as grayscale_to_rgb
from ..ops.image.cropping import image_gradients as image_gradients
from ..ops.image.suppression import non_max_suppression as non_max_suppression
from ..ops.image.suppression import non_max_suppression_overlaps as non_max_suppression_overlaps
from ..control.batched_suppression import non_max_suppression_padded as non_max_suppression_padded
from ..ops.image.suppression import non_max_suppression_with_scores as non_max_suppression_with_scores
from ..ops.image.cropping import pad_to_bounding_box as pad_to_bounding_box
from ..ops.image.colors import per_image_standardization as per_image_standardization
from ..ops.image.quality import psnr as psnr
from ..ops.image.augmentation import random_brightness as random_brightness
from ..ops.image.augmentation import random_contrast as random_contrast
from ..ops.image.augmentation import random_crop as random_crop
from ..ops.image.augmentation import random_flip_left_right as random_flip_left_right
from ..ops.image.augmentation import random_flip_up_down as random_flip_up_down
from ..ops.image.augmentation import random_hue as random_hue
from ..ops.image.augmentation import random_saturation as random_saturation
from ..ops.image.cropping import resize as resize
from ..ops.image.cropping import resize_with_crop_or_pad as resize_with_crop_or_pad
from ..ops.image.cropping import resize_with_pad as resize_with_pad
from ..ops.image.colors import rgb_to_grayscale as rgb_to_grayscale
from ..ops.image.colors import rgb_to_yiq as rgb_to_yiq
from ..ops.image.colors import rgb_to_yuv as rgb_to_yuv
from ..ops.image.cropping import rot90 as rot90
from ..ops.image.distorted_boxes import sample_distorted_bounding_box as sample_distorted_bounding_box
from ..ops.image.cropping import sobel_edges as sobel_edges
from ..ops.image.quality import ssim as ssim
from ..ops.image.augmentation import stateless_random_brightness as stateless_random_brightness
from ..ops.image.augmentation import stateless_random_contrast as stateless_random_contrast
from ..ops.image.augmentation import stateless_random_crop as stateless_random_crop
from ..ops.image.augmentation import stateless_random_flip_left_right as stateless_random_flip_left_right
from ..ops.image.augmentation import stateless_random_flip_up_down as stateless_random_flip_up_down
from ..ops.image.augmentation import stateless_random_hue as stateless_random_hue
from ..ops.image.augmentation import stateless_random_saturation as stateless_random_saturation
from ..ops.image.distorted_boxes import stateless_sample_distorted_bounding_box as stateless_sample_distorted_bounding_box
from ..ops.image.cropping import total_variation as total_variation
from ..ops.image.cropping import transpose as transpose
from ..ops.image.colors import yiq_to_rgb as yiq_to_rgb
from ..ops.image.colors import yuv_to_rgb as yuv_to_rgb

__all__ = ['ResizeMethod', 'adjust_brightness', 'adjust_contrast', 'adjust_gamma', 'adjust_hue', 'adjust_saturation', 'central_crop', 'combined_non_max_suppression', 'convert_image_dtype', 'crop_and_resize', 'crop_to_bounding_box', 'draw_bounding_boxes', 'extract_patches', 'flip_left_right', 'flip_up_down', 'grayscale_to_rgb', 'hsv_to_rgb', 'image_gradients', 'non_max_suppression', 'non_max_suppression_overlaps', 'non_max_suppression_padded', 'non_max_suppression_with_scores', 'pad_to_bounding_box', 'per_image_standardization', 'psnr', 'random_brightness', 'random_contrast', 'random_crop', 'random_flip_left_right', 'random_flip_up_down', 'random_hue', 'random_saturation', 'resize', 'resize_with_crop_or_pad', 'resize_with_pad', 'rgb_to_grayscale', 'rgb_to_hsv', 'rgb_to_yiq', 'rgb_to_yuv', 'rot90', 'sample_distorted_bounding_box', 'sobel_edges', 'ssim', 'stateless_random_brightness', 'stateless_random_contrast', 'stateless_random_crop', 'stateless_random_flip_left_right', 'stateless_random_flip_up_down', 'stateless_random_hue', 'stateless_random_saturation', 'stateless_sample_distorted_bounding_box', 'total_variation', 'transpose', 'yiq_to_rgb', 'yuv_to_rgb']

def hsv_to_rgb(images: _Any, name: _Any = None) -> _Tensor:
    """Red, green and blue from hue, saturation and value: floats [..., 3], all in [0, 1].

    >>> tf.image.hsv_to_rgb([0.5, 1.0, 0.5]).numpy()
    array([0. , 0.5, 0.5], dtype=float32)

    Raises:
        ChannelCountError: (a FailedPreconditionError, a ValueError) there are not three channels."""

def rgb_to_hsv(images: _Any, name: _Any = None) -> _Tensor:
    """Hue, saturation and value, each in [0, 1], of red, green and blue: floats [..., 3].

    >>> tf.image.rgb_to_hsv([0.0, 0.5, 0.0]).numpy().round(3)
    array([0.333, 1.   , 0.5  ], dtype=float32)

    Raises:
        ChannelCountError: (a FailedPreconditionError, a ValueError) there are not three channels."""
