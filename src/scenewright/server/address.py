"""Where HTTP is served. Light: it is read before a server is loaded."""

from __future__ import annotations

from ipaddress import ip_address

from scenewright.core.config import ConfigError

__all__ = ["DEFAULT_ADDRESS", "parse_address"]

DEFAULT_ADDRESS = "127.0.0.1:8765"


def parse_address(text: str) -> tuple[str, int]:
    """Return the host and port of `HOST:PORT`, `HOST` or `:PORT`.

    Raises:
        ConfigError: it is none of these, or leads out of this machine.
    """
    host, colon, port = text.rpartition(":") if ":" in text else (text, "", "")
    host = host.strip("[]") or "127.0.0.1"
    loopback = host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)
    if not loopback:
        raise ConfigError(f"--http takes a loopback address such as {DEFAULT_ADDRESS}, not '{text}'.")
    if colon and not (port.isascii() and port.isdigit() and len(port) < 6 and int(port) < 65536):
        raise ConfigError(f"--http takes HOST:PORT with a port up to 65535, not '{text}'.")
    return host, int(port) if colon else int(DEFAULT_ADDRESS.rpartition(":")[2])


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
