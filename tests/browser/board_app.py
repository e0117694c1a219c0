"""A page with nothing but the board, for the tests: ``?n=50`` arguments, ``&hostile=1``, ``&ro=1``, ``&cycle=1``."""

import random

import streamlit as st

from core.board import FixedTile, LiveTile, board_data
from core.contestation import Edit, EditKind, contest
from core.contributions import removal
from core.judges import SemanticsJudge, Setting, StanceVariant
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.semantics import SEMANTICS
from pages.components import board

HOSTILE = '<img src=x onerror="window.broken=1"><script>window.broken=1</script> **bold** =HYPERLINK(1) \u202eabc'
WORDS = ("survey", "repeated", "by", "two", "teams", "who", "knew", "nothing", "of", "each", "other", "agreed")


def profile(count: int, hostile: bool = False, cycle: bool = False) -> OpinionProfile:
    """Return a debate of three agents with that many arguments, some of them about others; always the same."""
    chance = random.Random(count)
    arguments, relations = [], []
    for number in range(1, count + 1):
        text = HOSTILE if hostile else " ".join(chance.choices(WORDS, k=14))
        arguments.append(Argument(f"a{number}", text, f"m{number % 3}", round(chance.uniform(0.1, 0.9), 2)))
        target = TOPIC if number <= 6 or chance.random() < 0.3 else f"a{chance.randrange(1, number)}"
        kind = RelationKind.SUPPORT if number % 2 else RelationKind.ATTACK
        relations.append(Relation(f"a{number}", target, kind))
    if cycle:
        relations.append(Relation("a1", f"a{count}", RelationKind.ATTACK))
        relations.append(Relation(f"a{count}", "a1", RelationKind.ATTACK))
    stances = tuple(Stance(f"m{number}", 0.5) for number in range(3))
    claim = HOSTILE if hostile else "The survey found what its authors say that it found."
    return OpinionProfile(claim, stances, tuple(arguments), tuple(relations))


def judges() -> list[SemanticsJudge]:
    """Return every semantics, and one judge of separate QBAFs."""
    return [
        *(SemanticsJudge(key) for key in SEMANTICS),
        SemanticsJudge(setting=Setting.SEPARATE, variant=StanceVariant.PRIOR),
    ]


def main() -> None:
    """Draw the page."""
    st.set_page_config(layout="wide")
    asked = st.query_params
    original = profile(int(asked.get("n", "6")), asked.get("hostile") == "1", asked.get("cycle") == "1")
    edits: list[Edit] = st.session_state.setdefault("edits", [])
    board.load_library()

    @st.fragment
    def desk() -> None:
        events = board.pending("board")
        if events.selected:
            st.session_state["chosen"] = events.selected
        if events.commit:
            name, value, _ = events.commit
            kind = EditKind.SET_TOPIC_BASE_SCORE if name == TOPIC else EditKind.SET_BASE_SCORE
            edits.append(Edit(kind, "" if name == TOPIC else name, after=value))
        contested = contest(original, edits)
        live = [LiveTile(judge, judge.judge(original), judge.judge(contested.profile)) for judge in judges()]
        data = board_data(
            contested,
            original,
            live,
            fixed=[FixedTile("Language model", None, f"{len(edits)} edits since")],
            selected=st.session_state.get("chosen"),
            contributions=removal(live[0].judge, contested.profile).amounts if len(original.arguments) <= 300 else None,
        )
        board.show(data, key="board", read_only=asked.get("ro") == "1")
        st.text(f"edits {len(edits)}, chosen {st.session_state.get('chosen')}, score {live[0].after.score!r}")
        if st.button("Remove a2"):
            edits.append(Edit(EditKind.REMOVE_ARGUMENT, "a2"))
            st.rerun(scope="fragment")
        if st.button("Add one"):
            edits.append(
                Edit(
                    EditKind.ADD_ARGUMENT,
                    f"x{len(edits)}",
                    after=0.8,
                    text="Added by a person",
                    relation=RelationKind.ATTACK,
                )
            )
            st.rerun(scope="fragment")

    desk()


if __name__ == "__main__":
    main()
