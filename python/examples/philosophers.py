"""Counts, asks, walks and draws: python/examples/philosophers.py [SIZE] [FOLDER FOR PICTURES]."""

import sys
from pathlib import Path

import pymandala

size = int(sys.argv[1]) if len(sys.argv) > 1 else 3
folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(".")
models = Path(__file__).resolve().parents[2] / "models"

# Read, and count.
model = pymandala.read(models / "philosophers.gal", constants={"N": size})
space = model.states()
print(f"{size} philosophers have {space.count} states, kept in {space.nodes} nodes")

# Ask.
answer = model.check("AG !deadlock")
print("can they get stuck?", "no" if answer.holds else "yes")
if answer.trace is not None:
    for number, step in enumerate(answer.trace, 1):
        print(f"  {number}. {step.transition}")

# Sets of states are values.
eating = space.where("at[0]:eating == 1")
stuck = space.deadlocks()
print(f"the first one eats in {len(eating)} of them, {len(stuck)} are stuck, {len(eating & stuck)} are both")
print("one of them:", {name: value for name, value in space.random(seed=1).items() if value})

# Walk.
for move in model.walk(5, seed=1):
    print("  happens:", move.transition)

# Draw.
(folder / "hierarchy.svg").write_text(model.svg())
(folder / "states.svg").write_text(model.svg("states"))
if answer.trace is not None:
    (folder / "trace.svg").write_text(answer.trace.svg())
print(f"pictures are in {folder.resolve()}")
