"""Operations on what outlives them: variables, tables, files of summaries."""
