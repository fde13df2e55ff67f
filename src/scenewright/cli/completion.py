"""`scenewright completion`: completion for bash, zsh and fish."""

from __future__ import annotations

import argparse

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  eval "$(scenewright completion bash)"        in ~/.bashrc; zsh likewise
  scenewright completion fish > ~/.config/fish/completions/scenewright.fish
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="which shell")


def run(options: argparse.Namespace) -> int:
    from argcomplete.shell_integration import shellcode

    print(shellcode(["scenewright"], shell=options.shell))
    return 0
