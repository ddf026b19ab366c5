"""Models are read, built, counted and asked, against what is known of them."""

import math
import os
import re
from pathlib import Path

import pytest

import pymandala

LOCK = """
gal lock {
    int free = 1;
    array [2] at = (0, 0);
    transition enter (0..1 $p) [at[$p] == 0 && free == 1] { at[$p] = 1; free = 0; }
    transition leave (0..1 $p) [at[$p] == 1] { at[$p] = 0; free = 1; }
}
property exclusion [invariant] : at[0] + at[1] <= 1;
"""


def test_a_file_is_read_with_constants(models: Path) -> None:
    model = pymandala.read(models / "philosophers.gal", constants={"N": 3})
    assert model.kind == "composite"
    assert model.states().count == 14
    assert pymandala.read(str(models / "philosophers.gal"), constants={"N": 4}).states().count > 14


def test_a_text_is_parsed() -> None:
    model = pymandala.parse(LOCK, "gal")
    assert (model.name, model.kind, model.properties) == ("lock", "program", ["exclusion"])
    assert model.states().count == 3
    assert [answer.holds for answer in model.check_properties()] == [True]
    assert model.check_properties(["exclusion"])[0].name == "exclusion"


def test_known_counts(models: Path) -> None:
    # What the command line prints.
    expected = {"kanban": (5, 2546432), "philosophers": (10, 1860498), "slotted-ring": (5, 53856)}
    for name, (size, states) in expected.items():
        assert pymandala.generate(name, size).states().count == states


def test_large_numbers_are_exact() -> None:
    count = pymandala.generate("philosophers", 100).states().count
    assert isinstance(count, int) and len(str(count)) == 63
    huge = pymandala.generate("philosophers", "2^2000", "fold").states()
    with pytest.raises(OverflowError, match="count_text"):
        huge.count
    assert huge.count_text.startswith("10^(")


def test_unbounded_nets_have_infinitely_many_states() -> None:
    space = pymandala.Net("tap").place("water").transition("drip", put="water").build().states()
    assert space.count == math.inf and not space.complete


def test_limits_are_no_errors() -> None:
    model = pymandala.parse("gal c { int x = 0; int y = 0; transition a [x < 3000] { x = x + 1; } transition b [y < 3000] { y = y + x * x % 7; } }")
    space = model.states(timeout=0.05)
    assert not space.complete and space.stopped == "time"
    answer = model.check("AG y * y < 9000000 * 9", timeout=0.05)
    assert answer.holds is None and answer.reason


def test_answers() -> None:
    model = pymandala.parse(LOCK)
    assert model.check("AG at[0] + at[1] <= 1").holds is True
    answer = model.check("AG at[1] == 0")
    assert answer.holds is False and answer.kind == "invariant"
    assert [step.transition for step in answer.trace] == ["enter(1)"]
    assert isinstance(answer.trace, list)
    assert answer.trace[0].changes == {"free": (1, 0), "at[1]": (0, 1)}
    assert answer.trace.initial == {"free": 1, "at[0]": 0, "at[1]": 0}
    assert answer.trace[-1].state == {"free": 0, "at[0]": 0, "at[1]": 1}
    assert "does not hold" in str(answer) and "enter(1)" in str(answer)
    bounds = model.check("[bounds] : free + 2 * at[0]")
    assert bounds.value == (0, 2) and bounds.holds is None
    lasso = model.check("F at[1] == 1")
    assert lasso.holds is False and lasso.trace.repeats is not None


def test_traces_become_records_and_pictures() -> None:
    trace = pymandala.parse(LOCK).check("EF at[1] == 1").trace
    assert trace.records() == [
        {"step": 0, "transition": None, "free": 1, "at[0]": 0, "at[1]": 0},
        {"step": 1, "transition": "enter(1)", "free": 0, "at[0]": 0, "at[1]": 1},
    ]
    assert trace.svg().startswith("<svg") and trace._repr_svg_() == trace.svg()
    assert "<td>enter(1)</td><td>free 1 -&gt; 0, at[1] 0 -&gt; 1</td>" in trace._repr_html_()


def test_queues_are_shown_as_words(models: Path) -> None:
    trace = pymandala.read(models / "alternating-bit.gal").check("EF(data == 1)").trace
    assert "data [] -&gt; [0]</td>" in trace._repr_html_() and trace[-1].state["data"] == 1


def test_pictures_of_models(models: Path) -> None:
    composite = pymandala.read(models / "philosophers.gal")
    assert composite._repr_svg_().startswith("<svg") and "<svg" in composite._repr_html_()
    program = pymandala.parse(LOCK)
    assert program.svg("states").count("<rect") == 4, "three states and the ground"
    assert program._repr_svg_() == program.svg("states") and "lock" in program._repr_html_()
    assert program.dot("states").startswith("digraph")
    assert program.states().diagram_svg().startswith("<svg")
    with pytest.raises(pymandala.MandalaError, match="hierarchy"):
        program.svg("nothing")


def test_small_spaces_are_drawn(models: Path) -> None:
    small = pymandala.read(models / "philosophers.gal", constants={"N": 3}).states()
    assert small._repr_svg_() == small.svg() and small.svg().count("data-key") == small.count == 14
    assert "<svg" in small._repr_html_() and "<td>14</td>" in small._repr_html_()
    with pytest.raises(pymandala.MandalaError, match="14 states"):
        small.svg(most=13)
    for large in (pymandala.generate("philosophers", 9), pymandala.generate("philosophers", "2^2000", "fold")):
        space = large.states()
        assert space._repr_svg_() is None and "<svg" not in space._repr_html_()
    counter = pymandala.Program("count").variable("x", 0).action("up", when="x < 99", set={"x": "x + 1"}).build()
    assert counter._repr_svg_() is None, "a hundred states are too many to be shown unasked"
    quotient = pymandala.generate("client-server", 2).states(symmetry="explore")
    assert quotient._repr_svg_() is None


def test_nets_and_programs_are_built() -> None:
    net = pymandala.Net("lock").place("free", 1).place("waiting", 3).place("inside", capacity=1)
    net.transition("enter", take=["free", "waiting"], put="inside").transition("leave", take={"inside": 1}, put=["free", "waiting"])
    model = net.build()
    assert model.states().count == 2 and model.kind == "net"
    assert pymandala.parse(model.to_pnml(), "pnml").states().count == 2
    assert pymandala.parse(model.to_gal(), "gal").states().count == 2
    program = pymandala.Program("count").variable("x", 0).array("a", [0, 1])
    program.action("up", when="x < 3", set={"x": "x + 1", "a[x % 2]": 7})
    assert program.build().states().count == 4
    with pytest.raises(pymandala.MandalaError, match="inside|insid"):
        pymandala.Net("n").place("inside").transition("t", take="insid").build()


def test_symmetry(models: Path) -> None:
    model = pymandala.generate("client-server", 6)
    plain, quotient = model.states(), model.states(symmetry="auto")
    assert plain.count == quotient.count
    assert quotient.representatives < plain.representatives
    assert quotient.symmetries
    with pytest.raises(ValueError, match="auto"):
        model.states(symmetry="yes")


def test_mistakes_show_the_place(tmp_path: Path) -> None:
    file = tmp_path / "bad.gal"
    file.write_text("gal bad {\n    int x = 0;\n    transition t [y > 0] { x = 1; }\n}\n")
    with pytest.raises(pymandala.ReadError) as caught:
        pymandala.read(file)
    assert "bad.gal:3" in str(caught.value) and caught.value.problems[0]["line"] == 3
    assert caught.value.problems[0]["column"] == 19
    with pytest.raises(pymandala.ReadError, match="did you mean `free`"):
        pymandala.parse(LOCK).check("AG fre == 1")
    with pytest.raises(pymandala.ReadError, match="there is no file"):
        pymandala.read("no-such-file.gal")
    with pytest.raises(TypeError):
        pymandala.parse(LOCK)._native.states(simmetry=True)


def test_one_wheel_serves_all_versions() -> None:
    if os.name != "posix":
        pytest.skip("the name of the file says so on Unix")
    assert ".abi3." in str(pymandala._native.__file__)
    assert (Path(pymandala.__file__).parent / "py.typed").is_file()


def test_the_readme_runs(monkeypatch: pytest.MonkeyPatch, models: Path) -> None:
    text = (Path(__file__).resolve().parents[1] / "README.md").read_text()
    (program,) = re.findall(r"```python\n(.*?)```", text, re.S)
    monkeypatch.chdir(models.parent)
    exec(compile(program, "README.md", "exec"), {})


def test_the_documentation_runs() -> None:
    import doctest

    from pymandala import _build

    for module in (pymandala, _build):
        results = doctest.testmod(module)
        assert results.failed == 0 and results.attempted > 0


def test_the_contest(shared: Path) -> None:
    folder = shared / "mcc-pt"
    known = sorted(folder.glob("Kanban-PT-00005")) + sorted(folder.glob("Philosophers-PT-000005"))
    if not known:
        pytest.skip("the contest's models are not there")
    counts = {"Kanban-PT-00005": 2546432, "Philosophers-PT-000005": 243}
    for model in known:
        assert pymandala.read(model).states().count == counts[model.name]
