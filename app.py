"""Moot's server. Start it with ``make run``, ``python cli.py serve`` or ``streamlit run app.py``.

The navigation lies in pages/navigation/main.py and not here: beside a folder called pages, Streamlit takes a script for
an application of its old kind until the first visit, and a link to any page would be met with "Page not found".
"""

import sys
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))  # from wherever it is started, core, storage and pages are found

app = st.App(ROOT / "pages" / "navigation" / "main.py")
