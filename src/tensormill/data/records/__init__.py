"""Datasets of records, of examples in them, and of tables; files of records written."""
