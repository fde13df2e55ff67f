"""`python -m tests.conformance.server --http HOST:PORT`: the product with the suite's fixtures beside its operations.

It asks for no token, since the suite knows none.
"""

from __future__ import annotations

import argparse

from tests.conformance.catalogue import CATALOGUE

from scenewright import __version__
from scenewright.app import catalogues
from scenewright.core.config import Config
from scenewright.core.operations.registry import build_registry
from scenewright.core.runtime import Runtime
from scenewright.server.address import parse_address
from scenewright.server.logs import log_to_stderr
from scenewright.server.run import run_http

__all__ = ["main"]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--http", type=parse_address, required=True)
    options = parser.parse_args()
    config = Config.from_environment(shell=False)
    log_to_stderr(config.log_level)
    registry = build_registry([*catalogues(), CATALOGUE], verified=True)
    runtime = Runtime(config, registry, server_version=__version__)
    try:
        run_http(runtime, options.http, with_token=False)
    finally:
        runtime.close()


if __name__ == "__main__":
    main()
