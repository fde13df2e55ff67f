"""Operations: how one is declared, the registry of all, their schemas, and finding one."""
