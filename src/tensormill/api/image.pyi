# Written by `make stubs` from the table beside it.

"""`tf.image`: images resized, cut, turned, in other colours."""

from ..eager.tensor import Tensor as _Tensor
from typing import Any as _Any
from ..ops.image.resize_functions import ResizeMethod as ResizeMethod
from ..ops.image.colors import adjust_brightness as adjust_brightness
from ..ops.image.colors import adjust_contrast as adjust_contrast
from ..ops.image.colors import adjust_gamma as adjust_gamma
from ..ops.image.colors import adjust_hue as adjust_hue
from ..ops.image.files.encoding import adjust_jpeg_quality as adjust_jpeg_quality
from ..ops.image.colors import adjust_saturation as adjust_saturation
from ..ops.image.cropping import central_crop as central_crop
from ..ops.image.combined_suppression import combined_non_max_suppression as combined_non_max_suppression
from ..ops.image.colors import convert_image_dtype as convert_image_dtype
from ..ops.image.crop_and_resize import crop_and_resize as crop_and_resize
from ..ops.image.cropping import crop_to_bounding_box as crop_to_bounding_box
from ..ops.image.files.decoding import decode_and_crop_jpeg as decode_and_crop_jpeg
from ..ops.image.files.decoding import decode_image as decode_image
from ..ops.image.files.decoding import decode_jpeg as decode_jpeg
from ..ops.image.files.decoding import decode_png as decode_png
from ..ops.image.drawing import draw_bounding_boxes as draw_bounding_boxes
from ..ops.image.glimpses import extract_glimpse as extract_glimpse
from ..ops.image.files.decoding import extract_jpeg_shape as extract_jpeg_shape
from ..ops.image.patches import extract_patches as extract_patches
from ..ops.image.turning import flip_left_right as flip_left_right
from ..ops.image.turning import flip_up_down as flip_up_down
from ..ops.image.colors import grayscale_to_rgb as grayscale_to_rgb
from ..ops.image.edges import image_gradients as image_gradients
from ..ops.image.files.decoding import is_jpeg as is_jpeg
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
from ..ops.image.files.encoding import random_jpeg_quality as random_jpeg_quality
from ..ops.image.augmentation import random_saturation as random_saturation
from ..ops.image.resize_functions import resize as resize
from ..ops.image.cropping import resize_with_crop_or_pad as resize_with_crop_or_pad
from ..ops.image.resize_functions import resize_with_pad as resize_with_pad
from ..ops.image.colors import rgb_to_grayscale as rgb_to_grayscale
from ..ops.image.colors import rgb_to_yiq as rgb_to_yiq
from ..ops.image.colors import rgb_to_yuv as rgb_to_yuv
from ..ops.image.turning import rot90 as rot90
from ..ops.image.distorted_boxes import sample_distorted_bounding_box as sample_distorted_bounding_box
from ..ops.image.edges import sobel_edges as sobel_edges
from ..ops.image.quality import ssim as ssim
from ..ops.image.quality import ssim_multiscale as ssim_multiscale
from ..ops.image.augmentation import stateless_random_brightness as stateless_random_brightness
from ..ops.image.augmentation import stateless_random_contrast as stateless_random_contrast
from ..ops.image.augmentation import stateless_random_crop as stateless_random_crop
from ..ops.image.augmentation import stateless_random_flip_left_right as stateless_random_flip_left_right
from ..ops.image.augmentation import stateless_random_flip_up_down as stateless_random_flip_up_down
from ..ops.image.augmentation import stateless_random_hue as stateless_random_hue
from ..ops.image.files.encoding import stateless_random_jpeg_quality as stateless_random_jpeg_quality
from ..ops.image.augmentation import stateless_random_saturation as stateless_random_saturation
from ..ops.image.distorted_boxes import stateless_sample_distorted_bounding_box as stateless_sample_distorted_bounding_box
from ..ops.image.edges import total_variation as total_variation
from ..ops.image.turning import transpose as transpose
from ..ops.image.colors import yiq_to_rgb as yiq_to_rgb
from ..ops.image.colors import yuv_to_rgb as yuv_to_rgb

__all__ = ['ResizeMethod', 'adjust_brightness', 'adjust_contrast', 'adjust_gamma', 'adjust_hue', 'adjust_jpeg_quality', 'adjust_saturation', 'central_crop', 'combined_non_max_suppression', 'convert_image_dtype', 'crop_and_resize', 'crop_to_bounding_box', 'decode_and_crop_jpeg', 'decode_bmp', 'decode_gif', 'decode_image', 'decode_jpeg', 'decode_jxl', 'decode_png', 'decode_webp', 'draw_bounding_boxes', 'encode_jpeg', 'encode_png', 'extract_glimpse', 'extract_jpeg_shape', 'extract_patches', 'flip_left_right', 'flip_up_down', 'grayscale_to_rgb', 'hsv_to_rgb', 'image_gradients', 'is_jpeg', 'non_max_suppression', 'non_max_suppression_overlaps', 'non_max_suppression_padded', 'non_max_suppression_with_scores', 'pad_to_bounding_box', 'per_image_standardization', 'psnr', 'random_brightness', 'random_contrast', 'random_crop', 'random_flip_left_right', 'random_flip_up_down', 'random_hue', 'random_jpeg_quality', 'random_saturation', 'resize', 'resize_with_crop_or_pad', 'resize_with_pad', 'rgb_to_grayscale', 'rgb_to_hsv', 'rgb_to_yiq', 'rgb_to_yuv', 'rot90', 'sample_distorted_bounding_box', 'sobel_edges', 'ssim', 'ssim_multiscale', 'stateless_random_brightness', 'stateless_random_contrast', 'stateless_random_crop', 'stateless_random_flip_left_right', 'stateless_random_flip_up_down', 'stateless_random_hue', 'stateless_random_jpeg_quality', 'stateless_random_saturation', 'stateless_sample_distorted_bounding_box', 'total_variation', 'transpose', 'yiq_to_rgb', 'yuv_to_rgb']

def decode_bmp(contents: _Any, channels: _Any = 0, name: _Any = None) -> _Tensor:
    """The pixels of a BMP file without compression, of 8, 24 or 32 bits for a pixel.

    contents: a string scalar. The result is uint8 [height, width, channels]. channels: 0 (those of
    the file), 3 (RGB) or 4 (RGBA). A table of colours does not count: 8 bits are grey.

    >>> header = b"BM" + bytes(8) + np.int32([30, 0, 1, 1]).tobytes() + b"\\x01\\x00\\x18\\x00"
    >>> tf.io.decode_bmp(header + bytes([3, 2, 1, 0])).numpy()
    array([[[1, 2, 3]]], dtype=uint8)

    Raises:
        InvalidArgumentError: the file is damaged, too large, or of another format."""

def decode_gif(contents: _Any, name: _Any = None) -> _Tensor:
    """The pictures of a GIF file (or the one of a JPEG, PNG or WebP file).

    contents: a string scalar. The result is uint8 [pictures, height, width, 3]. Where a picture is
    smaller than the largest, or transparent, the one before shows; before the first it is black.

    >>> file = b"GIF89a" + bytes([1, 0, 1, 0, 0x80, 0, 0, 7, 8, 9, 0, 0, 0])
    >>> file += b"," + bytes([0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]) + b";"
    >>> tf.io.decode_gif(file).numpy()
    array([[[[7, 8, 9]]]], dtype=uint8)

    Raises:
        InvalidArgumentError: the file is damaged, too large, or of another format.
        ImportError: the extra `tensormill[image]` is not installed."""

def decode_jxl(contents: _Any, channels: _Any = 0, dtype: _Any = ..., name: _Any = None) -> _Tensor:
    """The pixels of a file that is no JPEG XL file: those cannot be decoded here.

    contents: a string scalar. The result is uint8 [height, width, channels].

    >>> tf.io.decode_jxl(b"\\xff\\x0a")
    Traceback (most recent call last):
        ...
    tensormill.errors.UnimplementedError: DecodeJxl: JPEG XL files cannot be decoded here: ...

    Raises:
        UnimplementedError: it is a JPEG XL file.
        InvalidArgumentError: the file is damaged, too large, or of another format."""

def decode_webp(contents: _Any, channels: _Any = 0, dtype: _Any = ..., name: _Any = None) -> _Tensor:
    """The pictures of a WebP file (or the one of a JPEG or PNG file).

    contents: a string scalar. The result is uint8 [pictures, height, width, channels]. channels: 0
    (those of the file), 3 (RGB) or 4 (RGBA), which must be those of the file: animations have 4.

    >>> tf.io.decode_webp(tf.io.encode_png(np.zeros([2, 3, 4], np.uint8))).shape
    TensorShape([1, 2, 3, 4])

    Raises:
        InvalidArgumentError: the file is damaged, too large, of another format, or has other
            channels.
        ImportError: the extra `tensormill[image]` is not installed."""

def encode_jpeg(image: _Any, format: _Any = '', quality: _Any = 95, progressive: _Any = False, optimize_size: _Any = False, chroma_downsampling: _Any = True, density_unit: _Any = 'in', x_density: _Any = 300, y_density: _Any = 300, xmp_metadata: _Any = '', name: _Any = None) -> _Tensor:
    """A JPEG file of a picture.

    image: uint8 [height, width, channels], of 1 or 3 channels. The result is a string scalar.
    format: "grayscale" or "rgb", where the number of channels shall be checked. quality: 0 (small)
    to 100 (good). progressive: it can be shown while it is loaded. optimize_size: smaller, for more
    time. chroma_downsampling: half as many colours each way. density_unit, x_density, y_density:
    pixels per inch ("in") or centimetre ("cm"), which the file says. xmp_metadata: a text that it
    holds.

    >>> file = tf.io.encode_jpeg(np.zeros([4, 5, 3], np.uint8), quality=80)
    >>> tf.io.extract_jpeg_shape(file).numpy()
    array([4, 5, 3], dtype=int32)

    Raises:
        InvalidArgumentError: there are other channels, or no such quality.
        InternalError: nothing is in the picture.
        ImportError: the extra `tensormill[image]` is not installed."""

def encode_png(image: _Any, compression: _Any = -1, name: _Any = None) -> _Tensor:
    """PNG files of pictures.

    image: uint8 or uint16 [..., height, width, channels], of 1 (grey), 2 (with alpha), 3 (RGB) or 4
    (RGBA) channels. The result is string [...]. compression: 0 (none) to 9 (most), or -1.

    >>> file = tf.io.encode_png(np.zeros([4, 5, 3], np.uint8))
    >>> tf.io.decode_png(file).shape
    TensorShape([4, 5, 3])

    Raises:
        InvalidArgumentError: there are other channels, or no such compression.
        InternalError: nothing is in a picture."""

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
