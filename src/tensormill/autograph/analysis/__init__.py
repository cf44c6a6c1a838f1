"""What a function's text says about its variables. Pure reading: no tree is changed here."""
