"""`python -m scenewright` is the `scenewright` command."""

from scenewright.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
