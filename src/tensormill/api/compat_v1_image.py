"""`tf.compat.v1.image`: `tf.image` as TensorFlow 1 had it."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "control.batched_suppression": "non_max_suppression_padded",
    "ops.image.augmentation": (
        "random_brightness random_contrast random_crop random_flip_left_right random_flip_up_down "
        "random_hue random_saturation"
    ),
    "ops.image.colors": (
        "adjust_brightness adjust_contrast adjust_gamma adjust_hue adjust_saturation "
        "convert_image_dtype grayscale_to_rgb hsv_to_rgb per_image_standardization "
        "rgb_to_grayscale rgb_to_hsv rgb_to_yiq rgb_to_yuv yiq_to_rgb yuv_to_rgb"
    ),
    "ops.image.combined_suppression": "combined_non_max_suppression",
    "ops.image.cropping": (
        "central_crop crop_to_bounding_box pad_to_bounding_box "
        "resize_image_with_crop_or_pad=resize_with_crop_or_pad resize_with_crop_or_pad"
    ),
    "ops.image.edges": "image_gradients sobel_edges total_variation",
    "ops.image.files.decoding": (
        "decode_and_crop_jpeg decode_bmp decode_gif decode_image decode_jpeg decode_jxl decode_png "
        "decode_webp extract_jpeg_shape is_jpeg"
    ),
    "ops.image.files.encoding": "adjust_jpeg_quality encode_jpeg encode_png random_jpeg_quality",
    "ops.image.quality": "psnr ssim ssim_multiscale",
    "version_one.functions.images": (
        "ResizeMethod=ResizeMethodV1 crop_and_resize draw_bounding_boxes extract_glimpse "
        "extract_image_patches resize=resize_images resize_area resize_bicubic resize_bilinear "
        "resize_image_with_pad resize_images resize_nearest_neighbor sample_distorted_bounding_box"
    ),
    "ops.image.patches": "extract_patches",
    "ops.image.suppression": (
        "non_max_suppression non_max_suppression_overlaps non_max_suppression_with_scores"
    ),
    "ops.image.turning": "flip_left_right flip_up_down rot90 transpose transpose_image=transpose",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.image")
