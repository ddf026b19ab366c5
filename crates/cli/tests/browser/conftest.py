"""What the browser tests share: the program, a page of the explorer, and Debian's Chromium."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Callable, Iterator

import pytest

ROOT = Path(__file__).resolve().parents[4]


def program() -> Path:
    """The command line: `MANDALA` says where it is, or it was built before."""
    candidates = [os.environ.get("MANDALA", ""), ROOT / "target/debug/mandala", ROOT / "target/release/mandala", ROOT / "target/quick/mandala"]
    found = [Path(path) for path in candidates if path and Path(path).is_file()]
    if not found:
        pytest.skip("there is no program: `cargo build -p mandala-cli` makes it")
    return found[0]


def browser_path() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        path = shutil.which(name)
        if path:
            return path
    pytest.skip("there is no Chromium: `apt-get install chromium` installs it")


@pytest.fixture
def mandala() -> Path:
    return program()


@pytest.fixture
def explore(mandala: Path) -> Iterator[Callable[..., str]]:
    """Starts the explorer for a model, and gives the address of its page."""
    processes = []

    def start(model: Path, *arguments: str) -> str:
        command = [str(mandala), "explore", "--no-open", str(model), *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        processes.append(process)
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/", address), address
        return address

    yield start
    for process in processes:
        process.terminate()
        process.wait(timeout=60)


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    playwright = pytest.importorskip("playwright.sync_api", reason="`pip install playwright` drives the browser")
    path = browser_path()
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=path,
            timeout=120_000,
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update"],
        )
        yield browser
        browser.close()


@pytest.fixture
def page(chromium) -> Iterator[object]:
    context = chromium.new_context(viewport={"width": 1400, "height": 900}, accept_downloads=True)
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    # Generous: on a busy machine a click takes seconds. Whatever is waited for is a condition, so this costs nothing.
    page.set_default_timeout(90_000)
    yield page
    context.close()
    assert errors == []
