"""Files that other programs read by themselves: configuration of clients, editors, shells, version control and CI, and
instructions to agents. Who writes one of them acts outside the project, later and unseen, so a person is asked first.

Left out is what somebody runs knowingly (Makefile, package.json scripts) and what only formats (.editorconfig).
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatch

from scenewright.core.projects.file_names import plain_name

__all__ = ["is_sensitive"]

# Folders of which everything counts, at any depth: tools look for them from wherever they are started.
_FOLDERS = frozenset(
    (
        # agents and MCP clients: servers they start, permissions, hooks, prompts
        ".agents",
        ".aider",
        ".amazonq",
        ".augment",
        ".claude",
        ".clinerules",
        ".codeium",
        ".codex",
        ".continue",
        ".copilot",
        ".cursor",
        ".gemini",
        ".goose",
        ".junie",
        ".kilocode",
        ".kiro",
        ".mcp",
        ".opencode",
        ".qwen",
        ".roo",
        ".trae",
        ".windsurf",
        # editors: tasks that run on opening a folder, interpreters, extensions
        ".devcontainer",
        ".fleet",
        ".idea",
        ".nova",
        ".vs",
        ".vscode",
        ".zed",
        # version control and CI: hooks and pipelines, with secrets at hand
        ".buildkite",
        ".circleci",
        ".forgejo",
        ".gitea",
        ".githooks",
        ".github",
        ".gitlab",
        ".husky",
        ".lefthook",
        ".woodpecker",
        # shells and tools of a person or project
        ".aws",
        ".config",
        ".direnv",
        ".docker",
        ".gnupg",
        ".kube",
        ".mise",
        ".ssh",
        ".yarn",
    )
)
_NAMES = (
    ".mcp.json",
    "scenewright.toml",
    "mcp.json",
    "mcp_config.json",
    "claude_desktop_config.json",
    "*.code-workspace",
    # instructions to agents
    "agent.md",
    "agents.md",
    "agents.override.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    "copilot-instructions.md",
    ".cursorrules",
    ".cursorignore",
    ".windsurfrules",
    ".goosehints",
    ".rules",
    ".roomodes",
    ".aider*",
    # shells
    ".envrc",
    ".env",
    ".env.*",
    ".bash*",
    ".zsh*",
    ".zlog*",
    ".zprofile",
    ".profile",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".logout",
    ".inputrc",
    ".xprofile",
    ".xinitrc",
    ".xsession*",
    # editors and debuggers that run a file of the folder they are started in
    ".vimrc",
    ".exrc",
    ".nvimrc",
    ".nvim.lua",
    ".gdbinit",
    ".lldbinit",
    ".dir-locals*.el",
    # version control and CI
    ".gitattributes",
    ".gitconfig",
    ".gitmodules",
    ".gitlab-ci*.y*ml",
    ".travis.y*ml",
    ".drone.y*ml",
    "azure-pipelines*.y*ml",
    "bitbucket-pipelines.y*ml",
    "appveyor.y*ml",
    "jenkinsfile*",
    ".pre-commit-config.y*ml",
    ".pre-commit-hooks.y*ml",
    "lefthook*.y*ml",
    ".lefthook*.y*ml",
    ".woodpecker*.y*ml",
    # package managers: where code comes from, and with whose secrets
    ".npmrc",
    ".yarnrc*",
    ".pnpmfile.*",
    ".pypirc",
    ".netrc",
    "_netrc",
    "pip.conf",
    "nuget.config",
    ".gemrc",
    ".tool-versions",
    "mise*.toml",
    ".mise*.toml",
)


def is_sensitive(parts: Iterable[str]) -> bool:
    """Return whether a file, by the parts of its path, is read by programs that know nothing of this one."""
    *folders, name = map(plain_name, parts)
    if any(folder in _FOLDERS for folder in (*folders, name)):
        return True
    return any(fnmatch(name, pattern) for pattern in _NAMES)
