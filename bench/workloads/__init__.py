"""One file per workload; the order here is the order of the table."""

NAMES = (
    "train_step",
    "keras_step",
    "scalar_call",
    "power",
    "dense",
    "collatz",
    "tanh_loop",
    "eager_add",
    "eager_product",
    "eager_convolution",
    "random_integers",
    "shuffle",
    "decode_pictures",
    "decode_png",
    "parse_examples",
    "first_call",
    "first_draw",
    "warm_first_call",
    "import_time",
)
