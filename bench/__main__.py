"""`make bench`: every measurement; exit code 1 where a goal is missed."""

from __future__ import annotations

from bench import foundation, godot_classes, godot_text, unity

if __name__ == "__main__":
    missed = [goal for part in (foundation, godot_classes, godot_text, unity) for goal in part.run()]
    for goal in missed:
        print(f"missed: {goal}")
    raise SystemExit(1 if missed else 0)
