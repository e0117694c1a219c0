// The interactive board: verdict strip, argument map, what-if bar. Joined to semantics.js and drawing.js by
// pages/components/board.py. It is mounted once; every later call only brings new data, so that zoom and positions stay.
//
// What comes from debates is data: it reaches the page through textContent and the canvas, never as markup.

const TOPIC = 0; // index of the topic among the nodes
const FULL = 300; // with more arguments than this only the first levels are shown at first
const FIRST_LEVELS = 2;
const FRAME_BUDGET = 15; // milliseconds for judging while a slider is dragged
const NARROW = 560; // pixels; as in board.css
const LEGIBLE = 0.75; // the map does not start smaller than this
const MARGIN = { side: 84, above: 46, below: 84 }; // room for discs and labels around the outermost centres
const VERDICTS = { true: "✓ True", false: "✕ False", uncertain: "? Uncertain" };
const STATUSES = { "not converged": "! Not converged", refused: "! Refused", unreadable: "! Unreadable", error: "! Error", later: "… let go to judge" };

function chipText(judgement) {
  if (!judgement) return "– Not run";
  if (STATUSES[judgement.status]) return STATUSES[judgement.status];
  if (judgement.verdict === null) return judgement.score === null ? "– Not run" : fixed(judgement.score, 2);
  return judgement.score === null ? VERDICTS[judgement.verdict] : `${VERDICTS[judgement.verdict]} ${fixed(judgement.score, 2)}`;
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

class Board {
  constructor(root) {
    this.root = root;
    this.looks = new Map(); // by node id: everything drawing needs
    this.tiles = [];
    this.data = null;
    this.moved = null; // {index, value, seq}: a base score that Python has not answered yet
    this.seq = Date.now(); // grows, also when the board is mounted again
    this.shown = 0; // the judge whose strengths the map shows
    this.selected = null;
    this.hovered = null;
    this.everything = false; // "Show all" was pressed
    this.touched = false; // the person has zoomed or moved the map
    this.drawn = 0; // how many frames were drawn after a change, for tests and measurements
    this.find = (selector) => root.querySelector(selector);
    this.listen();
    this.watchTheme();
  }

  // ---- new data from Python

  update(data, setStateValue) {
    const first = this.data === null;
    const previous = this.data;
    this.send = setStateValue;
    this.data = data;
    this.edges = data.edges.filter(([source, target]) => !data.nodes[source].gone && !data.nodes[target].gone);
    this.places = new Map(data.nodes.map((node, index) => [node.id, index]));
    this.compiled = prepare(data);
    this.bases = data.nodes.map((node) => node.base);
    this.seq = Math.max(this.seq, data.seq);
    if (this.moved && (data.seq >= this.moved.seq || data.nodes[this.moved.index]?.id !== this.moved.id)) this.moved = null;
    if (first || data.selected !== previous.selected) this.selected = data.selected;
    if (!data.nodes.some((node) => node.id === this.selected)) this.selected = null;
    if (this.shown >= data.judges.length) this.shown = 0;
    this.judgeAll();
    const edited = data.nodes.some((node) => node.changed || node.added || node.gone);
    this.root.classList.toggle("unedited", data.read_only && !edited);
    this.listArguments();
    this.drawBar();
    this.drawStrip();
    this.drawGraph();
    this.stick();
    this.announce(first);
  }

  // Python's numbers, or the browser's own while a change is on its way.
  judgeAll() {
    if (!this.moved) {
      this.results = this.data.judges.map(({ after, strengths }) => ({ ...after, strengths }));
      this.live = this.bases;
      return;
    }
    this.live = this.bases.slice();
    this.live[this.moved.index] = this.moved.value;
    const deadline = performance.now() + FRAME_BUDGET;
    this.results = this.data.judges.map((settings) => judge(settings, this.compiled[settings.parts], this.live, deadline));
  }

  // ---- verdict strip

  drawStrip() {
    const { judges, others, read_only: readOnly } = this.data;
    const rows = [...judges.map((j, i) => ({ ...j, after: this.results[i], number: i })), ...others];
    const strip = this.find(".strip");
    while (this.tiles.length > rows.length) this.tiles.pop().item.remove();
    while (this.tiles.length < rows.length) {
      const item = element("li", "");
      const tile = { item, button: element("button", "tile"), name: element("span", "name"), flip: element("span", "flip", "⇄ flipped") };
      const [above, below] = [element("span", "row"), element("span", "row")];
      tile.before = element("span", "chip before");
      tile.arrow = element("span", "arrow", "→");
      tile.after = element("span", "chip after");
      tile.note = element("span", "delta");
      tile.button.type = "button";
      above.append(tile.name, tile.flip);
      below.append(tile.before, tile.arrow, tile.after, tile.note);
      tile.button.append(above, below);
      tile.button.addEventListener("click", () => this.show(tile.number));
      item.append(tile.button);
      strip.append(item);
      this.tiles.push(tile);
    }
    rows.forEach((row, at) => this.drawTile(this.tiles[at], row, readOnly));
    this.drawNow();
  }

  drawTile(tile, row, readOnly) {
    const isLive = row.number !== undefined;
    tile.number = row.number;
    tile.button.disabled = !isLive;
    tile.button.setAttribute("aria-pressed", String(isLive && row.number === this.shown));
    tile.button.title = isLive ? `${row.label}: show its strengths in the map` : row.label;
    const { before, after } = row;
    const contested = isLive && !readOnly && before && (chipText(before) !== chipText(after) || before.score !== after.score);
    const change = contested && before.score !== null && after.score !== null ? after.score - before.score : null;
    const flipped = contested && before.verdict !== null && after.verdict !== null && before.verdict !== after.verdict;
    setText(tile.name, row.label);
    setText(tile.before, contested ? chipText(before) : "");
    tile.before.dataset.verdict = before?.verdict ?? "";
    tile.before.hidden = !contested;
    tile.arrow.hidden = !contested;
    const latest = isLive ? after : before;
    setText(tile.after, chipText(latest));
    tile.after.dataset.verdict = latest?.verdict ?? "";
    setText(tile.note, change === null ? (row.note ?? "") : signed(change, 3));
    tile.flip.hidden = !flipped;
  }

  // The shown judge's verdict again beside the slider, where the eye is while it is dragged.
  drawNow() {
    const settings = this.data.judges[this.shown];
    const result = this.results[this.shown];
    const now = this.find(".now");
    now.hidden = !settings;
    if (!settings) return;
    setText(now, chipText(result));
    now.dataset.verdict = result.verdict ?? "";
    const flipped = settings.before?.verdict && result.verdict && settings.before.verdict !== result.verdict;
    this.find(".now-flip").hidden = !flipped;
  }

  show(number) {
    if (number === undefined) return;
    this.shown = number;
    this.drawStrip();
    this.refresh();
    this.drawFacts();
  }

  // The strip stays in view while the page scrolls, where it leaves enough room for the rest.
  stick() {
    this.root.classList.toggle("sticky", this.find(".strip").offsetHeight <= 0.18 * globalThis.innerHeight);
  }

  announce(first) {
    const flips = this.data.judges.filter(({ before }, i) => before?.verdict !== this.results[i].verdict).length;
    const settings = this.data.judges[this.shown];
    const sentences = [];
    if (settings) {
      const [was, is] = [chipText(settings.before).slice(2), chipText(this.results[this.shown]).slice(2)];
      const flipped = settings.before && settings.before.verdict !== this.results[this.shown].verdict;
      sentences.push(`${settings.label}: ${is}${flipped ? `, flipped from ${was}` : ""}`);
    }
    if (flips) sentences.push(`${flips} of ${this.data.judges.length} judges flipped`);
    const text = sentences.join(". ");
    if (!first) setText(this.find(".said"), text); // the first verdicts are read with the page
    this.describe(text);
  }

  describe(verdicts) {
    if (!this.focusable) return;
    const { nodes, claim } = this.data;
    const onTopic = (wanted) => new Set(this.edges.filter(([, t, s]) => t === TOPIC && s === wanted).map(([s]) => s)).size;
    const count = nodes.filter((node) => !node.gone).length - 1;
    const chosen = this.selected === null ? "" : ` Selected: ${this.node(this.selected).text.slice(0, 120)}.`;
    this.focusable.setAttribute(
      "aria-label",
      `Argument map of the claim “${claim}”: ${count} argument${count === 1 ? "" : "s"}, ${onTopic(1)} supporting and ` +
        `${onTopic(-1)} attacking the topic. ${verdicts}.${chosen} Arrow keys move the map, plus and minus zoom, 0 fits.`,
    );
  }

  // ---- what-if bar

  // The list of arguments, for people who do not use the map; filled again only when it has changed.
  listArguments() {
    const { nodes, read_only: readOnly } = this.data;
    const wanted = readOnly ? "" : JSON.stringify(nodes.map((node) => [node.id, node.gone, node.side, node.text]));
    if (wanted === this.listed) return;
    this.listed = wanted;
    const options = [new Option("choose an argument", "")];
    options[0].disabled = true;
    nodes.forEach((node, index) => {
      if (node.gone) return;
      const words = node.text.length > 90 ? `${node.text.slice(0, 89)}…` : node.text;
      options.push(new Option(index === TOPIC ? `Topic: ${words}` : `${sign(node)} ${node.tag} ${words}`.trim(), node.id));
    });
    this.find(".argument").replaceChildren(...options);
  }

  drawBar() {
    const { read_only: readOnly } = this.data;
    this.find(".whatif").hidden = readOnly;
    if (readOnly) return;
    const select = this.find(".argument");
    select.value = this.selected ?? "";
    const node = this.selected === null ? null : this.node(this.selected);
    const usable = Boolean(node) && !node.gone;
    for (const control of this.root.querySelectorAll(".controls input, .controls button")) control.disabled = !usable;
    this.find(".whatif").classList.toggle("idle", !usable);
    setText(this.find(".text"), node ? node.text : "Choose an argument in the map or in this list, then move its base score.");
    if (usable) {
      const index = this.index(node.id);
      const value = this.valueOf(index);
      const range = this.find("[type=range]");
      const exact = this.find("[type=number]");
      if (!this.dragging) range.value = value;
      if (this.root.getRootNode().activeElement !== exact || !this.moved) exact.value = this.exactText(value);
      this.find(".origin").style.setProperty("--at", node.original ?? value);
      this.find(".origin").hidden = node.original === null || node.original === undefined;
      this.find(".reset").disabled = node.original === null || node.original === undefined || value === node.original;
    }
    this.drawFacts();
  }

  drawFacts() {
    const node = this.selected === null ? null : this.node(this.selected);
    if (!node || this.data.read_only) return setText(this.find(".fact"), "");
    if (node.gone) return setText(this.find(".fact"), "Removed: it no longer counts. Restore it to change it.");
    const index = this.index(node.id);
    const settings = this.data.judges[this.shown];
    const strength = this.results[this.shown]?.strengths[index];
    const facts = [];
    if (index === TOPIC && this.live[TOPIC] === null) facts.push("base score set by each judge");
    else if (this.live[index] === null) facts.push(`no base score given, judged as ${fixed(settings?.missing ?? 0.5, 2)}`);
    else if (node.original !== null && node.original !== undefined && this.live[index] !== node.original)
      facts.push(`base score ${fixed(node.original, 2)} → ${fixed(this.live[index], 2)}`);
    else facts.push(`base score ${fixed(this.live[index], 2)}`);
    if (settings && strength !== null && strength !== undefined) facts.push(`strength ${fixed(strength, 2)} under ${settings.label}`);
    return setText(this.find(".fact"), facts.join(" · "));
  }

  exactText(value) {
    return String(Number(value.toFixed(4)));
  }

  valueOf(index) {
    const settings = this.data.judges[this.shown];
    if (this.live[index] !== null) return this.live[index];
    return index === TOPIC ? (this.data.parts[settings?.parts ?? 0]?.[0]?.topic ?? 0.5) : (settings?.missing ?? 0.5);
  }

  // A base score was moved: judge in the browser, draw in the next frame.
  move(value) {
    if (this.selected === null) return;
    const node = this.node(this.selected);
    if (!node || node.gone) return;
    const bounded = Number(Math.min(1, Math.max(0, value)).toFixed(12));
    this.seq += 1;
    this.moved = { id: node.id, index: this.index(node.id), value: bounded, seq: this.seq };
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      if (!this.moved) return;
      this.judgeAll();
      this.drawBar();
      this.drawStrip();
      this.refresh();
    });
  }

  commit() {
    if (!this.moved) return;
    const { id, value, seq } = this.moved;
    this.send("commit", { argument: id, value, seq });
  }

  choose(id) {
    if (id === null || id === this.selected) return;
    this.selected = id;
    this.drawBar();
    this.refresh();
    this.announce(true);
    this.seq += 1;
    this.send("selected", { argument: id, seq: this.seq });
  }

  listen() {
    const range = this.find("[type=range]");
    const exact = this.find("[type=number]");
    range.addEventListener("input", () => {
      this.dragging = true;
      this.move(range.valueAsNumber);
    });
    range.addEventListener("change", () => {
      this.dragging = false;
      this.commit();
    });
    exact.addEventListener("input", () => {
      if (Number.isFinite(exact.valueAsNumber) && exact.validity.valid !== false) this.move(exact.valueAsNumber);
    });
    exact.addEventListener("change", () => {
      if (Number.isFinite(exact.valueAsNumber)) {
        this.move(exact.valueAsNumber);
        this.commit();
      } else this.drawBar();
    });
    const step = (selector, change) =>
      this.find(selector).addEventListener("click", () => {
        this.move(change(this.moved?.value ?? this.valueOf(this.index(this.selected))));
        this.commit();
      });
    step(".down", (value) => value - 0.1);
    step(".up", (value) => value + 0.1);
    step(".reset", () => this.node(this.selected).original);
    this.find(".argument").addEventListener("change", (event) => this.choose(event.target.value || null));
    this.find(".zoom-in").addEventListener("click", () => this.zoom(1.25));
    this.find(".zoom-out").addEventListener("click", () => this.zoom(0.8));
    this.find(".fit").addEventListener("click", () => {
      this.touched = false;
      this.fit(true, true);
    });
    this.find(".show-all").addEventListener("click", () => {
      this.everything = true;
      this.drawGraph();
      this.fit(true);
    });
    // The wheel scrolls the page, as everywhere; with Ctrl it zooms.
    this.find(".canvas").addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
      },
      { capture: true },
    );
    this.find(".canvas").addEventListener("mousemove", (event) => this.hover(event));
    this.find(".canvas").addEventListener("mouseleave", () => this.hover(null));
    this.find(".canvas").addEventListener("keydown", (event) => this.key(event));
    this.resizing = new ResizeObserver(() => this.resized());
    this.resizing.observe(this.find(".stage"));
    this.find(".legend").open = this.root.clientWidth >= 700;
  }

  // ---- map

  node(id) {
    return this.data.nodes[this.index(id)];
  }

  index(id) {
    return this.places.get(id) ?? -1;
  }

  visible(index) {
    return this.everything || this.data.nodes.length - 1 <= FULL || this.data.nodes[index].level <= FIRST_LEVELS;
  }

  start() {
    this.nodeSet = new globalThis.vis.DataSet();
    this.network = new globalThis.vis.Network(
      this.find(".canvas"),
      { nodes: this.nodeSet },
      {
        physics: false,
        layout: { improvedLayout: false },
        nodes: { shape: "custom", ctxRenderer: this.renderer(), size: 80, label: undefined, chosen: false },
        interaction: { dragNodes: false, selectable: false, hover: false, keyboard: false, zoomSpeed: 0.6, tooltipDelay: 1e9 },
      },
    );
    this.focusable = this.find(".vis-network");
    this.focusable.tabIndex = 0;
    this.focusable.setAttribute("role", "img");
    this.network.on("click", ({ pointer }) => {
      const id = this.hit(pointer.canvas);
      if (id !== null) this.choose(id);
    });
    const touched = () => {
      this.touched = true;
      this.root.classList.remove("whole");
      this.hover(null);
    };
    this.network.on("dragStart", touched);
    this.network.on("zoom", touched);
    this.network.on("beforeDrawing", (ctx) => this.drawRelations(ctx));
    this.network.on("afterDrawing", () => {
      this.view = { scale: this.network.getScale(), position: this.network.getViewPosition() };
    });
    // vis-network scales the picture along with its window; a map that is read should keep its size instead.
    this.network.on("resize", () => {
      const { view } = this;
      queueMicrotask(() => {
        if (!this.network) return;
        if (this.touched && view) this.network.moveTo({ ...view, animation: false });
        else this.fit(false);
      });
    });
  }

  // vis-network calls this for every node it draws.
  renderer() {
    const board = this;
    return ({ ctx, id }) => {
      const look = board.looks.get(id);
      const scale = board.network.getScale();
      if (look.index === TOPIC) {
        return { drawNode: () => drawTopic(ctx, look, board.colours, board.threshold()) };
      }
      return {
        drawNode: () => drawArgument(ctx, look, board.colours, scale),
        drawExternalLabel: () => drawLabel(ctx, look, board.colours, scale, board.data.labels),
      };
    };
  }

  threshold() {
    return this.data.judges[this.shown]?.rule[0] ?? 0.5;
  }

  drawGraph() {
    const { nodes, layouts } = this.data;
    const note = this.find(".note");
    if (!layouts.length) {
      note.hidden = false;
      this.find(".show-all").hidden = true;
      setText(note.firstElementChild, `${nodes.length - 1} arguments are too many for a map. The outline lists them all.`);
      this.root.classList.add("mapless");
      return;
    }
    this.root.classList.remove("mapless");
    if (!this.network) {
      if (!globalThis.vis?.Network) return;
      this.start();
    }
    const hidden = nodes.filter((_, index) => !this.visible(index)).length;
    note.hidden = hidden === 0;
    setText(note.firstElementChild, `${hidden} of ${nodes.length - 1} arguments lie deeper and are not shown.`);
    this.lookAll();
    const changedLayout = this.chooseLayout();
    const xy = layouts[this.layout].xy;
    const placed = [];
    const kept = new Set();
    nodes.forEach((node, index) => {
      if (!this.visible(index)) return;
      kept.add(node.id);
      const at = { id: node.id, x: xy[2 * index], y: xy[2 * index + 1] };
      Object.assign(this.looks.get(node.id), { x: at.x, y: at.y });
      const old = this.nodeSet.get(node.id);
      if (!old || old.x !== at.x || old.y !== at.y) placed.push(at);
    });
    this.arrangeRelations(kept);
    const gone = this.nodeSet.getIds().filter((id) => !kept.has(id));
    if (gone.length) this.nodeSet.remove(gone);
    if (placed.length) this.nodeSet.update(placed);
    if (changedLayout) this.fit(false);
    this.redraw();
  }

  // The relations of what is visible, under the discs.
  drawRelations(ctx) {
    const labelled = this.network.getScale() >= READABLE && this.data.labels !== "none";
    const looks = this.data.nodes.map((node) => this.looks.get(node.id));
    const quiet = Math.min(0.9, Math.max(0.25, 25 / this.data.edges.length)); // many lines stay in the background
    for (const { source, target, polarity, contribution, aside } of this.relations) {
      const [from, to] = [looks[source], looks[target]];
      if (from.x === undefined || to.x === undefined || !this.visible(source) || !this.visible(target)) continue;
      const ghost = from.state === "removed" || to.state === "removed";
      const near = from.selected || to.selected || from.hovered || to.hovered;
      const alpha = ghost ? 0.35 : from.dim || to.dim ? 0.2 : near ? 0.9 : quiet;
      const style = { attack: polarity < 0, width: ghost ? 1.25 : lineWidth(contribution), ghost, alpha, both: from.mixed };
      drawRelation(ctx, ends(from, to, labelled, this.anchors.get(source) ?? 0, aside), style, this.colours);
    }
  }

  // Two relations between the same two arguments are drawn side by side.
  arrangeRelations(kept) {
    const onTopic = new Set(this.data.edges.filter(([, target]) => target === TOPIC).map(([source]) => source));
    const shown = this.data.nodes.filter((node, index) => onTopic.has(index) && kept.has(node.id));
    this.anchors = anchors(shown.map((node) => this.looks.get(node.id)));
    const taken = new Map();
    const pair = (source, target) => `${Math.min(source, target)} ${Math.max(source, target)}`;
    for (const [source, target] of this.data.edges) taken.set(pair(source, target), (taken.get(pair(source, target)) ?? 0) + 1);
    const placed = new Map();
    this.relations = this.data.edges.map(([source, target, polarity, contribution]) => {
      const key = pair(source, target);
      const [count, number] = [taken.get(key), placed.get(key) ?? 0];
      placed.set(key, number + 1);
      const aside = (number - (count - 1) / 2) * 12 * (source < target ? 1 : -1);
      return { source, target, polarity, contribution, aside };
    });
  }

  dimmed(index) {
    const { focus } = this.data;
    return Boolean(focus) && index !== TOPIC && !focus.includes(index);
  }

  lookAll() {
    const { nodes } = this.data;
    const strengths = this.results[this.shown]?.strengths;
    const ids = new Set();
    nodes.forEach((node, index) => {
      ids.add(node.id);
      const look = this.looks.get(node.id) ?? {};
      const strength = strengths?.[index] ?? null;
      const changed = this.moved?.index === index && this.moved.value !== node.original && !node.added;
      Object.assign(look, {
        id: node.id,
        index,
        text: node.text,
        tag: node.tag,
        side: node.side,
        mixed: node.mixed,
        state: node.gone ? "removed" : node.added ? "added" : node.changed || changed ? "changed" : "",
        dim: this.dimmed(index),
        strength: node.gone ? null : strength,
        base: this.live[index] ?? 0,
        selected: node.id === this.selected,
        hovered: node.id === this.hovered,
      });
      look.radius = diameter(node.gone ? (this.live[index] ?? 0.5) : (strength ?? 0.5)) / 2;
      this.looks.set(node.id, look);
      if (index === TOPIC) look.half = { x: TOPIC_WIDTH / 2, y: topicHeight(this.network.canvas.getContext(), look, this.colours) / 2 };
    });
    for (const id of this.looks.keys()) if (!ids.has(id)) this.looks.delete(id);
  }

  refresh() {
    if (!this.network || this.root.classList.contains("mapless")) return;
    this.lookAll();
    this.redraw();
  }

  redraw() {
    this.network.body.emitter.emit("_redraw");
    this.drawn += 1;
    this.root.dataset.drawn = this.drawn;
  }

  // ---- view

  // Takes the layout that shows the map largest, the widest of equally good ones, and gives it the height it needs. A
  // map that is too large to be read as a whole fills the width instead.
  chooseLayout() {
    const stage = this.find(".stage");
    const width = stage.clientWidth;
    const most = width <= NARROW ? 440 : Math.min(640, Math.max(420, 0.6 * globalThis.innerHeight));
    const choices = this.data.layouts.map(({ xy }) => {
      const { left, right, top, bottom } = this.bounds(xy);
      const across = Math.min(1, width / (right - left));
      const height = Math.round(Math.min(most, Math.max(280, (bottom - top) * Math.max(LEGIBLE, across))));
      return { height, across, scale: Math.min(across, height / (bottom - top)) };
    });
    const best = Math.max(...choices.map(({ scale }) => scale));
    const whole = choices.findLastIndex(({ scale }) => scale >= best * 0.9);
    const readable = choices.findLastIndex(({ across }) => across >= LEGIBLE); // fills the width, goes on below
    const layout = best >= LEGIBLE ? whole : Math.max(0, readable);
    const changed = layout !== this.layout;
    this.layout = layout;
    const height = `${choices[layout].height}px`;
    if (stage.style.height !== height) stage.style.height = height;
    return changed;
  }

  bounds(xy) {
    let [left, right, bottom] = [-TOPIC_WIDTH / 2, TOPIC_WIDTH / 2, 0];
    for (let i = 0; i < this.data.nodes.length; i += 1) {
      if (!this.visible(i)) continue;
      left = Math.min(left, xy[2 * i] - MARGIN.side);
      right = Math.max(right, xy[2 * i] + MARGIN.side);
      bottom = Math.max(bottom, xy[2 * i + 1]);
    }
    return { left, right, top: -MARGIN.above - 8, bottom: bottom + MARGIN.below };
  }

  scaleFor({ left, right, top, bottom }, stage) {
    return Math.min(stage.clientWidth / (right - left), stage.clientHeight / (bottom - top));
  }

  // Shows the whole map, or at the start only its top where the whole would be too small to read.
  fit(animated, whole = false) {
    const stage = this.find(".stage");
    if (!this.network || !stage.clientWidth) return;
    const bounds = this.bounds(this.data.layouts[this.layout].xy);
    const needed = this.scaleFor(bounds, stage);
    const across = stage.clientWidth / (bounds.right - bounds.left);
    const scale = whole || needed >= LEGIBLE ? Math.min(1.1, needed) : Math.min(1, Math.max(LEGIBLE, across));
    const middle = { x: (bounds.left + bounds.right) / 2, y: (bounds.top + bounds.bottom) / 2 };
    if (scale > needed) {
      middle.y = Math.min(middle.y, bounds.top + stage.clientHeight / scale / 2);
      middle.x = stage.clientWidth / scale >= bounds.right - bounds.left ? middle.x : 0;
    }
    this.root.classList.toggle("whole", scale <= needed);
    this.network.moveTo({ position: middle, scale, animation: animated && !this.still() ? { duration: 180, easingFunction: "easeInOutQuad" } : false });
  }

  still() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  resized() {
    this.stick();
    if (!this.network || !this.data?.layouts.length) return;
    if (this.chooseLayout()) {
      this.drawGraph();
      this.fit(false);
    } else if (!this.touched) this.fit(false);
  }

  zoom(factor) {
    if (!this.network) return;
    this.touched = true;
    this.root.classList.remove("whole");
    const scale = Math.min(3, Math.max(0.05, this.network.getScale() * factor));
    this.network.moveTo({ scale, animation: this.still() ? false : { duration: 120, easingFunction: "easeOutQuad" } });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.network) return;
    const step = 60 / this.network.getScale();
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (by) {
      const { x, y } = this.network.getViewPosition();
      this.touched = true;
      this.network.moveTo({ position: { x: x + by[0], y: y + by[1] } });
    } else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.fit(true, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The argument at a place of the map: its disc, never smaller than a fingertip, or its label.
  hit({ x, y }) {
    const scale = this.network.getScale();
    let found = null;
    let nearest = Infinity;
    for (const [id, look] of this.looks) {
      if (!this.visible(look.index) || look.x === undefined) continue;
      const [dx, dy] = [Math.abs(x - look.x), y - look.y];
      if (look.half) {
        if (dx <= look.half.x && Math.abs(dy) <= look.half.y) return id;
        continue;
      }
      const distance = Math.hypot(dx, dy);
      const onLabel = scale >= READABLE && this.data.labels !== "none" && dx < 66 && dy > 0 && dy < look.radius + 50;
      if ((distance <= Math.max(look.radius + 4, 13 / scale) || onLabel) && distance < nearest) [found, nearest] = [id, distance];
    }
    return found;
  }

  hover(event) {
    if (!this.network) return;
    const tip = this.find(".tip");
    const box = this.find(".stage").getBoundingClientRect();
    const place = event && { x: event.clientX - box.left, y: event.clientY - box.top };
    const id = place && !event.buttons ? this.hit(this.network.DOMtoCanvas(place)) : null;
    if (id !== this.hovered) {
      this.hovered = id;
      this.find(".canvas").style.cursor = id === null ? "" : "pointer";
      this.refresh();
    }
    tip.hidden = id === null;
    if (id === null) return;
    const look = this.looks.get(id);
    const words = look.index === TOPIC ? "Topic" : { 1: "Supports", "-1": "Attacks" }[look.side] ?? (look.mixed ? "Supports and attacks" : "Bears on nothing");
    const numbers = [words, look.tag, look.index === TOPIC && this.live[TOPIC] === null ? "" : `base score ${fixed(look.base, 2)}`];
    if (look.strength !== null) numbers.push(`strength ${fixed(look.strength, 3)}`);
    if (look.state) numbers.push(look.state);
    tip.replaceChildren(element("span", "tip-text", look.text), element("span", "tip-facts", numbers.filter(Boolean).join(" · ")));
    tip.style.left = `${Math.max(8, Math.min(place.x + 14, box.width - tip.offsetWidth - 8))}px`;
    tip.style.top = `${place.y + tip.offsetHeight + 24 > box.height ? Math.max(4, place.y - tip.offsetHeight - 12) : place.y + 18}px`;
  }

  // ---- theme

  watchTheme() {
    const probe = this.find(".probe");
    const read = () => {
      const [red, green, blue] = getComputedStyle(probe).backgroundColor.match(/[\d.]+/g).map(Number);
      const dark = 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
      this.root.dataset.theme = dark ? "dark" : "light";
      this.colours = readColours(this.root);
      if (this.network && this.data) this.drawGraph();
    };
    read();
    // The probe takes the page's background with a transition: its end says that the theme has changed.
    probe.addEventListener("transitionend", read);
  }

  mapless() {
    this.root.classList.add("mapless");
    this.find(".note").hidden = false;
    this.find(".show-all").hidden = true;
    setText(this.find(".note").firstElementChild, "The map could not start. The outline lists the same arguments.");
  }

  destroy() {
    this.resizing.disconnect();
    cancelAnimationFrame(this.waiting);
    this.network?.destroy();
    this.network = null;
  }
}

async function library() {
  for (let tries = 0; tries < 1000 && !globalThis.vis?.Network; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return Boolean(globalThis.vis?.Network);
}

export default function mount({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".board");
  if (!root.moot) {
    root.moot = new Board(root);
    library().then((ready) => {
      if (ready) root.moot.drawGraph();
      else root.moot.mapless();
      root.moot.announce(true);
    });
  }
  root.moot.update(data, setStateValue);
  return () => {
    root.moot?.destroy();
    delete root.moot;
  };
}
