// The what-if bar: the selected argument's base score, to be moved by slider, number or buttons.

class WhatIf {
  constructor(root, board) {
    this.root = root;
    this.board = board;
    this.dragging = false;
    this.find = (selector) => root.querySelector(selector);
    this.range = this.find("[type=range]");
    this.exact = this.find("[type=number]");
    this.listen();
  }

  listen() {
    const { board, range, exact } = this;
    range.addEventListener("input", () => {
      this.dragging = true;
      board.move(range.valueAsNumber);
    });
    const released = () => {
      this.dragging = false;
      board.commit();
    };
    range.addEventListener("change", released);
    // A slider that is dragged away and back ends without a change event.
    range.addEventListener("pointerup", released);
    range.addEventListener("blur", released);
    exact.addEventListener("input", () => {
      if (Number.isFinite(exact.valueAsNumber)) board.move(exact.valueAsNumber);
    });
    exact.addEventListener("change", () => {
      if (Number.isFinite(exact.valueAsNumber)) board.commit();
      this.draw();
    });
    const step = (selector, change) =>
      this.find(selector).addEventListener("click", () => {
        const index = board.index(board.selected);
        board.move(change(board.valueOf(index), board.data.nodes[index]));
        board.commit();
      });
    step(".down", (value) => value - 0.1);
    step(".up", (value) => value + 0.1);
    step(".reset", (_, node) => node.original);
    this.find(".argument").addEventListener("change", (event) => board.choose(event.target.value));
  }

  // The list of arguments, for people who do not use the map; filled again only when it has changed.
  list({ nodes, read_only: readOnly }) {
    const wanted = readOnly ? "" : JSON.stringify(nodes.map((node) => [node.id, node.gone, node.side, node.text]));
    if (wanted === this.listed) return;
    this.listed = wanted;
    const options = [new Option("choose an argument", "")];
    options[0].disabled = true;
    nodes.forEach((node, index) => {
      if (node.gone) return;
      const words = node.text.length > 90 ? `${node.text.slice(0, 89)}…` : node.text;
      const title = index === TOPIC ? `Topic: ${words}` : `${sign(node)} ${node.tag} ${words}`.trim();
      options.push(new Option(title, node.id));
    });
    this.find(".argument").replaceChildren(...options);
  }

  draw() {
    const { data, selected } = this.board;
    this.find(".whatif").hidden = data.read_only;
    if (data.read_only) return;
    const node = selected === null ? null : data.nodes[this.board.index(selected)];
    const usable = Boolean(node) && !node.gone;
    this.find(".argument").value = selected ?? "";
    this.find(".whatif").classList.toggle("idle", !usable);
    for (const control of this.root.querySelectorAll(".controls input, .controls button")) control.disabled = !usable;
    const invitation = "Choose an argument in the map or in this list, then move its base score.";
    setText(this.find(".text"), node ? node.text : invitation);
    if (usable) this.drawControls(node);
    this.drawFacts(node);
    this.drawVerdict();
  }

  drawControls(node) {
    const value = this.board.valueOf(this.board.index(node.id));
    const focused = this.root.getRootNode().activeElement;
    if (!this.dragging) this.range.value = value;
    if (focused !== this.exact || !this.board.moves.has(node.id)) this.exact.value = Number(value.toFixed(4));
    this.find(".origin").hidden = node.original === null;
    this.find(".origin").style.setProperty("--at", node.original ?? 0);
    this.find(".reset").disabled = node.original === null || value === node.original;
  }

  drawFacts(node) {
    const { live, results, shown, data } = this.board;
    if (!node) return setText(this.find(".fact"), "");
    if (node.gone) return setText(this.find(".fact"), "Removed: it no longer counts. Restore it to change it.");
    const index = this.board.index(node.id);
    const settings = data.judges[shown];
    const base = live[index];
    const strength = results[shown]?.strengths[index] ?? null;
    let facts = `base score ${base === null ? "" : fixed(base, 2)}`;
    if (base === null && index === TOPIC) facts = "base score set by each judge";
    else if (base === null) facts = `no base score given, judged as ${fixed(this.board.valueOf(index), 2)}`;
    else if (node.original !== null && base !== node.original) {
      facts = `base score ${fixed(node.original, 2)} → ${fixed(base, 2)}`;
    }
    if (strength !== null) facts += ` · strength ${fixed(strength, 2)} under ${settings.label}`;
    return setText(this.find(".fact"), facts);
  }

  // The shown judge's verdict again beside the slider, where the eye is while it is dragged.
  drawVerdict() {
    const { data, results, shown } = this.board;
    this.find(".now").hidden = !data.judges.length;
    setChip(this.find(".now"), results[shown]);
    this.find(".now-flip").hidden = !flipped(data.judges[shown]?.before, results[shown]);
  }
}
