"""Work on very many small values at once."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_running = 0


@contextmanager
def no_collection() -> Iterator[None]:
    """Hold back the cyclic garbage collector while hundreds of thousands of values are made.

    Values have no cycles, and looking through all of them again and again takes as long as the work itself. Several
    threads may be inside at once; the collector goes on when the last one leaves.
    """
    global _running
    with _lock:
        if _running == 0 and not gc.isenabled():
            restore = False  # somebody else switched it off: leave it so
        else:
            restore = True
            gc.disable()
            _running += 1
    try:
        yield
    finally:
        if restore:
            with _lock:
                _running -= 1
                if _running == 0:
                    gc.enable()
