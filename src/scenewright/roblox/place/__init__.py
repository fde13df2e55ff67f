"""Places without Studio: the binary and XML formats, Rojo projects, and the backend over them."""
