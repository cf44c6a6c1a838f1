"""AutoGraph: Python control flow that depends on tensors, as part of a graph.

`parse` finds a function's source and makes its tree; `analysis` reads it; `convert` rewrites it,
one file per Python construct; `conversion` compiles the result, once per function; `runtime` is
what the result calls, and the only part that knows tensors; `user_errors` tells exceptions in the
user's lines; `api` is the face.
"""
