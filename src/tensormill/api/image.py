"""`tf.image`: images resized, cut, turned, in other colours."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "control.batched_suppression": "non_max_suppression_padded",
    "ops.image.augmentation": (
        "random_brightness random_contrast random_crop random_flip_left_right random_flip_up_down "
        "random_hue random_saturation stateless_random_brightness stateless_random_contrast "
        "stateless_random_crop stateless_random_flip_left_right stateless_random_flip_up_down "
        "stateless_random_hue stateless_random_saturation"
    ),
    "ops.image.colors": (
        "adjust_brightness adjust_contrast adjust_gamma adjust_hue adjust_saturation "
        "convert_image_dtype grayscale_to_rgb hsv_to_rgb per_image_standardization "
        "rgb_to_grayscale rgb_to_hsv rgb_to_yiq rgb_to_yuv yiq_to_rgb yuv_to_rgb"
    ),
    "ops.image.combined_suppression": "combined_non_max_suppression",
    "ops.image.crop_and_resize": "crop_and_resize",
    "ops.image.cropping": (
        "central_crop crop_to_bounding_box pad_to_bounding_box resize_with_crop_or_pad"
    ),
    "ops.image.edges": "image_gradients sobel_edges total_variation",
    "ops.image.files.decoding": (
        "decode_and_crop_jpeg decode_bmp decode_gif decode_image decode_jpeg decode_jxl decode_png "
        "decode_webp extract_jpeg_shape is_jpeg"
    ),
    "ops.image.files.encoding": (
        "adjust_jpeg_quality encode_jpeg encode_png random_jpeg_quality "
        "stateless_random_jpeg_quality"
    ),
    "ops.image.quality": "psnr ssim ssim_multiscale",
    "ops.image.distorted_boxes": (
        "sample_distorted_bounding_box stateless_sample_distorted_bounding_box"
    ),
    "ops.image.drawing": "draw_bounding_boxes",
    "ops.image.glimpses": "extract_glimpse",
    "ops.image.patches": "extract_patches",
    "ops.image.resize_functions": "ResizeMethod resize resize_with_pad",
    "ops.image.suppression": (
        "non_max_suppression non_max_suppression_overlaps non_max_suppression_with_scores"
    ),
    "ops.image.turning": "flip_left_right flip_up_down rot90 transpose",
}

GONE = {
    "generate_bounding_box_proposals": (
        ": TensorFlow has it on GPUs alone; use tf.image.non_max_suppression"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, gone=GONE)
