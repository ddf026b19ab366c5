"use strict";
// Where one is, and how one got there.

const $ = (id) => document.getElementById(id);
const app = { model: null, history: [], at: 0, moves: [], all: 0, status: [], seen: new Map(), edges: new Map(), letters: new Set(), path: [], tab: "model", turn: 0 };

async function ask(verb, body) {
  const response = await fetch("api/" + verb, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body || {}),
  });
  if (!response.ok) throw new Error((await response.text()).trim());
  const value = await response.json();
  if (value && value.error) throw new Error(value.error);
  return value;
}

const here = () => app.history[app.at];
const names = () => app.model.variables.names;

function applied(state, changes) {
  const next = state.slice();
  for (const [index, , after] of changes) next[index] = after;
  return next;
}

function valueOf(index, number) {
  const values = app.model.variables.values[index];
  return values && values[number] !== undefined ? values[number] : String(number);
}

// The letters of a queue are shown as its word, not one by one.
const isLetter = (index) => app.letters.has(index);

function lettersOf(queues) {
  const cells = ({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at);
  return new Set(Object.values(queues).flatMap(cells));
}

// What is not the same in two states: of a queue always its length as well.
function differences(one, other) {
  const changed = new Set(one.flatMap((value, index) => (value !== other[index] ? [index] : [])));
  for (const [index, { from, to }] of Object.entries(app.model.variables.queues)) {
    for (let cell = from; cell < to; cell += 1) if (changed.has(cell)) changed.add(Number(index));
  }
  return [...changed].sort((a, b) => a - b).map((index) => [index, one[index], other[index]]);
}

function valueIn(state, index) {
  const queue = app.model.variables.queues[index];
  if (!queue) return valueOf(index, state[index]);
  return `[${state.slice(queue.from, queue.from + state[index]).map((letter) => queue.letters[letter - 1]).join(", ")}]`;
}

const isEmpty = (state, index) => state[index] === 0 && !app.model.variables.values[index];

function inWords(changes, before, most) {
  const after = applied(before, changes);
  const visible = changes.filter(([index]) => !isLetter(index));
  const shown = visible.slice(0, most || 6).map(([index]) => `${names()[index]} ${valueIn(before, index)} → ${valueIn(after, index)}`);
  if (visible.length > shown.length) shown.push(`and ${visible.length - shown.length} more`);
  return shown.join(", ");
}

// A state in words, for those that are shown side by side.
function stateInWords(state, most, separator) {
  const shown = [];
  state.forEach((value, index) => {
    if (value !== 0 && !isLetter(index) && shown.length < most) shown.push(names()[index] + separator + valueIn(state, index));
  });
  return shown;
}

// The part of the model that a variable belongs to: an instance, a process, or else the variable itself.
function partOf(name) {
  const inside = name.lastIndexOf(":");
  if (inside >= 0) return name.slice(0, inside);
  const dot = name.indexOf(".");
  return dot >= 0 ? name.slice(0, dot) : name;
}

function remember(state) {
  const key = state.join(",");
  if (!app.seen.has(key)) app.seen.set(key, { id: app.seen.size, state });
  return app.seen.get(key).id;
}

function rememberStep(before, transition, after) {
  const [from, to] = [remember(before), remember(after)];
  app.edges.set(`${from}>${to}>${transition}`, { from, to, transition });
}

// Goes on from where one is; what was ahead is forgotten.
function follow(steps) {
  app.history.length = app.at + 1;
  for (const step of steps) {
    const before = here().state;
    const state = applied(before, step.changes);
    rememberStep(before, step.transition, state);
    app.history.push({ state, step });
    app.at += 1;
  }
}

// Loads a run; one is where it begins.
function load(trace) {
  app.history = [{ state: trace.initial, step: null }];
  app.at = 0;
  remember(trace.initial);
  follow(trace.steps);
  app.repeats = trace.repeats;
  app.at = 0;
}

function say(text, isError) {
  const message = $("message");
  message.hidden = !text;
  message.textContent = text || "";
  message.className = isError ? "error" : "";
}

function save(name, text, kind) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function exploredJson() {
  const states = [...app.seen.values()].map(({ id, state }) => {
    const values = {};
    state.forEach((value, index) => { if (value !== 0) values[names()[index]] = value; });
    return { id, values };
  });
  return JSON.stringify({ model: app.model.name, states, steps: [...app.edges.values()] }, null, 1);
}

function exploredDot() {
  const quoted = (text) => '"' + text.replace(/\\/g, "\\\\").replace(/"/g, '\\"') + '"';
  const lines = ["digraph {"];
  for (const { id, state } of app.seen.values()) {
    lines.push(`  n${id} [label=${quoted(stateInWords(state, 12, "=").join(" "))}];`);
  }
  for (const { from, to, transition } of app.edges.values()) lines.push(`  n${from} -> n${to} [label=${quoted(transition)}];`);
  return lines.concat("}", "").join("\n");
}
