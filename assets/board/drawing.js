// How arguments look. Pure drawing: what is drawn comes in as a look, colours come from the page's theme.
//
// A disc's area grows with the strength, the arc around it is the base score, the sign says supports or attacks.

export const TOPIC_WIDTH = 240;
const SMALLEST = 22; // diameters of strength 0 and 1, in pixels at zoom 1
const LARGEST = 58;
const LABEL_WIDTH = 138;
const LABEL_LINES = 3;
const LINE = 14.5;
const NODE_TINT = 0.15; // as in core/palette.py
const READABLE = 0.5; // labels are left out below this zoom, except for the argument looked at

export function diameter(strength) {
  const s = Math.min(1, Math.max(0, strength ?? 0));
  return Math.sqrt(SMALLEST ** 2 + s * (LARGEST ** 2 - SMALLEST ** 2)); // area, not width, follows the strength
}

export function readColours(element) {
  const style = getComputedStyle(element);
  const names = ["background", "ink", "support", "attack", "neutral", "surface", "border"];
  const colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--moot-${name}`).trim()]));
  colours.font = style.fontFamily;
  for (const name of ["support", "attack", "neutral"]) {
    colours[`${name}Tint`] = mixed(colours[name], colours.background, NODE_TINT);
  }
  return colours;
}

function mixed(colour, background, share) {
  const parts = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const below = parts(background);
  return `rgb(${parts(colour).map((top, i) => Math.round(top * share + below[i] * (1 - share))).join(",")})`;
}

export function sideName(side) {
  return side > 0 ? "support" : side < 0 ? "attack" : "neutral";
}

export function sign(look) {
  return look.side > 0 ? "+" : look.side < 0 ? "−" : look.mixed ? "±" : "";
}

// Rounds as Python's format does: exactly halfway goes to the even digit, so that screen and export agree.
export function fixed(value, digits) {
  const exact = Math.abs(value).toFixed(60);
  const point = exact.indexOf(".");
  const kept = exact.slice(0, point + 1 + digits);
  const halfway = /^50*$/.test(exact.slice(point + 1 + digits));
  const text = halfway && "02468".includes(kept[kept.length - 1]) ? kept : Math.abs(value).toFixed(digits);
  return value < 0 ? `-${text}` : text;
}

// A score with two decimals, or as many more as it takes to stay on its side of the threshold; core/wording.py has the same.
export function scoreText(score, threshold = 0.5) {
  const side = (value) => Math.sign(value - threshold);
  let digits = 2;
  while (digits < 6 && side(Number(fixed(score, digits))) !== side(score)) digits += 1;
  const text = fixed(score, digits);
  return Number(text) >= threshold && threshold > score ? `just under ${exactText(threshold)}` : text;
}

// Two decimals, or as many as it has up to six digits.
function exactText(value) {
  const two = fixed(value, 2);
  return Number(two) === value ? two : String(Number(value.toPrecision(6)));
}

export function signed(value, digits) {
  const text = fixed(Math.abs(value), digits);
  const nothing = Number(text) === 0;
  return (nothing ? "±" : value > 0 ? "+" : "−") + text;
}

// ---- text

export function wrapped(ctx, text, width, most) {
  const lines = [];
  let line = "";
  const words = text.split(/\s+/).filter(Boolean);
  for (let at = 0; at < words.length; at += 1) {
    let word = words[at];
    const longer = line ? `${line} ${word}` : word;
    if (ctx.measureText(longer).width <= width) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    while (ctx.measureText(word).width > width && lines.length <= most) {
      let cut = word.length - 1;
      while (cut > 1 && ctx.measureText(word.slice(0, cut)).width > width) cut -= 1;
      lines.push(word.slice(0, cut));
      word = word.slice(cut);
    }
    line = word;
    if (lines.length >= most) break;
  }
  if (line) lines.push(line);
  if (lines.length > most) {
    lines.length = most;
    let last = lines[most - 1];
    while (last && ctx.measureText(`${last}…`).width > width) last = last.slice(0, -1).trimEnd();
    lines[most - 1] = `${last}…`;
  }
  return lines;
}

function write(ctx, text, x, y, colours, size, weight, align = "center") {
  ctx.font = `${weight} ${size}px ${colours.font}`;
  ctx.textAlign = align;
  ctx.textBaseline = "middle";
  ctx.fillText(text, x, y);
}

function writeOver(ctx, text, x, y, colours, size, weight) {
  ctx.lineJoin = "round";
  ctx.lineWidth = size / 3;
  ctx.strokeStyle = colours.background;
  ctx.font = `${weight} ${size}px ${colours.font}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
}

// ---- arguments

function circle(ctx, x, y, radius) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
}

function badge(ctx, text, x, y, colours, colour, filled) {
  ctx.font = `700 11px ${colours.font}`;
  const width = Math.max(15, ctx.measureText(text).width + 7);
  ctx.beginPath();
  ctx.roundRect(x - width / 2, y - 7.5, width, 15, 7.5);
  ctx.fillStyle = filled ? colour : colours.background;
  ctx.fill();
  ctx.lineWidth = 1;
  ctx.strokeStyle = colour;
  ctx.stroke();
  ctx.fillStyle = filled ? colours.background : colour;
  write(ctx, text, x, y + 0.5, colours, 11, 700);
}

export function drawArgument(ctx, look, colours, scale) {
  const { x, y } = look;
  const radius = look.radius;
  const colour = colours[sideName(look.side)];
  const ghost = look.state === "removed";
  ctx.save();
  ctx.globalAlpha = ghost ? 0.4 : look.dim ? 0.25 : 1;

  circle(ctx, x, y, radius);
  ctx.fillStyle = colours.background; // lines behind end at the disc
  ctx.fill();
  ctx.fillStyle = colours[`${sideName(look.side)}Tint`];
  ctx.fill();
  if (ghost) {
    ctx.setLineDash([2, 3]);
    ctx.lineWidth = 1.5;
    ctx.strokeStyle = colours.ink;
    ctx.stroke();
    ctx.setLineDash([]);
  } else {
    circle(ctx, x, y, radius - 2);
    ctx.lineWidth = 1;
    ctx.strokeStyle = mixed(colour, colours.background, 0.4);
    ctx.stroke();
    if (look.base > 0) {
      ctx.beginPath();
      ctx.arc(x, y, radius - 2, -Math.PI / 2, -Math.PI / 2 + look.base * 2 * Math.PI);
      ctx.lineWidth = 4;
      ctx.strokeStyle = colour;
      ctx.stroke();
    }
  }
  if (look.state === "changed" || look.state === "added") {
    for (const wider of [2.5, 5.5]) {
      circle(ctx, x, y, radius + wider);
      ctx.lineWidth = 1.25;
      ctx.strokeStyle = colours.ink;
      ctx.stroke();
    }
  }
  if (look.selected || look.hovered) {
    circle(ctx, x, y, radius + (look.state === "changed" || look.state === "added" ? 9 : 4));
    ctx.lineWidth = look.selected ? 3 : 2;
    ctx.strokeStyle = colours.ink;
    ctx.stroke();
  }
  const readable = scale >= READABLE;
  if (!ghost && radius >= 15 && readable && look.strength !== null) {
    ctx.fillStyle = colours.ink;
    write(ctx, fixed(look.strength, 2), x, y + 0.5, colours, 11, 600);
  }
  const outer = radius + (look.state === "changed" || look.state === "added" ? 5 : 0) + (look.selected ? 5 : 0);
  const corner = outer * 0.72 + 3;
  if (readable) {
    if (sign(look)) badge(ctx, sign(look), x - corner, y - corner, colours, colour, true);
    if (look.tag) badge(ctx, look.tag, x + outer * 0.89 + 6, y + outer * 0.45, colours, colours.neutral, false);
    if (look.state === "changed") badge(ctx, "✎", x + corner, y - corner, colours, colours.ink, true);
    if (look.state === "added") badge(ctx, "new", x + corner, y - corner, colours, colours.ink, true);
  }
  ctx.restore();
}

export function drawLabel(ctx, look, colours, scale, mode) {
  const special = look.selected || look.hovered;
  if (mode === "none" && !special) return;
  if (scale < READABLE && !special) return;
  const enlarged = scale < 0.85 && special ? 0.85 / scale : 1; // the argument looked at is always readable
  const size = 12 * enlarged;
  const lines = labelLines(ctx, look, colours, mode);
  ctx.save();
  ctx.globalAlpha = look.state === "removed" ? 0.55 : look.dim && !special ? 0.25 : 1;
  ctx.fillStyle = colours.ink;
  ctx.font = `${special ? 600 : 400} ${size}px ${colours.font}`;
  const top = look.y + look.radius + (look.state ? 8 : 4) + (look.selected ? 4 : 0) + (LINE / 2) * enlarged;
  look.labelBottom = top - look.y + (lines.length - 0.5) * LINE * enlarged + 2;
  look.labelHalf = Math.max(...lines.map((line) => ctx.measureText(line).width), 0) / 2 + 3;
  lines.forEach((line, row) => {
    const y = top + row * LINE * enlarged;
    writeOver(ctx, line, look.x, y, colours, size, special ? 600 : 400);
    if (look.state === "removed") {
      const half = ctx.measureText(line).width / 2;
      ctx.fillRect(look.x - half, y - 0.5, 2 * half, 1);
    }
  });
  ctx.restore();
}

function labelLines(ctx, look, colours, mode) {
  const weight = look.selected || look.hovered ? 600 : 400;
  const wanted = `${mode}|${weight}|${look.text}`;
  if (look.wrappedAs !== wanted) {
    ctx.font = `${weight} 12px ${colours.font}`;
    look.lines = wrapped(ctx, mode === "id" ? look.id : look.text || look.id, LABEL_WIDTH, LABEL_LINES);
    look.wrappedAs = wanted;
  }
  return look.lines;
}

export function topicHeight(ctx, look, colours) {
  ctx.font = `600 13px ${colours.font}`;
  if (look.wrappedAs !== look.text) {
    look.lines = wrapped(ctx, look.text, TOPIC_WIDTH - 24, LABEL_LINES);
    look.wrappedAs = look.text;
  }
  return look.lines.length * 16 + 42;
}

export function drawTopic(ctx, look, colours, threshold) {
  const { x, y } = look;
  const height = topicHeight(ctx, look, colours);
  const left = x - TOPIC_WIDTH / 2;
  const top = y - height / 2;
  ctx.beginPath();
  ctx.roundRect(left, top, TOPIC_WIDTH, height, 10);
  ctx.fillStyle = colours.surface;
  ctx.fill();
  ctx.lineWidth = look.selected ? 3 : look.hovered ? 2 : 1.5;
  ctx.strokeStyle = look.selected || look.hovered ? colours.ink : colours.neutral;
  ctx.stroke();
  ctx.fillStyle = colours.ink;
  look.lines.forEach((line, row) => write(ctx, line, x, top + 16 + row * 16, colours, 13, 600));

  const bar = { left: left + 14, top: top + height - 20, width: TOPIC_WIDTH - 72, height: 8 };
  ctx.beginPath();
  ctx.roundRect(bar.left, bar.top, bar.width, bar.height, 4);
  ctx.fillStyle = colours.border;
  ctx.fill();
  if (look.strength !== null) {
    ctx.save();
    ctx.clip();
    ctx.fillStyle = colours.ink;
    ctx.fillRect(bar.left, bar.top, bar.width * look.strength, bar.height);
    ctx.restore();
  }
  const tick = bar.left + bar.width * threshold;
  ctx.fillStyle = colours.background;
  ctx.fillRect(tick - 2, bar.top - 3, 4, bar.height + 6);
  ctx.fillStyle = colours.ink;
  ctx.fillRect(tick - 0.75, bar.top - 4, 1.5, bar.height + 8);
  const score = look.strength === null ? "–" : scoreText(look.strength, threshold);
  write(ctx, score, left + TOPIC_WIDTH - 14, bar.top + 4.5, colours, 14, 700, "right");
  if (look.state === "changed") badge(ctx, "✎", left + TOPIC_WIDTH - 6, top + 4, colours, colours.ink, true);
}

// ---- relations

const MOST_EFFECT = 0.25; // a contribution of this size or more gives the widest line

export function lineWidth(contribution) {
  return contribution === undefined ? 1.25 : 1 + 4 * Math.min(1, Math.abs(contribution) / MOST_EFFECT);
}

// Where the lines from these looks meet the topic's box, from its middle: in the order of their directions, so that
// they do not cross, and lines from lower rows pass beside the discs above them.
export function anchors(looks) {
  const ordered = [...looks].sort((a, b) => a.x / a.y - b.x / b.y || a.index - b.index);
  const step = Math.min(40, (TOPIC_WIDTH - 32) / Math.max(1, ordered.length - 1));
  return new Map(ordered.map((look, place) => [look.index, (place - (ordered.length - 1) / 2) * step]));
}

// Where a line from one look to another starts and ends. It leaves the disc of its source, and ends at the edge of the
// topic's box, under the label of an argument above it, or at an argument's disc.
export function ends(from, to, labelled, anchor, aside) {
  const aim = { x: to.x, y: to.y };
  let near = outside(to);
  if (to.half && from.y > to.y) {
    aim.x += anchor;
    aim.y += to.half.y + 2;
    near = 0;
  } else if (to.half) near = Math.min(to.half.x, to.half.y) + 2;
  else if (from.y > to.y && labelled && to.labelBottom !== undefined) {
    aim.x += Math.max(-1, Math.min(1, (from.x - to.x) / 400)) * to.labelHalf * 0.8;
    aim.y += to.labelBottom;
    near = 0;
  }
  const [dx, dy] = [aim.x - from.x, aim.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const start = from.half ? Math.min(from.half.x, from.half.y) : outside(from);
  const [sx, sy] = [-uy * aside, ux * aside];
  return {
    x1: from.x + ux * start + sx,
    y1: from.y + uy * start + sy,
    x2: aim.x - ux * near + sx,
    y2: aim.y - uy * near + sy,
    ux,
    uy,
  };
}

function outside(look) {
  const ringed = look.state === "changed" || look.state === "added";
  return look.radius + (ringed ? 7 : 2) + (look.selected ? 4 : 0);
}

// Support: solid with a triangle. Attack: dashed with a bar across its end. Told apart without colour.
export function drawRelation(ctx, line, { attack, width, ghost, alpha, both }, colours) {
  const { x1, y1, x2, y2, ux, uy } = line;
  const colour = attack ? colours.attack : colours.support;
  const head = attack ? 0 : Math.min(8 + width * 1.4, Math.hypot(x2 - x1, y2 - y1));
  ctx.save();
  ctx.globalAlpha = alpha;
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = width;
  ctx.setLineDash(ghost ? [2, 4] : attack ? [6, 4] : []);
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x2 - ux * head * 0.8, y2 - uy * head * 0.8);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.beginPath();
  if (attack) {
    const half = 6 + width * 0.8;
    ctx.lineWidth = 1.75 + width * 0.35;
    ctx.moveTo(x2 - uy * half, y2 + ux * half);
    ctx.lineTo(x2 + uy * half, y2 - ux * half);
    ctx.stroke();
  } else {
    const half = 3.5 + width * 0.9;
    ctx.moveTo(x2, y2);
    ctx.lineTo(x2 - ux * head - uy * half, y2 - uy * head + ux * half);
    ctx.lineTo(x2 - ux * head + uy * half, y2 - uy * head - ux * half);
    ctx.fill();
  }
  if (both) badge(ctx, attack ? "−" : "+", (x1 + x2) / 2, (y1 + y2) / 2, colours, colour, false);
  ctx.restore();
}
