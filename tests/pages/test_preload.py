"""What the browser loads in advance."""

from pages.components.preload import SCRIPTS, WANTED, scripts


def test_what_is_loaded_in_advance_is_a_file_of_the_streamlit_that_is_installed():
    assert len(scripts()) == len(WANTED)  # another release may call its files something else: look at WANTED then
    for name in scripts():
        assert (SCRIPTS / name).stat().st_size > 100_000
