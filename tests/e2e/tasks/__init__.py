"""Eight parts of games of the kind that video tutorials build, each as the calls an agent makes.

A task is a list of calls; each must succeed. Those of `probe_scene` must also pass: they run what was built in the real
engine and look at what it does.
"""

from tests.e2e.tasks import (
    card_hand,
    day_and_night,
    dialogue_box,
    enemy_patrol,
    inventory,
    minimap,
    parallax_level,
    state_machine,
)
from tests.e2e.tasks.model import Task

__all__ = ["TASKS", "Task"]

TASKS: dict[str, Task] = {
    module.__name__.rpartition(".")[2]: module.TASK
    for module in (
        state_machine,
        parallax_level,
        inventory,
        enemy_patrol,
        dialogue_box,
        minimap,
        day_and_night,
        card_hand,
    )
}
