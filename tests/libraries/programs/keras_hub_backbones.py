"""Small backbones of keras-hub with drawn weights: what they give, learn, and keep in files."""

import os
import tempfile

import keras
import keras_hub
import numpy as np

VOCABULARY = 40


def _tokens(rows=2, length=6):
    return np.random.randint(1, VOCABULARY, (rows, length)).astype("int32")


def _pictures(size):
    return np.random.uniform(size=(2, size, size, 3)).astype("float32")


def _text(ids=None):
    ids = _tokens() if ids is None else ids
    mask = np.ones_like(ids)
    mask[0, -2:] = 0
    return {"token_ids": ids, "padding_mask": mask}


def _segments():
    return {**_text(), "segment_ids": np.int32([[0, 0, 0, 1, 1, 1], [0, 1, 1, 1, 1, 1]])}


def _sequences():
    """What goes into an encoder and a decoder."""
    one, other = _text(), _text(_tokens(length=4))
    return {f"encoder_{k}": v for k, v in one.items()} | {
        f"decoder_{k}": v for k, v in other.items()
    }


def _tried(make, inputs):
    """Outputs, those after a step of training, those of the file read back, and a count."""
    keras.utils.set_random_seed(11)
    backbone = make()
    before = _flat(backbone(inputs))
    model = keras.Sequential([keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(2)])
    first = backbone.output[0] if isinstance(backbone.output, list) else backbone.output
    if isinstance(backbone.output, dict):
        first = next(one for one in backbone.output.values() if len(one.shape) > 2)
    rows = keras.layers.Reshape((-1, first.shape[-1]))(first)
    model = keras.Model(backbone.input, model(rows))
    model.compile("sgd", "mse")
    losses = model.fit(inputs, np.ones((2, 2), "float32"), epochs=2, verbose=0).history["loss"]
    after = _flat(backbone(inputs))
    path = os.path.join(tempfile.mkdtemp(), "backbone.keras")
    backbone.save(path)
    again = keras.saving.load_model(path)
    same = [np.array_equal(*pair) for pair in zip(after, _flat(again(inputs)))]
    return before, losses, after, same, backbone.count_params()


def _flat(outputs):
    return [keras.ops.convert_to_numpy(one) for one in keras.tree.flatten(outputs)]


def _encoder(kind, **more):
    sizes = {"vocabulary_size": VOCABULARY, "num_layers": 2, "num_heads": 2, "hidden_dim": 8}
    return lambda: kind(**sizes, intermediate_dim=16, max_sequence_length=6, **more)


def bert():
    return _tried(_encoder(keras_hub.models.BertBackbone), _segments())


def roberta():
    return _tried(_encoder(keras_hub.models.RobertaBackbone), _text())


def distil_bert():
    return _tried(_encoder(keras_hub.models.DistilBertBackbone), _text())


def deberta_v3():
    make = _encoder(keras_hub.models.DebertaV3Backbone, bucket_size=4)
    return _tried(make, _text())


def gpt2():
    return _tried(_encoder(keras_hub.models.GPT2Backbone), _text())


def opt():
    return _tried(_encoder(keras_hub.models.OPTBackbone), _text())


def gpt_neo_x():
    return _tried(_encoder(keras_hub.models.GPTNeoXBackbone, rotary_percentage=0.5), _text())


def bart():
    return _tried(_encoder(keras_hub.models.BartBackbone), _sequences())


def t5():
    sizes = {"vocabulary_size": VOCABULARY, "num_layers": 2, "num_heads": 2, "hidden_dim": 8}
    return _tried(
        lambda: keras_hub.models.T5Backbone(**sizes, intermediate_dim=16, key_value_dim=4),
        _sequences(),
    )


def llama():
    def make():
        return keras_hub.models.LlamaBackbone(
            vocabulary_size=VOCABULARY, num_layers=2, num_query_heads=4, hidden_dim=8,
            intermediate_dim=16, num_key_value_heads=2,
        )  # fmt: skip

    return _tried(make, _text())


def gemma():
    def make():
        return keras_hub.models.GemmaBackbone(
            vocabulary_size=VOCABULARY, num_layers=2, num_query_heads=2, num_key_value_heads=1,
            hidden_dim=8, intermediate_dim=16, head_dim=4,
        )  # fmt: skip

    return _tried(make, _text())


def f_net():
    sizes = {"vocabulary_size": VOCABULARY, "num_layers": 2, "hidden_dim": 8}

    def make():
        return keras_hub.models.FNetBackbone(**sizes, intermediate_dim=16, max_sequence_length=6)

    inputs = {key: value for key, value in _segments().items() if key != "padding_mask"}
    return _tried(make, inputs)


def res_net():
    def make():
        return keras_hub.models.ResNetBackbone(
            input_conv_filters=[4], input_conv_kernel_sizes=[7], stackwise_num_filters=[64],
            stackwise_num_blocks=[2], stackwise_num_strides=[1], block_type="basic_block",
            image_shape=(16, 16, 3),
        )  # fmt: skip

    return _tried(make, _pictures(16))


def vision_transformer():
    def make():
        return keras_hub.models.ViTBackbone(
            image_shape=(16, 16, 3), patch_size=(8, 8), num_layers=2, num_heads=2, hidden_dim=8,
            mlp_dim=16,
        )  # fmt: skip

    return _tried(make, _pictures(16))


def dense_net():
    def make():
        return keras_hub.models.DenseNetBackbone(
            stackwise_num_repeats=[2, 2], growth_rate=4, image_shape=(32, 32, 3)
        )

    return _tried(make, _pictures(32))


def vgg():
    def make():
        return keras_hub.models.VGGBackbone(
            stackwise_num_repeats=[1, 1], stackwise_num_filters=[4, 8], image_shape=(16, 16, 3)
        )

    return _tried(make, _pictures(16))


def a_language_model_generates():
    """Continuations of token ids, without a tokenizer."""
    keras.utils.set_random_seed(12)
    backbone = _encoder(keras_hub.models.GPT2Backbone)()
    model = keras_hub.models.GPT2CausalLM(backbone=backbone, preprocessor=None)
    prompt = _text(np.int32([[3, 4, 0, 0, 0, 0], [5, 6, 7, 0, 0, 0]]))
    prompt["padding_mask"] = np.int32(prompt["token_ids"] > 0)
    found = []
    for sampler in ("greedy", "beam"):
        model.compile(sampler=sampler)
        found.append(model.generate(prompt, stop_token_ids=None)["token_ids"])
    return found


def a_classifier_of_texts_is_fitted():
    keras.utils.set_random_seed(13)
    backbone = _encoder(keras_hub.models.BertBackbone)()
    model = keras_hub.models.BertTextClassifier(
        backbone=backbone, num_classes=3, preprocessor=None, dropout=0.0
    )
    history = model.fit(_segments(), np.int32([0, 2]), epochs=2, verbose=0).history
    return history["loss"], model.predict(_segments(), verbose=0)


def low_rank_adapters():
    keras.utils.set_random_seed(14)
    backbone = _encoder(keras_hub.models.GPT2Backbone)()
    backbone.enable_lora(2)
    trained = sorted(one.path.split("/", 1)[1] for one in backbone.trainable_variables)
    return trained, backbone(_text())
