"""Writes what each client's file needs into the documents, as `init` writes it; with --check, fails where they differ.

Each client is a block that GitHub unfolds, and a tab on the site (scripts/build_site.py). Where a client keeps its file
and in which form is known in one place, `scenewright.setup`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from scenewright.setup.changes import entry_text
from scenewright.setup.clients import CLIENTS, Client, Machine, client_named
from scenewright.setup.entries import Launch, launch_of
from scenewright.setup.steps import own_command_of

ROOT = Path(__file__).parent.parent
GAME = Path("/path/to/your/game")
LAUNCH: Launch = launch_of([GAME], ("scenewright",))
HOME = Path("/home/~")  # whose folder is shown as ~
MAIN = ("claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini")
# The documents with such blocks, and which clients each shows.
PAGES: dict[str, Sequence[str]] = {
    "README.md": MAIN,
    "docs/quickstart.md": MAIN,
    "docs/clients.md": tuple(client.name for client in CLIENTS),
}
_BLOCKS = re.compile(r"(?<=<!-- clients -->\n).*?(?=<!-- end of clients -->)", re.DOTALL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    options = parser.parse_args()
    drifted = [name for name in PAGES if (ROOT / name).read_text(encoding="utf-8") != written(name)]
    for name in drifted:
        if options.check:
            print(f"{name} does not show the clients as they are: run `make docs` and commit it.", file=sys.stderr)
        else:
            (ROOT / name).write_text(written(name), encoding="utf-8")
    return 1 if drifted and options.check else 0


def written(name: str) -> str:
    """Return a document with its clients' blocks as they are to be."""
    blocks = "\n".join(_block(client) for each in PAGES[name] if (client := client_named(each)))
    return _BLOCKS.sub(lambda _: f"\n{blocks}\n", (ROOT / name).read_text(encoding="utf-8"))


def _block(client: Client) -> str:
    return f"<details>\n<summary>{client.title}</summary>\n\n" + "\n\n".join(_parts(client)) + "\n\n</details>\n"


def _parts(client: Client) -> Iterator[str]:
    init = f"`scenewright init --client {client.name}`"
    if client.program:
        yield f"{init} runs"
        yield "```sh\n" + " ".join(own_command_of(client.program, LAUNCH)) + "\n```"
    else:
        yield f"{init} {'writes' if client.sure else 'shows what to paste'} into {_files(client)}:"
        yield f"```{client.format}\n{_with_short_lists(entry_text(client, LAUNCH)).rstrip()}\n```"
    yield client.next_step.format(client.title)


def _with_short_lists(text: str) -> str:
    """Return JSON with each list on a line."""
    return re.sub(r"\[\s+([^\[\]]*?)\s+\]", lambda match: "[" + re.sub(r",\s+", ", ", match[1]) + "]", text)


def _files(client: Client) -> str:
    """Return where a client keeps its servers, by system where that differs."""
    names = {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}
    files = {names[platform]: _file(client, platform) for platform in names}
    if len({file.replace("\\", "/").replace("%USERPROFILE%", "~") for file in files.values()}) == 1:
        return f"`{files['Linux']}`"
    if files["Linux"] == files["macOS"]:
        files = {"Linux and macOS": files.pop("Linux"), "Windows": files["Windows"]}
    return ", ".join(f"`{file}` ({system})" for system, file in files.items())


def _file(client: Client, platform: str) -> str:
    machine = Machine(home=HOME, environment={}, platform=platform)
    place = next(client.places(machine)).as_posix()
    if platform != "win32":
        return place.replace(HOME.as_posix(), "~")
    place = place.replace(f"{HOME.as_posix()}/AppData/Roaming", "%APPDATA%").replace(HOME.as_posix(), "%USERPROFILE%")
    return place.replace("/", "\\")


if __name__ == "__main__":
    raise SystemExit(main())
