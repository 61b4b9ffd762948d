"""Pauses long work while a file exists, so that others can measure on the same machine."""

import os
import time
from pathlib import Path

POLL_EVERY_S = 5


def wait_while_paused() -> None:
    """Waits while the file that VERBATIM_TRAINING_PAUSE names exists."""
    name = os.environ.get("VERBATIM_TRAINING_PAUSE")
    while name and Path(name).exists():
        time.sleep(POLL_EVERY_S)
