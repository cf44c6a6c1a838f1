"""Calls of `tf.compat.v1` whose arguments had another order or another name, one on each line.

`v1`, `tf` and S, a sparse matrix, are what they say; the call is its own name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .call import Call

EXPRESSIONS = """
strings.split(["a b","c"])
strings.split("a b c")
strings.split([["a b","c"],["d","e f g"]])
strings.split([["a b","c"],["d","e f g"]],result_type="RaggedTensor")
strings.split(["a,b","c"],",",1,"RaggedTensor")
strings.split(source=["a,b","c"],sep=",")
strings.split(["a"],source=["b"])
strings.split(["a"],result_type="x")
string_split(["a b  c","d"])
string_split(["a,b;;c","d"],",;")
string_split(["a,b;;c","d"],",;",False)
string_split(["abc","d"],"",False)
string_split(["","a,,b,"],",",False)
string_split(["abc","d"],result_type="RaggedTensor")
string_split(["a b c","d"],delimiter=" ",result_type="RaggedTensor")
string_split("a b")
substr("hello",1,3)
substr(["hello"],[1],[3],"nm","UTF8_CHAR")
reduce_join([["a","b"],["c","d"]])
reduce_join([["a","b"],["c","d"]],0)
reduce_join([["a","b"],["c","d"]],0,True,"+")
reduce_join([["a","b"],["c","d"]],reduction_indices=[1,0],separator="-")
reduce_join([["a","b"],["c","d"]],axis=1,reduction_indices=[1,0],separator="-")
strings.length(["a","bcd"],"nm")
string_to_hash_bucket(["a","b"],100)
string_to_hash_bucket(input=["a","b"],num_buckets=100)
string_to_number(["1.5","2"],tf.float64)
string_to_number(input=["15","2"],out_type=tf.int32)
string_to_number(["x"])
sparse_add(S,S)
sparse_add(S,S,5)
sparse_add(S,S,thresh=5)
sparse.add(S,tf.ones([2,3],tf.int32))
sparse_concat(1,[S,S])
sparse_concat(0,[S,tf.sparse.from_dense([[7]])],None,True)
sparse_concat(0,[S,tf.sparse.from_dense([[7]])])
sparse_concat(1,[S],concat_dim=1)
sparse_split(sp_input=S,num_split=2,axis=1)
sparse_split(S,2,1)
sparse_split(sp_input=S,axis=0)
sparse_reduce_sum(S)
sparse_reduce_sum(S,1,True)
sparse_reduce_sum(S,keep_dims=True)
sparse_reduce_max(S,reduction_axes=[1])
sparse_reduce_max(S,axis=0,reduction_axes=[1])
sparse_reduce_sum_sparse(S,1)
sparse_reduce_max_sparse(S,0,True)
sparse_segment_sum([[1,2],[3,4],[5,6]],[0,2,2],[0,0,2])
sparse_segment_sum([[1,2],[3,4],[5,6]],[0,2,2],[0,0,2],"nm",5)
sparse_segment_mean([[1.,2],[3,4],[5,6]],[0,2,2],[0,0,2],"nm",5)
sparse_segment_sqrt_n([[1.,2],[3,4],[5,6]],[0,2,2],[0,0,2])
sparse_to_dense([1,3],[5],7)
sparse_to_dense([[0,1],[2,0]],[3,2],[1.,2.],-1.)
sparse_to_dense(2,[3],2)
sparse_to_dense([3,1],[5],7)
sparse_to_dense([3,1],[5],7,validate_indices=False)
sparse_matmul([[1.,2.]],[[3.],[4.]])
nn.pool(tf.reshape([1.0, 5.0, 2.0, 4.0], [1, 4, 1]),[2],"AVG","SAME",None,[2])
nn.pool(tf.reshape([1.0, 5.0, 2.0, 4.0], [1, 4, 1]),[2],"MAX","VALID",[2])
nn.pool(tf.reshape([1.0, 5.0, 2.0, 4.0], [1, 4, 1]),[2],"MAX","SAME",[2])
nn.pool(tf.ones([1,4,1]),[2],"MAX","VALID",[2],[2])
nn.max_pool_with_argmax(tf.reshape(tf.range(16.),[1,4,4,1]),[1,2,2,1],[1,2,2,1],"SAME","NHWC",tf.int32)
nn.max_pool_with_argmax(tf.reshape(tf.range(16.),[1,4,4,1]),[1,2,2,1],[1,2,2,1],"SAME")
nn.conv3d_transpose(tf.ones([1,1,1,2,1]),tf.ones([1,1,2,1,1]),[1,1,1,4,1],[1,1,1,2,1])
nn.conv2d_backprop_filter(tf.reshape([1.,2.,3.],[1,1,3,1]),[1,2,1,1],tf.reshape([1.,10.],[1,1,2,1]),[1,1,1,1],"VALID")
nn.conv2d_backprop_input([1,1,3,1],tf.ones([1,2,1,1]),tf.reshape([1.,10.],[1,1,2,1]),[1,1,1,1],"VALID")
nn.dilation2d(tf.reshape([1.,5.,2.],[1,1,3,1]),tf.zeros([1,3,1]),[1,1,1,1],[1,1,1,1],"SAME")
nn.erosion2d(tf.reshape([1.,5.,2.],[1,1,3,1]),tf.zeros([1,3,1]),[1,1,1,1],[1,1,1,1],"SAME")
nn.embedding_lookup_sparse(tf.constant([[1.],[3.],[9.]]),tf.SparseTensor([[0,0],[0,1],[1,0]],[0,1,2],[2,2]),None)
nn.embedding_lookup([tf.constant([[1.],[3.]]),tf.constant([[9.],[5.]]),tf.constant([[7.]])],[[4,0],[2,3]],"div")
nn.embedding_lookup([tf.constant([[1.],[3.]]),tf.constant([[9.],[5.]]),tf.constant([[7.]])],tf.constant([[4,0],[2,3]],tf.int64),"mod")
nn.embedding_lookup([tf.constant([[1.],[3.]]),tf.constant([[9.]])],[3])
nn.embedding_lookup([tf.constant([[1.],[3.]]),tf.constant([[9.]])],[0],"row")
nn.embedding_lookup([tf.constant([[3.,4.],[3.,0.]]),tf.constant([[9.,0.]])],[0,1,2],max_norm=1.)
nn.embedding_lookup_sparse([tf.constant([[1.],[3.]]),tf.constant([[9.],[5.]])],tf.SparseTensor([[0,0],[0,1],[1,0]],tf.constant([3,1,3],tf.int64),[2,2]),None,"div",None,"mean")
nn.safe_embedding_lookup_sparse([tf.constant([[1.],[3.]]),tf.constant([[9.]])],tf.SparseTensor([[0,0],[0,1],[2,0]],tf.constant([1,2,-1],tf.int64),[3,2]),None,"sum",1,None,"mod")
nn.embedding_lookup_sparse(tf.constant([[1.],[3.],[9.]]),tf.SparseTensor([[0,0],[0,1],[1,0]],[0,1,2],[2,2]),None,"mod",None,"sum")
nn.safe_embedding_lookup_sparse(tf.constant([[1.],[3.],[9.]]),tf.SparseTensor([[0,0],[0,1],[1,0]],[0,1,-1],[2,2]))
space_to_batch(tf.reshape(tf.range(16),[1,4,4,1]),[[0,0],[0,0]],2)
batch_to_space(tf.reshape(tf.range(16),[4,2,2,1]),[[0,0],[1,0]],2)
batch_to_space_nd([[1,3],[2,4]],[2],[[0,1]])
nn.sufficient_statistics([[1.,2.],[3.,4.]],[0],None,True)
nn.weighted_moments([[1.,2.],[3.,4.]],[0],[[1.,2.],[3.,1.]],None,True)
nn.weighted_moments([[1.,2.],[3.,4.]],[0],2.)
nn.batch_norm_with_global_normalization(tf.ones([1,1,1,2]),tf.zeros([2]),tf.ones([2]),tf.zeros([2]),tf.ones([2]),.1,True)
bincount([1,1,3],None,5)
bincount([1,1,3],[1.,2.,3.])
bincount([1,1,3],None,None,3,tf.int64)
math.bincount([[1,1],[3,0]])
floor_div([7,-7],[2,2])
clip_by_average_norm([[1.,2.],[3.,0.]],.5)
setdiff1d([1,2,3,4],[2,4],tf.int64)
tuple([tf.constant(1),tf.constant(2)],"nm")
assign(tf.Variable([1,2]),[3,4],True,False,"nm")
assign_add(tf.Variable([1,2]),[3,4],False,"nm")
assign_sub(tf.Variable([1,2]),[3,4],use_locking=True)
linalg.norm([[3.,4.]],axis=1,keep_dims=True)
linalg.transpose([[3.,4.]])
manip.gather_nd([[3.,4.]],[[0,1]])
assert_equal([1,2],[1,3],["d"],2,"m")
assert_rank([1,2],2,["d"])
assert_scalar([1],"nm","m")
verify_tensor_all_finite([1.,2.],"m")
verify_tensor_all_finite([1.,NAN],"m")
debugging.assert_all_finite(x=[1.,2.],message="m")
debugging.assert_near([1.,2.],[1.,2.1],.1,.1,["d"])
convert_to_tensor_or_sparse_tensor(S)
convert_to_tensor_or_sparse_tensor([1,2],tf.float32)
convert_to_tensor_or_sparse_tensor(S,tf.float32)
convert_to_tensor_or_indexed_slices(tf.IndexedSlices(tf.ones([2]),tf.constant([0,1])),tf.int32)
to_complex64([1.])
to_bfloat16([1.])
to_complex128([1.])
"""

# One of each kind: what is compiled is the same function with other arguments.
COMPILED_TOO = (
    "v1.sparse_split(sp_input=S,num_split=2,axis=1)",
    "v1.nn.weighted_moments([[1.,2.],[3.,4.]],[0],2.)",
    "v1.clip_by_average_norm([[1.,2.],[3.,0.]],.5)",
)


def evaluated(expression: str) -> Callable[..., Any]:
    def call(tf: Any) -> Any:
        sparse = tf.sparse.from_dense([[1, 0, 2], [0, 3, 0]])
        names = {"tf": tf, "v1": tf.compat.v1, "S": sparse, "NAN": float("nan")}
        result = eval(expression, names)
        return result.value() if isinstance(result, tf.Variable) else result

    return call


LINES = [f"v1.{line}" for line in EXPRESSIONS.split("\n") if line]
CALLS: dict[str, Call] = {line: (evaluated(line), []) for line in LINES}
COMPILED = COMPILED_TOO
