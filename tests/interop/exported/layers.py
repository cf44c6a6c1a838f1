"""Every layer of Keras as a model: how it is made, and what it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np


class Input(NamedTuple):
    """One input: its shape without the batch, and what is in it.

    `kind` is a dtype of normal numbers, "ids" (int32 below 5), "image" (of 0 to 255), "words"
    or "text".
    """

    shape: tuple[int | None, ...]
    kind: str = "float32"

    @property
    def dtype(self) -> str:
        dtypes = {"ids": "int32", "image": "float32", "words": "string", "text": "string"}
        return dtypes.get(self.kind, self.kind)

    def drawn(self, generator: np.random.Generator, batch: int = 3) -> Any:
        """An array of it; unknown sizes are 4."""
        shape = (batch, *(4 if size is None else size for size in self.shape))
        if self.kind == "ids":
            return generator.integers(0, 5, shape, np.int32)
        if self.kind == "image":
            return generator.integers(0, 256, shape).astype(np.float32)
        if self.kind in ("words", "text"):
            words = np.array([b"red", b"green", b"blue", b"Grey!", b"a b  red"], object)
            return words[generator.integers(0, 4 if self.kind == "words" else 5, shape)]
        return generator.normal(size=shape).astype(self.kind)


class Layer(NamedTuple):
    """A layer and its inputs; `call` applies it where that is more than calling it."""

    make: Callable[[Any], Any]
    inputs: tuple[Input, ...]
    call: Callable[[Any, list[Any]], Any] = lambda layer, inputs: layer(unpacked(inputs))


def unpacked(tensors: Any) -> Any:
    """What a model of one input is given, or of several."""
    given = list(tensors)
    return given if len(given) > 1 else given[0]


def one(make: Callable[[Any], Any], *shape: int | None, kind: str = "float32") -> Layer:
    return Layer(make, (Input(shape, kind),))


def two(make: Callable[[Any], Any], *shape: int | None) -> Layer:
    return Layer(make, (Input(shape), Input(shape)))


def _spread(layer: Any, inputs: list[Any]) -> Any:
    return layer(*inputs)


def _sizes(count: int) -> tuple[int, ...]:
    return (9, 8, 7)[:count]


def _of_dimensions() -> dict[str, Layer]:
    """Layers that there are for one, two and three dimensions."""
    found: dict[str, Layer] = {}
    for n in (1, 2, 3):
        shape = (*_sizes(n), 4)
        for name, options in (
            ("Conv{}D", {"filters": 3, "kernel_size": 3, "strides": 2, "padding": "same"}),
            ("Conv{}DTranspose", {"filters": 3, "kernel_size": 3, "strides": 2}),
            ("DepthwiseConv{}D", {"kernel_size": 3, "depth_multiplier": 2}),
            ("SeparableConv{}D", {"filters": 3, "kernel_size": 3, "activation": "relu"}),
            ("MaxPooling{}D", {"pool_size": 2, "padding": "same"}),
            ("AveragePooling{}D", {"pool_size": 3, "strides": 2, "padding": "same"}),
            ("GlobalMaxPooling{}D", {}),
            ("GlobalAveragePooling{}D", {"keepdims": True}),
            ("AdaptiveAveragePooling{}D", {"output_size": 3}),
            ("AdaptiveMaxPooling{}D", {"output_size": 3}),
            ("UpSampling{}D", {"size": 2}),
            ("ZeroPadding{}D", {"padding": 2}),
            ("Cropping{}D", {"cropping": 1}),
            ("SpatialDropout{}D", {"rate": 0.5}),
        ):
            if n == 3 and name in ("DepthwiseConv{}D", "SeparableConv{}D"):
                continue
            key = name.format(n)
            found[key] = one(lambda L, k=key, o=options: getattr(L, k)(**o), *shape)
        key, cell = f"ConvLSTM{n}D", {"filters": 2, "kernel_size": 3, "return_sequences": True}
        found[key] = one(lambda L, k=key, o=cell: getattr(L, k)(**o), 3, *_sizes(n), 2)
    return found


def _merging() -> dict[str, Layer]:
    names = ("Add", "Average", "Concatenate", "Maximum", "Minimum", "Multiply", "Subtract")
    made = {name: two(lambda L, k=name: getattr(L, k)(), 5) for name in names}
    return {**made, "Dot": two(lambda L: L.Dot(axes=1, normalize=True), 5)}


def _recurrent() -> dict[str, Layer]:
    found: dict[str, Layer] = {}
    for name in ("GRU", "LSTM", "SimpleRNN"):
        found[name] = one(lambda L, k=name: getattr(L, k)(4, return_sequences=True), None, 3)
        found[f"{name}.states"] = one(
            lambda L, k=name: getattr(L, k)(4, return_state=True, go_backwards=True), 5, 3
        )
        found[f"{name}.unrolled"] = one(lambda L, k=name: getattr(L, k)(4, unroll=True), 5, 3)
        found[f"{name}.cell"] = one(lambda L, k=name: L.RNN(getattr(L, f"{k}Cell")(4)), 5, 3)
        found[f"{name}.masked"] = Layer(
            lambda L, k=name: (L.Embedding(5, 3, mask_zero=True), getattr(L, k)(4)),
            (Input((6,), "ids"),),
            lambda layers, inputs: layers[1](layers[0](inputs[0])),
        )
    return {
        **found,
        "Bidirectional": one(lambda L: L.Bidirectional(L.LSTM(3, return_sequences=True)), None, 3),
        "StackedRNNCells": one(
            lambda L: L.RNN(L.StackedRNNCells([L.GRUCell(3), L.LSTMCell(2)])), None, 3
        ),
        "TimeDistributed": one(lambda L: L.TimeDistributed(L.Dense(2)), 4, 3),
    }


def _attention() -> dict[str, Layer]:
    return {
        "Attention": two(lambda L: L.Attention(use_scale=True), 4, 3),
        "AdditiveAttention": two(lambda L: L.AdditiveAttention(), 4, 3),
        "MultiHeadAttention": Layer(
            lambda L: L.MultiHeadAttention(2, 4), (Input((4, 6)), Input((5, 6))), _spread
        ),
        "MultiHeadAttention.causal": Layer(
            lambda L: L.MultiHeadAttention(2, 4, output_shape=5),
            (Input((None, 6)),),
            lambda layer, inputs: layer(inputs[0], inputs[0], use_causal_mask=True),
        ),
        "GroupQueryAttention": Layer(
            lambda L: L.GroupQueryAttention(4, 4, 2), (Input((4, 6)), Input((5, 6))), _spread
        ),
        "EinsumDense": one(
            lambda L: L.EinsumDense("abc,cde->abde", (None, 2, 3), bias_axes="de"), None, 4
        ),
        "EinsumDense.batch": one(lambda L: L.EinsumDense("...x,xy->...y", 3, bias_axes="y"), 5, 4),
    }


def _adapted(make: Callable[[Any], Any], data: Any) -> Callable[[Any], Any]:
    def made(layers: Any) -> Any:
        layer = make(layers)
        layer.adapt(data)
        return layer

    return made


WORDS: Final = np.array(["red", "green", "blue", "red"], object)
TEXTS: Final = np.array(["a red", "green  Grey!", "a blue red"], object)
NUMBERS: Final = np.array([[0.0], [1.0], [2.5], [-1.0], [4.0]], np.float32)


def _preprocessing() -> dict[str, Layer]:
    found: dict[str, Layer] = {}
    for mode in ("one_hot", "multi_hot", "count"):
        found[f"CategoryEncoding.{mode}"] = one(
            lambda L, m=mode: L.CategoryEncoding(5, output_mode=m),
            1 if mode == "one_hot" else 4,
            kind="ids",
        )
    for mode in ("int", "multi_hot", "count", "one_hot", "tf_idf"):
        width = 1 if mode == "one_hot" else 4
        found[f"StringLookup.{mode}"] = one(
            _adapted(lambda L, m=mode: L.StringLookup(output_mode=m), WORDS), width, kind="words"
        )
        found[f"IntegerLookup.{mode}"] = one(
            _adapted(lambda L, m=mode: L.IntegerLookup(output_mode=m), np.array([3, 1, 3, 4])),
            width,
            kind="ids",
        )
    found["StringLookup.vocabulary"] = one(
        lambda L: L.StringLookup(vocabulary=["red", "blue"], num_oov_indices=2), 4, kind="words"
    )
    found["StringLookup.inverted"] = one(
        lambda L: L.StringLookup(vocabulary=["red", "blue", "grey"], invert=True), 4, kind="ids"
    )
    for mode in ("int", "multi_hot", "count", "tf_idf"):
        found[f"TextVectorization.{mode}"] = one(
            _adapted(lambda L, m=mode: L.TextVectorization(output_mode=m), TEXTS), 1, kind="text"
        )
    found["TextVectorization.ngrams"] = one(
        _adapted(
            lambda L: L.TextVectorization(
                ngrams=2, output_sequence_length=6, standardize="lower", split="whitespace"
            ),
            TEXTS,
        ),
        1,
        kind="text",
    )
    found["TextVectorization.characters"] = one(
        _adapted(lambda L: L.TextVectorization(split="character"), TEXTS), kind="text"
    )
    crossed = (Input((1,), "words"), Input((1,), "ids"))
    return {
        **found,
        "Discretization": one(lambda L: L.Discretization([-1.0, 0.0, 1.0]), 4),
        "Discretization.adapted": one(
            _adapted(lambda L: L.Discretization(num_bins=3, output_mode="multi_hot"), NUMBERS), 4
        ),
        "Hashing": one(lambda L: L.Hashing(7), 4, kind="words"),
        "Hashing.salted": one(
            lambda L: L.Hashing(7, salt=[3, 5], mask_value="red"), 4, kind="words"
        ),
        "Hashing.numbers": one(lambda L: L.Hashing(7), 4, kind="ids"),
        "HashedCrossing": Layer(lambda L: L.HashedCrossing(9), crossed),
        "HashedCrossing.one_hot": Layer(
            lambda L: L.HashedCrossing(9, output_mode="one_hot"), crossed
        ),
        "Normalization": one(_adapted(lambda L: L.Normalization(), NUMBERS), 1),
        "Normalization.inverted": one(
            lambda L: L.Normalization(mean=[1.0, 2.0], variance=[4.0, 1.0], invert=True), 2
        ),
        "Rescaling": one(lambda L: L.Rescaling(0.5, offset=-1.0), 4),
        "Resizing": one(lambda L: L.Resizing(5, 7), 8, 6, 3),
        "Resizing.cubic": one(
            lambda L: L.Resizing(5, 7, interpolation="bicubic", crop_to_aspect_ratio=True), 8, 6, 3
        ),
        "CenterCrop": one(lambda L: L.CenterCrop(4, 5), 8, 7, 3),
        "MelSpectrogram": one(
            lambda L: L.MelSpectrogram(fft_length=64, sequence_stride=32, num_mel_bins=8), 256
        ),
        "STFTSpectrogram": one(
            lambda L: L.STFTSpectrogram(frame_length=64, frame_step=32, fft_length=64), 256, 1
        ),
    }


def _augmenting() -> dict[str, Layer]:
    """Layers that only do something in training: here they hand on what they are given."""
    options: dict[str, dict[str, Any]] = {
        "AugMix": {}, "AutoContrast": {}, "RandAugment": {},
        "RandomBrightness": {"factor": 0.2}, "RandomColorDegeneration": {"factor": 0.2},
        "RandomColorJitter": {"brightness_factor": 0.2}, "RandomContrast": {"factor": 0.2},
        "RandomCrop": {"height": 5, "width": 5}, "RandomElasticTransform": {},
        "RandomErasing": {}, "RandomFlip": {}, "RandomGaussianBlur": {},
        "RandomGrayscale": {}, "RandomHue": {"factor": 0.2}, "RandomInvert": {},
        "RandomPerspective": {}, "RandomPosterization": {"factor": 4},
        "RandomRotation": {"factor": 0.2}, "RandomSaturation": {"factor": 0.2},
        "RandomSharpness": {"factor": 0.2}, "RandomShear": {"x_factor": 0.2},
        "RandomTranslation": {"height_factor": 0.2, "width_factor": 0.2},
        "RandomZoom": {"height_factor": 0.2}, "Solarization": {}, "MixUp": {}, "CutMix": {},
        "ContrastLimitedAdaptiveHistogramEqualization": {},
    }  # fmt: skip
    return {
        name: one(lambda L, k=name, o=given: getattr(L, k)(**o), 8, 8, 3, kind="image")
        for name, given in options.items()
    }


def _plain() -> dict[str, Layer]:
    def made(name: str, *shape: int | None, **options: Any) -> Layer:
        kind = options.pop("kind", "float32")
        return one(lambda L: getattr(L, name)(**options), *shape, kind=kind)

    activations = (
        "celu elu exponential gelu glu hard_shrink hard_sigmoid hard_silu hard_tanh leaky_relu "
        "linear log_sigmoid log_softmax mish relu relu6 selu sigmoid silu softmax softplus "
        "softsign soft_shrink sparse_plus sparse_sigmoid sparsemax squareplus tanh tanh_shrink "
        "threshold"
    )
    found = {f"Activation.{name}": made("Activation", 6, activation=name)
             for name in activations.split() if name != "threshold"}  # fmt: skip
    return {
        **found,
        "ActivityRegularization": made("ActivityRegularization", 4, l2=0.1),
        "AlphaDropout": made("AlphaDropout", 4, rate=0.5),
        "BatchNormalization": made("BatchNormalization", 5, 4),
        "BatchNormalization.images": made("BatchNormalization", 5, 6, 4),
        "Dense": made("Dense", 4, units=3, activation="relu"),
        "Dense.sequence": made("Dense", None, 4, units=3, use_bias=False),
        "Dense.lora": made("Dense", 4, units=3, lora_rank=2),
        "Dropout": made("Dropout", 4, rate=0.5),
        "ELU": made("ELU", 4),
        "Embedding": made("Embedding", 4, input_dim=5, output_dim=3, kind="ids"),
        "Flatten": made("Flatten", 4, 3),
        "GaussianDropout": made("GaussianDropout", 4, rate=0.5),
        "GaussianNoise": made("GaussianNoise", 4, stddev=0.5),
        "GroupNormalization": made("GroupNormalization", 5, 6, 4, groups=2),
        "Identity": made("Identity", 4),
        "LayerNormalization": made("LayerNormalization", 4, 3),
        "LeakyReLU": made("LeakyReLU", 4),
        "Masking": made("Masking", 4, 3),
        "PReLU": made("PReLU", 4),
        "Permute": made("Permute", 4, 3, dims=(2, 1)),
        "RMSNormalization": made("RMSNormalization", 4, 3),
        "ReLU": made("ReLU", 4, max_value=1.0, negative_slope=0.1),
        "RepeatVector": made("RepeatVector", 4, n=3),
        "Reshape": made("Reshape", 4, 3, target_shape=(-1, 2)),
        "ReversibleEmbedding": made(
            "ReversibleEmbedding", 4, input_dim=5, output_dim=3, kind="ids"
        ),
        "Softmax": made("Softmax", 4, 3),
        "SpectralNormalization": one(lambda L: L.SpectralNormalization(L.Dense(3)), 4),
        "UnitNormalization": made("UnitNormalization", 4),
        "Lambda": one(lambda L: L.Lambda(lambda x: x * 2.0), 4),
        "UpSampling2D.bilinear": made("UpSampling2D", 5, 4, 2, interpolation="bilinear"),
    }  # fmt: skip


LAYERS: Final[dict[str, Layer]] = {
    **_plain(),
    **_of_dimensions(),
    **_merging(),
    **_recurrent(),
    **_attention(),
    **_preprocessing(),
    **_augmenting(),
}
