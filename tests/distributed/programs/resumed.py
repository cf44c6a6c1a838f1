"""Training that saves itself: a worker that the last argument names is killed at step 7.

python resumed.py loop FOLDER [RANK]    a loop by hand, whose first worker writes checkpoints
python resumed.py fit FOLDER [RANK]     Keras's fit, with BackupAndRestore
"""

import json
import os
import signal
import sys

import keras
import numpy as np
import tensorflow as tf

kind, folder, *killed = sys.argv[1:]
STEPS, SAVED_EVERY, KILLED_AT, BATCH = 12, 3, 7, 16

strategy = tf.distribute.MultiWorkerMirroredStrategy()
rank = strategy.cluster_resolver.task_id
numbers = np.random.default_rng(0)
x = numbers.normal(size=(STEPS * BATCH, 4)).astype(np.float32)
y = (x @ np.array([[1.0], [-2.0], [0.5], [3.0]]) + 0.1).astype(np.float32)


def maybe_die(step):
    if step == KILLED_AT and killed == [str(rank)]:
        os.kill(os.getpid(), signal.SIGKILL)


def loop():
    with strategy.scope():
        weights = tf.Variable(tf.zeros([4, 1]))
        velocity = tf.Variable(tf.zeros([4, 1]), trainable=False)
        done = tf.Variable(0, trainable=False, dtype=tf.int64)
    checkpoint = tf.train.Checkpoint(weights=weights, velocity=velocity, done=done)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    manager.restore_or_initialize()

    def replica_step(rows, targets):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((rows @ weights - targets) ** 2) / BATCH
        gradient = tape.gradient(loss, weights)
        total = tf.distribute.get_replica_context().all_reduce("SUM", gradient)
        velocity.assign(0.5 * velocity + total)
        weights.assign_sub(0.05 * velocity)
        done.assign_add(1)
        return loss

    @tf.function
    def step(rows, targets):
        return strategy.reduce("SUM", strategy.run(replica_step, args=(rows, targets)), axis=None)

    begun = int(done.numpy())
    batches = tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH).skip(begun)
    loss = None
    for number, batch in enumerate(strategy.experimental_distribute_dataset(batches), begun):
        maybe_die(number)
        loss = float(step(*batch))
        if (number + 1) % SAVED_EVERY == 0 and strategy.extended.should_checkpoint:
            manager.save()
    return begun, loss


def fit():
    keras.utils.set_random_seed(0)
    with strategy.scope():
        model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(0.05, momentum=0.5), "mse")
    begun = []

    class Dying(keras.callbacks.Callback):
        def on_epoch_begin(self, epoch, logs=None):
            begun.append(epoch)

        def on_train_batch_begin(self, batch, logs=None):
            maybe_die(begun[-1] * SAVED_EVERY + batch)

    own = os.path.join(folder, f"worker {rank}")
    backup = keras.callbacks.BackupAndRestore(own, delete_checkpoint=False)
    rows = SAVED_EVERY * BATCH
    history = model.fit(
        x[:rows], y[:rows], batch_size=BATCH, epochs=STEPS // SAVED_EVERY, shuffle=False,
        verbose=0, callbacks=[backup, Dying()],
    )  # fmt: skip
    return begun[0], history.history["loss"][-1]


try:
    print(json.dumps({"loop": loop, "fit": fit}[kind]()), flush=True)
except tf.errors.UnavailableError:
    print(json.dumps("UnavailableError"), flush=True)
    sys.exit(3)
