// The argument map: vis-network keeps the window (zoom, pan, canvas), this file says what stands where and which looks
// it has. It is built once; edits change looks, not places.

const TOPIC = 0; // index of the topic among the nodes
const FULL = 300; // with more arguments than this only the first levels are shown at first
const FIRST_LEVELS = 2;
const NARROW = 560; // pixels; as in board.css
const LEGIBLE = 0.75; // the map does not start smaller than this
const MARGIN = { side: 84, above: 54, below: 84 }; // room for discs and labels around the outermost centres

class ArgumentMap {
  constructor(root, board) {
    this.root = root;
    this.board = board;
    this.looks = new Map(); // by node id: everything that drawing needs
    this.hovered = null;
    this.everything = false; // "Show all" was pressed
    this.touched = false; // the person has zoomed or moved the map
    this.drawn = 0; // how often it was drawn after a change, for tests and measurements
    this.find = (selector) => root.querySelector(selector);
    this.stage = this.find(".stage");
    this.listen();
  }

  listen() {
    const canvas = this.find(".canvas");
    this.find(".zoom-in").addEventListener("click", () => this.zoom(1.25));
    this.find(".zoom-out").addEventListener("click", () => this.zoom(0.8));
    this.find(".fit").addEventListener("click", () => this.fitWhole());
    this.find(".show-all").addEventListener("click", () => {
      this.everything = true;
      this.draw();
      this.fit({ animated: true });
    });
    const unlessZooming = (event) => {
      // The wheel scrolls the page, as everywhere; with Ctrl it zooms.
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    };
    canvas.addEventListener("wheel", unlessZooming, { capture: true });
    canvas.addEventListener("mousemove", (event) => this.hover(event));
    canvas.addEventListener("mouseleave", () => this.hover(null));
    canvas.addEventListener("keydown", (event) => this.key(event));
    this.find(".legend").open = this.root.clientWidth >= 700;
  }

  start() {
    this.nodeSet = new globalThis.vis.DataSet();
    this.network = new globalThis.vis.Network(
      this.find(".canvas"),
      { nodes: this.nodeSet },
      {
        physics: false,
        layout: { improvedLayout: false },
        nodes: { shape: "custom", ctxRenderer: (node) => this.render(node), size: 80, chosen: false },
        interaction: { dragNodes: false, selectable: false, hover: false, keyboard: false, zoomSpeed: 0.6 },
      },
    );
    this.focusable = this.find(".vis-network");
    this.focusable.tabIndex = 0;
    this.focusable.setAttribute("role", "img");
    this.network.on("click", ({ pointer }) => {
      const id = this.hit(pointer.canvas);
      if (id !== null) this.board.choose(id);
    });
    const touched = () => {
      this.touch();
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
        else this.fit();
      });
    });
  }

  describe(text) {
    this.focusable?.setAttribute("aria-label", text);
  }

  fail(text) {
    this.root.classList.add("mapless");
    this.find(".note").hidden = false;
    this.find(".show-all").hidden = true;
    setText(this.find(".note span"), text);
  }

  // ---- what is drawn

  draw() {
    const { nodes, layouts } = this.board.data;
    const count = nodes.length - 1;
    if (!layouts.length) {
      this.fail(`${count} arguments are too many for a map. The outline lists them all.`);
      return;
    }
    if (!globalThis.vis?.Network) return; // it is on its way
    if (!this.network) this.start();
    this.root.classList.remove("mapless");
    const hidden = nodes.filter((_, index) => !this.visible(index)).length;
    this.find(".note").hidden = hidden === 0;
    this.find(".show-all").hidden = false;
    setText(this.find(".note span"), `${hidden} of ${count} arguments lie deeper and are not shown.`);
    this.lookAll();
    const another = this.chooseLayout();
    this.place(layouts[this.layout].xy);
    if (another) this.fit();
    this.redraw();
  }

  place(xy) {
    const moved = [];
    const kept = new Set();
    this.board.data.nodes.forEach(({ id }, index) => {
      if (!this.visible(index)) return;
      kept.add(id);
      const [x, y] = [xy[2 * index], xy[2 * index + 1]];
      Object.assign(this.looks.get(id), { x, y });
      const old = this.nodeSet.get(id);
      if (!old || old.x !== x || old.y !== y) moved.push({ id, x, y });
    });
    this.arrangeRelations(kept);
    this.nodeSet.remove(this.nodeSet.getIds().filter((id) => !kept.has(id)));
    this.nodeSet.update(moved);
  }

  visible(index) {
    const { nodes } = this.board.data;
    return this.everything || nodes.length - 1 <= FULL || nodes[index].level <= FIRST_LEVELS;
  }

  lookAll() {
    const { data, results, shown, live, selected, moves } = this.board;
    const strengths = results[shown]?.strengths;
    data.nodes.forEach((node, index) => {
      const look = this.looks.get(node.id) ?? {};
      this.looks.set(node.id, look);
      const strength = node.gone ? null : (strengths?.[index] ?? null);
      const changed = node.changed || (moves.has(node.id) && moves.get(node.id).value !== node.original);
      Object.assign(look, {
        id: node.id,
        index,
        text: node.text,
        tag: node.tag,
        side: node.side,
        mixed: node.mixed,
        state: node.gone ? "removed" : node.added ? "added" : changed ? "changed" : "",
        dim: Boolean(data.focus) && index !== TOPIC && !data.focus.includes(index),
        strength,
        base: live[index] ?? 0,
        radius: diameter(strength ?? live[index] ?? 0.5) / 2,
        selected: node.id === selected,
        hovered: node.id === this.hovered,
      });
    });
    for (const id of this.looks.keys()) if (this.board.index(id) < 0) this.looks.delete(id);
    const topic = this.looks.get(data.nodes[TOPIC].id);
    const height = topicHeight(this.network.canvas.getContext(), topic, this.board.colours);
    topic.half = { x: TOPIC_WIDTH / 2, y: height / 2 };
  }

  // vis-network calls this for every node it draws.
  render({ ctx, id }) {
    const { colours, data, shown } = this.board;
    const look = this.looks.get(id);
    if (look.index === TOPIC) {
      const threshold = data.judges[shown]?.rule[0] ?? 0.5;
      return { drawNode: () => drawTopic(ctx, look, colours, threshold) };
    }
    const scale = this.network.getScale();
    return {
      drawNode: () => drawArgument(ctx, look, colours, scale),
      drawExternalLabel: () => drawLabel(ctx, look, colours, scale, data.labels),
    };
  }

  // Two relations between the same two arguments are drawn side by side.
  arrangeRelations(kept) {
    const { nodes, edges } = this.board.data;
    const onTopic = new Set(edges.filter(([, target]) => target === TOPIC).map(([source]) => source));
    const below = nodes.filter((node, index) => onTopic.has(index) && kept.has(node.id));
    this.anchors = anchors(below.map((node) => this.looks.get(node.id)));
    const pair = (source, target) => `${Math.min(source, target)} ${Math.max(source, target)}`;
    const together = new Map();
    for (const [source, target] of edges) {
      const key = pair(source, target);
      together.set(key, (together.get(key) ?? 0) + 1);
    }
    const placed = new Map();
    const drawable = edges.filter(([source, target]) => this.visible(source) && this.visible(target));
    this.relations = drawable.map(([source, target, polarity, contribution]) => {
      const key = pair(source, target);
      const number = placed.get(key) ?? 0;
      placed.set(key, number + 1);
      const aside = (number - (together.get(key) - 1) / 2) * 12 * (source < target ? 1 : -1);
      return { from: nodes[source].id, to: nodes[target].id, source, attack: polarity < 0, contribution, aside };
    });
  }

  drawRelations(ctx) {
    const { colours, data } = this.board;
    const labelled = this.network.getScale() >= READABLE && data.labels !== "none";
    const quiet = Math.min(0.9, Math.max(0.25, 25 / data.edges.length)); // many lines stay in the background
    for (const relation of this.relations) {
      const [from, to] = [this.looks.get(relation.from), this.looks.get(relation.to)];
      const ghost = from.state === "removed" || to.state === "removed";
      const near = from.selected || to.selected || from.hovered || to.hovered;
      const style = {
        attack: relation.attack,
        width: ghost ? lineWidth(undefined) : lineWidth(relation.contribution),
        ghost,
        alpha: ghost ? 0.35 : from.dim || to.dim ? 0.2 : near ? 0.9 : quiet,
        both: from.mixed,
      };
      const line = ends(from, to, labelled, this.anchors.get(relation.source) ?? 0, relation.aside);
      drawRelation(ctx, line, style, colours);
    }
  }

  // Draws again what has not moved.
  refresh() {
    if (!this.network || !this.board.data.layouts.length) return;
    this.lookAll();
    this.redraw();
  }

  redraw() {
    this.network.body.emitter.emit("_redraw");
    this.drawn += 1;
    this.root.dataset.drawn = this.drawn;
  }

  // ---- the window

  // Takes the layout that shows the map largest, the widest of equally good ones, and gives it the height it needs. A
  // map that is too large to be read as a whole fills the width instead, and goes on below.
  chooseLayout() {
    const width = this.stage.clientWidth;
    const most = width <= NARROW ? 440 : Math.min(640, Math.max(420, 0.6 * globalThis.innerHeight));
    const choices = this.board.data.layouts.map(({ xy }) => {
      const { left, right, top, bottom } = this.bounds(xy);
      const across = Math.min(1, width / (right - left));
      const height = Math.round(Math.min(most, Math.max(280, (bottom - top) * Math.max(LEGIBLE, across))));
      return { height, across, scale: Math.min(across, height / (bottom - top)) };
    });
    const best = Math.max(...choices.map(({ scale }) => scale));
    const whole = choices.findLastIndex(({ scale }) => scale >= best * 0.9);
    const filling = choices.findLastIndex(({ across }) => across >= LEGIBLE);
    const layout = best >= LEGIBLE ? whole : Math.max(0, filling);
    const another = layout !== this.layout;
    this.layout = layout;
    const height = `${choices[layout].height}px`;
    if (this.stage.style.height !== height) this.stage.style.height = height;
    return another;
  }

  bounds(xy) {
    let [left, right, bottom] = [-TOPIC_WIDTH / 2, TOPIC_WIDTH / 2, 0];
    for (let i = 0; i < this.board.data.nodes.length; i += 1) {
      if (!this.visible(i)) continue;
      left = Math.min(left, xy[2 * i] - MARGIN.side);
      right = Math.max(right, xy[2 * i] + MARGIN.side);
      bottom = Math.max(bottom, xy[2 * i + 1]);
    }
    return { left, right, top: -MARGIN.above, bottom: bottom + MARGIN.below };
  }

  // Shows the whole map, or, unless that is asked for, only its top where the whole would be too small to read.
  fit({ animated = false, whole = false } = {}) {
    const [width, height] = [this.stage.clientWidth, this.stage.clientHeight];
    if (!this.network || !width) return;
    const { left, right, top, bottom } = this.bounds(this.board.data.layouts[this.layout].xy);
    const across = width / (right - left);
    const needed = Math.min(across, height / (bottom - top));
    const scale = whole || needed >= LEGIBLE ? Math.min(1.1, needed) : Math.min(1, Math.max(LEGIBLE, across));
    const position = { x: (left + right) / 2, y: Math.min((top + bottom) / 2, top + height / scale / 2) };
    if (width / scale < right - left) position.x = 0;
    if (scale <= needed) position.y = (top + bottom) / 2;
    this.root.classList.toggle("whole", scale <= needed);
    this.network.moveTo({ position, scale, animation: this.animation(animated) });
  }

  fitWhole() {
    this.touched = false;
    this.fit({ animated: true, whole: true });
  }

  animation(wanted) {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    return wanted && !still ? { duration: 160, easingFunction: "easeInOutQuad" } : false;
  }

  touch() {
    this.touched = true;
    this.root.classList.remove("whole");
  }

  resized() {
    if (!this.network || !this.board.data.layouts.length) return;
    if (this.chooseLayout()) {
      this.draw();
      this.fit();
    } else if (!this.touched) this.fit();
  }

  zoom(factor) {
    if (!this.network) return;
    this.touch();
    const scale = Math.min(3, Math.max(0.05, this.network.getScale() * factor));
    this.network.moveTo({ scale, animation: this.animation(true) });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.network) return;
    const step = 60 / this.network.getScale();
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (by) {
      const { x, y } = this.network.getViewPosition();
      this.touch();
      this.network.moveTo({ position: { x: x + by[0], y: y + by[1] } });
    } else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.fitWhole();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- the pointer

  // The argument at a place of the map: its disc, never smaller than a fingertip, or its label.
  hit({ x, y }) {
    const scale = this.network.getScale();
    const labelled = scale >= READABLE && this.board.data.labels !== "none";
    let [found, nearest] = [null, Infinity];
    for (const [id, look] of this.looks) {
      if (!this.visible(look.index)) continue;
      const [dx, dy] = [Math.abs(x - look.x), y - look.y];
      if (look.half) {
        if (dx <= look.half.x && Math.abs(dy) <= look.half.y) return id;
        continue;
      }
      const distance = Math.hypot(dx, dy);
      const onDisc = distance <= Math.max(look.radius + 4, 13 / scale);
      const onLabel = labelled && dx < 66 && dy > 0 && dy < look.radius + 50;
      if ((onDisc || onLabel) && distance < nearest) [found, nearest] = [id, distance];
    }
    return found;
  }

  hover(event) {
    if (!this.network) return;
    const tip = this.find(".tip");
    const box = this.stage.getBoundingClientRect();
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
    tip.replaceChildren(element("span", "tip-text", look.text), element("span", "tip-facts", this.facts(look)));
    const room = { below: box.height - place.y - 24, right: box.width - tip.offsetWidth - 8 };
    tip.style.left = `${Math.max(8, Math.min(place.x + 14, room.right))}px`;
    tip.style.top = `${tip.offsetHeight > room.below ? Math.max(4, place.y - tip.offsetHeight - 12) : place.y + 18}px`;
  }

  facts(look) {
    const bearing = { 1: "Supports", "-1": "Attacks", 0: look.mixed ? "Supports and attacks" : "Bears on nothing" };
    const base = this.board.live[look.index];
    return [
      look.index === TOPIC ? "Topic" : bearing[look.side],
      look.tag,
      base === null ? "" : `base score ${fixed(base, 2)}`,
      look.strength === null ? "" : `strength ${fixed(look.strength, 3)}`,
      look.state,
    ]
      .filter(Boolean)
      .join(" · ");
  }

  destroy() {
    this.network?.destroy();
    this.network = null;
  }
}
