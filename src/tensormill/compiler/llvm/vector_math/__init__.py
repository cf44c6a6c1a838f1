"""Elementary functions as LLVM IR text, without the C library, made to be inlined and vectorised.

Every function is right to within 2 units in the last place for f32 over its whole range,
infinities, NaN, subnormals and signed zeros included (f64: see the tests). The recipes are in one
file per topic; `language` says what they are written in; `library` has them all.
"""
