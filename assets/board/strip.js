// The verdict strip: one tile per judge, what it said before and what it says now. A click on a live judge's tile shows
// that judge's strengths in the map.

const VERDICTS = { true: "✓ True", false: "✕ False", uncertain: "? Uncertain" };
const STATUSES = {
  "not converged": "! Not converged",
  refused: "! Refused",
  unreadable: "! Unreadable",
  error: "! Error",
  later: "… let go to judge",
};

export function chipText(judgement) {
  if (!judgement) return "– Not run";
  const { status, verdict: decided, score, threshold } = judgement;
  if (STATUSES[status]) return STATUSES[status];
  if (decided === null) return score === null ? "– Not run" : scoreText(score, threshold);
  return score === null ? VERDICTS[decided] : `${VERDICTS[decided]} ${scoreText(score, threshold)}`;
}

export function flipped(before, after) {
  return Boolean(before?.verdict && after?.verdict && before.verdict !== after.verdict);
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

function setChip(chip, judgement) {
  setText(chip, chipText(judgement));
  chip.dataset.verdict = judgement?.verdict ?? "";
}

class Strip {
  constructor(root, onShow) {
    this.list = root.querySelector(".strip");
    this.onShow = onShow;
    this.tiles = [];
  }

  get height() {
    return this.list.offsetHeight;
  }

  draw({ judges, others, read_only: readOnly }, results, shown) {
    const live = judges.map((settings, number) => ({ ...settings, after: results[number], number }));
    const rows = [...live, ...others];
    while (this.tiles.length > rows.length) this.tiles.pop().item.remove();
    while (this.tiles.length < rows.length) this.tiles.push(this.tile());
    rows.forEach((row, at) => {
      if (row.number === undefined) this.drawFixed(this.tiles[at], row);
      else this.drawLive(this.tiles[at], row, row.number === shown, readOnly);
    });
  }

  tile() {
    const tile = {
      item: element("li", ""),
      button: element("button", "tile"),
      name: element("span", "name"),
      flip: element("span", "flip", "⇄ flipped"),
      before: element("span", "chip before"),
      arrow: element("span", "arrow", "→"),
      after: element("span", "chip after"),
      delta: element("span", "delta"),
    };
    const [above, below] = [element("span", "row"), element("span", "row")];
    above.append(tile.name, tile.flip);
    below.append(tile.before, tile.arrow, tile.after, tile.delta);
    tile.button.type = "button";
    tile.button.append(above, below);
    tile.button.addEventListener("click", () => this.onShow(tile.number));
    tile.item.append(tile.button);
    this.list.append(tile.item);
    return tile;
  }

  drawLive(tile, { label, number, before, after }, shown, readOnly) {
    const moved = !readOnly && before && (before.score !== after.score || chipText(before) !== chipText(after));
    const comparable = moved && before.score !== null && after.score !== null;
    tile.number = number;
    tile.button.disabled = false;
    tile.button.setAttribute("aria-pressed", String(shown));
    tile.button.title = `${label}: show its strengths in the map`;
    setText(tile.name, label);
    setChip(tile.before, before);
    setChip(tile.after, after);
    tile.before.hidden = tile.arrow.hidden = !moved;
    setText(tile.delta, comparable ? signed(after.score - before.score, 3) : "");
    tile.flip.hidden = !(moved && flipped(before, after));
  }

  drawFixed(tile, { label, before, note }) {
    tile.button.disabled = true;
    tile.button.removeAttribute("aria-pressed");
    tile.button.title = label;
    setText(tile.name, label);
    setChip(tile.after, before);
    tile.before.hidden = tile.arrow.hidden = tile.flip.hidden = true;
    setText(tile.delta, note);
  }
}
