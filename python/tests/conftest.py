"""What the tests share: where the models are."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def models() -> Path:
    return ROOT / "models"


@pytest.fixture
def shared() -> Path:
    folder = ROOT.parent / "shared" / "models"
    if not folder.is_dir():
        pytest.skip("the folder ../shared is not there")
    return folder
