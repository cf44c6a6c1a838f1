"""`tf.train.Checkpoint`: the values of a program's objects in files, and back.

Which objects, under which names, is told here; the bytes of the files, the index among them, are
`formats/tensor_bundle.py`'s.
"""
