"""Where the bridge to Studio listens, and its secret.

Studio belongs to a user, not to a project folder: its plugin keeps one address and one token for all windows. So the
token is the user's, in a file only they can read, and shared by all scenewright processes of that user.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from scenewright.core.config import ConfigError
from scenewright.core.projects.token import read_or_make_token
from scenewright.core.projects.user_folder import user_folder

__all__ = ["DEFAULT_PORT", "BridgeSettings"]

DEFAULT_PORT = 47012


@dataclass(frozen=True, slots=True)
class BridgeSettings:
    """The address and the token of the relay."""

    host: str
    port: int
    token: str

    @classmethod
    def from_environment(cls, env: Mapping[str, str] | None = None) -> BridgeSettings:
        """Read `GOX_BRIDGE_RELAY_ADDRESS` and `GOX_BRIDGE_AUTH_TOKEN`.

        Raises:
            ConfigError: the address is none, or leads out of this machine.
        """
        env = os.environ if env is None else env
        host, port = _address(env.get("GOX_BRIDGE_RELAY_ADDRESS", "").strip() or f"127.0.0.1:{DEFAULT_PORT}")
        token = env.get("GOX_BRIDGE_AUTH_TOKEN", "").strip()
        return cls(host, port, token or _users_token(user_folder(env)))

    @property
    def url(self) -> str:
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def _users_token(folder: Path) -> str:
    place = folder / "roblox"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return read_or_make_token(place / "token")


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    try:
        loopback = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise ConfigError(f"GOX_BRIDGE_RELAY_ADDRESS must be a loopback address such as 127.0.0.1:47012, not '{text}'.")
    if not (port.isascii() and port.isdigit() and int(port[:6]) < 65536):
        raise ConfigError(f"GOX_BRIDGE_RELAY_ADDRESS must end in a port up to 65535, not '{text}'.")
    return host, int(port)
