"""The base of the torture scenarios: the file layer, the initial data, and the number of repetitions."""

import os
import pathlib
import random
import tempfile
import unittest

from layer import build_layer
from world import Beginning, World

KILLS = int(os.environ.get("HUBBUB_TORTURE_KILLS", "20"))
STEPS = int(os.environ.get("HUBBUB_TORTURE_STEPS", "16"))
CUTS = int(os.environ.get("HUBBUB_TORTURE_CUTS", "8"))
SEED = int(os.environ.get("HUBBUB_TORTURE_SEED", random.randrange(1 << 30)))


def say(text):
    print("  " + text, flush=True)


def some(steps, chance):
    """Some of the steps 1, 2, 3 …, or all of them if that many are wanted."""
    return sorted(chance.sample(range(1, steps), min(STEPS, steps - 1)))


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.space = tempfile.TemporaryDirectory(prefix="hubbub-torture-")
        cls.library = build_layer(cls.space.name)
        cls.beginning = Beginning(pathlib.Path(cls.space.name) / "beginning")
        print(f"seed {SEED} (HUBBUB_TORTURE_SEED)", flush=True)

    @classmethod
    def tearDownClass(cls):
        cls.space.cleanup()

    def world(self, starts=True, **how):
        folder = pathlib.Path(self.space.name) / self.id().rsplit(".", 1)[-1]
        world = World(self.beginning, folder, seed=SEED, **how)
        self.addCleanup(world.end)
        if starts:
            world.program.start()
        return world
