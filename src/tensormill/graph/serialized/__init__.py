"""Operations on serialized messages: tensors, examples in JSON, messages of any kind."""
