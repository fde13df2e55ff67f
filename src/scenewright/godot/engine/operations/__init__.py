"""Operations that start the engine: compiling, evaluating, running, probing, picturing, debugging."""
