// The interactive board: verdict strip, argument map and what-if bar around one state. pages/components/board.py joins
// the files of this folder into one module. It is mounted once; every later call only brings new data, so that zoom and
// places stay.
//
// What comes from debates is data: it reaches the page through textContent and the canvas, never as markup.

const FRAME_BUDGET = 15; // milliseconds for judging while a slider is dragged

class Board {
  constructor(root) {
    this.root = root;
    this.data = null;
    this.moves = new Map(); // by node id: {value, seq, sent}, base scores that Python has not answered yet
    this.seq = Date.now(); // grows, also when the board is mounted again
    this.shown = 0; // the judge whose strengths the map shows
    this.selected = null;
    this.strip = new Strip(root, (number) => this.show(number));
    this.bar = new WhatIf(root, this);
    this.map = new ArgumentMap(root, this);
    this.watchTheme();
    this.resizing = new ResizeObserver(() => {
      this.stick();
      if (this.data) this.map.resized();
    });
    this.resizing.observe(root.querySelector(".stage"));
  }

  // ---- new data from Python

  update(data, setStateValue) {
    const previous = this.data;
    this.send = setStateValue;
    this.data = data;
    this.places = new Map(data.nodes.map((node, index) => [node.id, index]));
    this.compiled = prepare(data);
    this.seq = Math.max(this.seq, data.seq);
    for (const [id, { seq }] of this.moves) if (data.seq >= seq || this.index(id) < 0) this.moves.delete(id);
    if (data.selected !== previous?.selected) this.selected = data.selected;
    if (this.index(this.selected) < 0) this.selected = null;
    if (this.shown >= data.judges.length) this.shown = 0;
    const edited = data.nodes.some((node) => node.changed || node.added || node.gone);
    this.root.classList.toggle("unedited", data.read_only && !edited);
    this.judge();
    this.bar.list(data);
    this.bar.draw();
    this.strip.draw(data, this.results, this.shown);
    this.map.draw();
    this.stick();
    this.announce(previous !== null);
  }

  // Python's judgements; or the browser's own while a base score is on its way.
  judge() {
    const { judges, nodes } = this.data;
    this.live = nodes.map(({ base }) => base);
    for (const [id, { value }] of this.moves) this.live[this.index(id)] = value;
    const deadline = performance.now() + FRAME_BUDGET;
    this.results = judges.map((settings) => {
      if (!this.moves.size) return { ...settings.after, strengths: settings.strengths };
      return judge(settings, this.compiled[settings.parts], this.live, deadline);
    });
  }

  index(id) {
    return this.places.get(id) ?? -1;
  }

  // The base score in force, also where none is given.
  valueOf(index) {
    const settings = this.data.judges[this.shown];
    const given = index === TOPIC ? this.data.parts[settings?.parts]?.[0].topic : settings?.missing;
    return this.live[index] ?? given ?? 0.5;
  }

  // ---- what a person does

  // The selected argument's base score was moved: judge in the browser and draw, in the next frame.
  move(value) {
    const node = this.data.nodes[this.index(this.selected)];
    if (!node || node.gone) return;
    this.seq += 1;
    const bounded = Number(Math.min(1, Math.max(0, value)).toFixed(12));
    this.moves.set(node.id, { value: bounded, seq: this.seq, sent: false });
    this.waiting ||= requestAnimationFrame(() => {
      this.waiting = 0;
      this.drawLive();
    });
  }

  drawLive() {
    this.judge();
    this.bar.draw();
    this.strip.draw(this.data, this.results, this.shown);
    this.map.refresh();
  }

  // The base score was let go: Python judges, and its answer replaces the browser's.
  commit() {
    const move = this.moves.get(this.selected);
    if (!move || move.sent) return;
    if (move.value === this.data.nodes[this.index(this.selected)].base) {
      this.moves.delete(this.selected); // moved away and back
      this.drawLive();
      return;
    }
    move.sent = true;
    this.send("commit", { argument: this.selected, value: move.value, seq: move.seq });
  }

  choose(id) {
    if (this.index(id) < 0 || id === this.selected) return;
    this.selected = id;
    this.bar.draw();
    this.map.refresh();
    this.announce(false);
    this.seq += 1;
    this.send("selected", { argument: id, seq: this.seq });
  }

  show(number) {
    this.shown = number;
    this.strip.draw(this.data, this.results, number);
    this.bar.draw();
    this.map.refresh();
    this.announce(true);
  }

  // ---- around it

  // The strip stays in view while the page scrolls, where it leaves enough room for the rest.
  stick() {
    this.root.classList.toggle("sticky", this.strip.height <= 0.18 * globalThis.innerHeight);
  }

  // Says the verdict to people who cannot see the board: aloud after a change, and always as the map's description.
  announce(aloud) {
    const { judges, nodes, edges, claim } = this.data;
    const settings = judges[this.shown];
    const sentences = [];
    if (settings) {
      const after = this.results[this.shown];
      const from = flipped(settings.before, after) ? `, flipped from ${chipText(settings.before).slice(2)}` : "";
      sentences.push(`${settings.label}: ${chipText(after).slice(2)}${from}.`);
    }
    const flips = judges.filter(({ before }, number) => flipped(before, this.results[number])).length;
    if (flips) sentences.push(`${flips} of ${judges.length} judges flipped.`);
    const verdicts = sentences.join(" ");
    if (aloud) setText(this.root.querySelector(".said"), verdicts);

    const present = (index) => !nodes[index].gone;
    const count = nodes.filter((_, index) => present(index)).length - 1;
    const bearing = (wanted) => edges.filter(([s, t, sign]) => t === TOPIC && sign === wanted && present(s)).length;
    const chosen = this.selected === null ? "" : `Selected: ${nodes[this.index(this.selected)].text.slice(0, 120)}. `;
    this.map.describe(
      `Argument map of the claim “${claim}”: ${count} argument${count === 1 ? "" : "s"}, ` +
        `${bearing(1)} supporting and ${bearing(-1)} attacking the topic. ${verdicts} ${chosen}` +
        "Arrow keys move the map, plus and minus zoom, 0 fits.",
    );
  }

  watchTheme() {
    const probe = this.root.querySelector(".probe");
    const read = () => {
      const [red, green, blue] = getComputedStyle(probe).backgroundColor.match(/[\d.]+/g).map(Number);
      const dark = 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
      this.root.dataset.theme = dark ? "dark" : "light";
      this.colours = readColours(this.root);
      if (this.data) this.map.draw();
    };
    read();
    // The probe takes the page's background with a transition: its end says that the theme has changed.
    probe.addEventListener("transitionend", read);
  }

  destroy() {
    this.resizing.disconnect();
    cancelAnimationFrame(this.waiting);
    this.map.destroy();
  }
}

async function library() {
  for (let tries = 0; tries < 1000 && !globalThis.vis?.Network; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return Boolean(globalThis.vis?.Network);
}

// Draws the board into its component, or tells a board that is there already of new data. The component itself is a few
// lines (mount.js): Streamlit sends a component's own script anew with every change of its data, and this file once.
globalThis.mootBoard = function mount({ parentElement, data, setStateValue }, styles) {
  const root = parentElement.querySelector(".board");
  const place = parentElement.getRootNode();
  if (place.adoptedStyleSheets && !place.adoptedStyleSheets.includes(styles)) {
    place.adoptedStyleSheets = [...place.adoptedStyleSheets, styles];
  }
  if (!root.moot) {
    const board = new Board(root);
    root.moot = board;
    library().then((ready) => {
      if (root.moot !== board) return; // unmounted meanwhile
      if (ready) board.map.draw();
      else board.map.fail("The map could not start. The outline lists the same arguments.");
      board.announce(false);
    });
  }
  root.moot.update(data, setStateValue);
};
