// The gradual semantics of core/semantics, in the browser, so that a verdict follows the pointer while a base score is
// dragged. Python stays the authority: its numbers replace these on release, and a test holds the two together.
//
// An aggregation turns the strengths of what attacks and supports an argument into one number; an influence moves the
// base score by it. kappa is the conservativeness, 1 or more.

// ---- aggregations: (sorted attackers, sorted supporters) -> energy

function productOfComplements(values, power) {
  let result = 1;
  for (const value of values) {
    const rest = 1 - value;
    result *= power === 2 ? rest * rest : rest;
  }
  return result;
}

function total(values, power) {
  let result = 0;
  for (const value of values) result += power === 2 ? value * value : value;
  return result;
}

function largest(values) {
  return values.length ? values[values.length - 1] : 0;
}

const AGGREGATIONS = {
  product: (attackers, supporters) => productOfComplements(attackers, 1) - productOfComplements(supporters, 1),
  squaredProduct: (attackers, supporters) => productOfComplements(attackers, 2) - productOfComplements(supporters, 2),
  sum: (attackers, supporters) => total(supporters, 1) - total(attackers, 1),
  squaredSum: (attackers, supporters) => total(supporters, 2) - total(attackers, 2),
  top: (attackers, supporters) => largest(supporters) - largest(attackers),
};

// ---- influences: (base score, energy, kappa) -> strength

function linear(base, energy, kappa) {
  return base + ((1 - base) * Math.max(energy, 0)) / kappa - (base * Math.max(-energy, 0)) / kappa;
}

function saturating(power) {
  const share = (x) => {
    const raised = power === 2 ? x * x : x;
    return raised / (1 + raised);
  };
  return (base, energy, kappa) =>
    base + (1 - base) * share(Math.max(energy / kappa, 0)) - base * share(Math.max(-energy / kappa, 0));
}

// Euler-based and MLP-based have no conservativeness. Exponents are bounded as in Python: e to the 710 is no float.
function bounded(energy) {
  return Math.min(700, Math.max(-700, energy));
}

function euler(base, energy) {
  const grown = Math.expm1(bounded(energy));
  return base + (1 - base) * ((base * grown) / (1 + base * (1 + grown)));
}

function logistic(base, energy) {
  const odds = base * Math.exp(bounded(energy));
  return odds / (1 - base + odds);
}

export const SEMANTICS = {
  "df-quad": [AGGREGATIONS.product, linear],
  "qe": [AGGREGATIONS.sum, saturating(2)],
  "euler": [AGGREGATIONS.sum, euler],
  "mlp": [AGGREGATIONS.sum, logistic],
  "euler-top": [AGGREGATIONS.top, euler],
  "product-1max": [AGGREGATIONS.product, saturating(1)],
  "squared-product-linear": [AGGREGATIONS.squaredProduct, linear],
  "squared-sum-1max": [AGGREGATIONS.squaredSum, saturating(1)],
};

// ---- graphs

// A graph compiled for repeated judging. Arguments are numbers 0..size-1; edges are [source, target, sign].
export function compile(size, edges) {
  const attackers = Array.from({ length: size }, () => []);
  const supporters = Array.from({ length: size }, () => []);
  const waiting = new Int32Array(size);
  const outgoing = Array.from({ length: size }, () => []);
  for (const [source, target, sign] of edges) {
    (sign > 0 ? supporters : attackers)[target].push(source);
    outgoing[source].push(target);
    waiting[target] += 1;
  }
  const order = [];
  for (let i = 0; i < size; i += 1) if (waiting[i] === 0) order.push(i);
  for (let at = 0; at < order.length; at += 1) {
    for (const target of outgoing[order[at]]) {
      waiting[target] -= 1;
      if (waiting[target] === 0) order.push(target);
    }
  }
  return { size, attackers, supporters, order, acyclic: order.length === size };
}

// Sorted, so that the order of the arguments cannot change even the last bit.
function sortedStrengths(sources, strengths) {
  const values = new Float64Array(sources.length);
  for (let i = 0; i < values.length; i += 1) values[i] = strengths[sources[i]];
  return values.sort();
}

// Judges one argument again from the strengths of what bears on it.
function moved(graph, index, bases, strengths, [aggregate, influence], kappa) {
  const attackers = graph.attackers[index];
  const supporters = graph.supporters[index];
  if (!attackers.length && !supporters.length) return bases[index];
  const energy = aggregate(sortedStrengths(attackers, strengths), sortedStrengths(supporters, strengths));
  return influence(bases[index], energy, kappa);
}

const TOLERANCE = 1e-12;
const LONGEST = 10_000;
const DAMPED_STEPS = [0.5, 0.125];

// The damped search of core/semantics/fixed_point.py. It gives up at the deadline, which Python does not have: a graph
// that takes longer is judged when the pointer lets go.
function fixedPoint(graph, bases, parts, kappa, deadline) {
  const judged = new Float64Array(graph.size);
  let strengths;
  for (const step of DAMPED_STEPS) {
    strengths = Float64Array.from(bases);
    let before = Infinity;
    for (let taken = 0; taken <= LONGEST; taken += 1) {
      if (taken % 64 === 63 && performance.now() > deadline) return { strengths, status: "later" };
      let residual = 0;
      for (let i = 0; i < graph.size; i += 1) {
        judged[i] = moved(graph, i, bases, strengths, parts, kappa);
        residual = Math.max(residual, Math.abs(judged[i] - strengths[i]));
      }
      const settled = residual === 0 || (residual <= TOLERANCE && (residual >= before || taken === LONGEST));
      if (settled) return { strengths: strengths.map((s) => Math.min(1, Math.max(0, s))), status: "ok" };
      if (taken === LONGEST) break;
      before = residual;
      for (let i = 0; i < graph.size; i += 1) strengths[i] += step * (judged[i] - strengths[i]);
    }
  }
  return { strengths, status: "not converged" };
}

// Returns {strengths, status}: one pass where there is no cycle, a search for a fixed point otherwise.
export function evaluate(graph, bases, semantics, kappa, deadline = Infinity) {
  const parts = SEMANTICS[semantics];
  if (!graph.acyclic) return fixedPoint(graph, bases, parts, kappa, deadline);
  const strengths = Float64Array.from(bases);
  for (const index of graph.order) strengths[index] = moved(graph, index, bases, strengths, parts, kappa);
  return { strengths, status: "ok" };
}

// ---- judges

function roundedTo12(value) {
  return Number(value.toFixed(12));
}

// The decision rule of core/judgement.py: rule is [threshold, abstention, strict].
export function verdict(score, [threshold, abstention, strict]) {
  const distance = roundedTo12(roundedTo12(score) - threshold);
  if (abstention > 0 && Math.abs(distance) < abstention) return "uncertain";
  return (strict ? distance > 0 : distance >= 0) ? "true" : "false";
}

// Compiles the QBAFs that a judge makes of a debate: one, or one per agent. Members are indices into the debate's
// arguments, with the topic first; null stands for all of them.
function compileParts(parts, size, edges) {
  return parts.map(({ agent, topic, members }) =>
    compilePart(agent, topic, members ?? Array.from({ length: size }, (_, i) => i), edges),
  );
}

// Compiles every way in which the judges cut a debate, from the board's data. What is gone bears on nothing.
export function prepare({ nodes, edges, parts }) {
  const counted = edges.filter(([source, target]) => !nodes[source].gone && !nodes[target].gone);
  return parts.map((way) => compileParts(way, nodes.length, counted));
}

function compilePart(agent, topic, names, edges) {
  const local = new Map(names.map((index, position) => [index, position]));
  const inside = edges.filter(([source, target]) => local.has(source) && local.has(target));
  const graph = compile(names.length, inside.map(([s, t, sign]) => [local.get(s), local.get(t), sign]));
  return { agent, topic, names, graph, edges };
}

// The mean of the sorted values, never outside their range.
function mean(values) {
  const sorted = Float64Array.from(values).sort();
  return Math.min(Math.max(total(sorted, 1) / sorted.length, sorted[0]), sorted[sorted.length - 1]);
}

// What the scores of separate QBAFs come to.
function finalScore(scores, aggregation, rule) {
  const sorted = Float64Array.from(scores).sort();
  const middle = sorted.length >> 1;
  const worth = { true: 1, uncertain: 0.5, false: 0 };
  switch (aggregation) {
    case "median":
      return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    case "min":
      return sorted[0];
    case "max":
      return sorted[sorted.length - 1];
    case "majority":
      return mean(scores.map((score) => worth[verdict(score, rule)]));
    default:
      return mean(scores);
  }
}

// Judges a debate: bases holds a number or null per argument; index 0 is the topic, where null leaves its base score to
// the judge's variant. Returns {score, verdict, status, strengths}; strengths[0] is the score. The status "later" says
// that the deadline came first.
export function judge(settings, compiled, bases, deadline = Infinity) {
  const found = bases.map(() => []);
  const scores = [];
  for (let part of compiled) {
    const scored = (index) => index === 0 || bases[index] !== null || settings.missing !== null;
    if (!part.names.every(scored)) part = compilePart(part.agent, part.topic, part.names.filter(scored), part.edges);
    const own = part.names.map((index) => (index === 0 ? bases[0] ?? part.topic : bases[index] ?? settings.missing));
    const result = evaluate(part.graph, own, settings.semantics, settings.kappa, deadline);
    if (result.status !== "ok") {
      return { score: null, verdict: null, status: result.status, strengths: bases.map(() => null) };
    }
    part.names.forEach((index, position) => found[index].push(result.strengths[position]));
    scores.push(result.strengths[0]);
  }
  const score = compiled[0].agent ? finalScore(scores, settings.aggregation, settings.rule) : scores[0];
  const strengths = found.map((values) => (values.length ? mean(values) : null));
  strengths[0] = score;
  const decided = verdict(score, settings.rule);
  const status = decided === "uncertain" ? "abstained" : "ok";
  return { score, verdict: decided, status, threshold: settings.rule[0], strengths };
}
