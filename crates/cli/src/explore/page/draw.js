// What is shown.

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function changedHere() {
  const step = here().step;
  return new Set(step ? step.changes.map(([index]) => index) : []);
}

function drawMoves() {
  const list = $("moves");
  list.replaceChildren();
  const wanted = $("filter-moves").value.trim().toLowerCase();
  const shown = app.moves.filter((move) => move.transition.toLowerCase().includes(wanted));
  const more = app.all > app.moves.length ? `, here are ${wanted ? "" : "the first "}${shown.length}` : "";
  $("how-many").textContent = app.all === 0 ? "" : `(${app.all}${more})`;
  if (app.all === 0) list.append(element("li", "Nothing: this is a deadlock.", "fails"));
  for (const move of shown) {
    const button = element("button", move.transition);
    button.dataset.transition = move.transition;
    const words = move.mishap ? `the error state: ${move.mishap}` : inWords(move.changes, here().state);
    button.append(element("small", words || "changes nothing"));
    button.addEventListener("click", () => fire(move));
    const item = element("li");
    item.append(button);
    list.append(item);
  }
}

function drawHistory() {
  const list = $("history");
  list.replaceChildren();
  const part = $("part").value;
  const parts = new Set();
  app.history.forEach(({ step }, number) => {
    const own = step ? step.changes.filter(([index]) => !part || partOf(names()[index]) === part) : [];
    if (step) step.changes.forEach(([index]) => { if (!isLetter(index)) parts.add(partOf(names()[index])); });
    if (step && part && own.length === 0) return;
    const again = app.repeats === number - 1 && step ? " (from here again and again)" : "";
    const button = element("button", step ? `${number}. ${step.transition}${again}` : "start");
    if (step) button.append(element("small", inWords(own, app.history[number - 1].state, 4)));
    button.setAttribute("aria-current", String(number === app.at));
    if (number > app.at) button.classList.add("ahead");
    button.addEventListener("click", () => { app.at = number; update(); });
    const item = element("li");
    item.append(button);
    list.append(item);
    if (number === app.at) requestAnimationFrame(() => { list.scrollTop = Math.max(0, button.offsetTop - list.offsetTop - list.clientHeight / 2); });
  });
  const select = $("part");
  const known = new Set([...select.options].map((option) => option.value));
  for (const name of [...parts].sort()) if (!known.has(name)) select.append(new Option(name, name));
  select.parentElement.hidden = select.options.length < 2;
}

const MOST_ROWS = 400;

function drawState() {
  const table = $("state");
  table.replaceChildren();
  const wanted = $("filter-state").value.trim().toLowerCase();
  const changed = changedHere();
  const only = $("only-changed").checked;
  const many = names().length > 60;
  let rows = 0, hidden = 0;
  here().state.forEach((value, index) => {
    const name = names()[index];
    if (isLetter(index)) return;
    if (only && !changed.has(index)) return;
    if (wanted && !name.toLowerCase().includes(wanted)) return;
    // Of many variables those that are 0 say little.
    if (many && value === 0 && !changed.has(index) && !wanted) { hidden += 1; return; }
    if (rows >= MOST_ROWS) { hidden += 1; return; }
    rows += 1;
    table.append(variableRow(name, index, changed.has(index)));
  });
  if (hidden > 0) {
    const row = element("tr", undefined, "zero");
    row.append(element("td", `${hidden} more${many ? ", most of them 0" : ""}`), element("td", ""));
    table.append(row);
  }
}

function variableRow(name, index, isChanged) {
  const row = element("tr", undefined, isChanged ? "changed" : isEmpty(here().state, index) ? "zero" : "");
  row.append(element("td", name), element("td", valueIn(here().state, index)));
  return row;
}

function insertSvg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  $("canvas").replaceChildren(document.importNode(parsed, true));
  const svg = $("canvas").firstElementChild;
  // What is a little too wide is made smaller; what is much too wide is moved by hand.
  const [wide, room] = [Number(svg.getAttribute("width")), $("canvas").clientWidth - 24];
  if (wide > room && wide < 2 * room) { svg.style.maxWidth = "100%"; svg.style.height = "auto"; }
  return svg;
}

// Moves a picture that is larger than its room so far that something in it is seen.
function bringIntoView(shown) {
  const [room, box] = [$("canvas").getBoundingClientRect(), shown.getBoundingClientRect()];
  const isSeen = box.left >= room.left && box.right <= room.right && box.top >= room.top && box.bottom <= room.bottom;
  if (isSeen) return;
  $("canvas").scrollLeft += (box.left + box.right - room.left - room.right) / 2;
  $("canvas").scrollTop += (box.top + box.bottom - room.top - room.bottom) / 2;
}

async function drawModel(turn) {
  const picture = await ask("picture", { state: here().state, near: [...changedHere()].slice(0, 50) });
  if (turn !== app.turn || app.tab !== "model") return;
  if (!picture) return drawCards();
  const svg = insertSvg(picture.svg);
  const changed = new Set([...changedHere()].map((index) => names()[index].replace(/\(.*$/, "")));
  for (const group of svg.querySelectorAll("g[data-key]")) {
    const key = group.dataset.key;
    if (key.startsWith("p:") && changed.has(key.slice(2).replace(/\(.*$/, ""))) group.classList.add("changed");
    if (!key.startsWith("t:")) continue;
    const own = app.moves.filter((move) => move.transition === key.slice(2) || move.transition.startsWith(key.slice(2) + "("));
    if (own.length === 0) continue;
    group.classList.add("can");
    group.setAttribute("tabindex", "0");
    const act = () => {
      if (own.length === 1) return fire(own[0]);
      $("filter-moves").value = key.slice(2) + "(";
      drawMoves();
      say(`${key.slice(2)} can happen in ${own.length} ways: choose one on the left`);
    };
    group.addEventListener("click", act);
    group.addEventListener("keydown", (event) => { if (event.key === "Enter") act(); });
  }
  const seen = svg.querySelector("g.changed") || svg.querySelector("g.can");
  if (seen) bringIntoView(seen);
  $("picture-note").textContent = picture.shown < picture.all ? `${picture.shown} of ${picture.all} nodes: what is around` : "";
}

// Instances with their variables; those inside of others open on a click.
function drawCards() {
  $("picture-note").textContent = "";
  const root = { parts: new Map(), variables: [] };
  names().forEach((name, index) => {
    if (isLetter(index)) return;
    let node = root;
    const path = name.split(":");
    const own = path.pop();
    for (const step of path) {
      if (!node.parts.has(step)) node.parts.set(step, { parts: new Map(), variables: [] });
      node = node.parts.get(step);
    }
    node.variables.push([own, index]);
  });
  const changed = changedHere();
  const cards = element("div", undefined, "cards");
  drawCard(root, "", cards, changed, 0);
  $("canvas").replaceChildren(cards);
}

function drawCard(node, path, into, changed, depth) {
  if (node.variables.length > 0) {
    const grouped = new Map();
    for (const [name, index] of node.variables) {
      const base = depth === 0 ? (name.includes(".") ? name.split(".")[0] : name.replace(/[[(].*$/, "")) : "";
      if (!grouped.has(base)) grouped.set(base, []);
      grouped.get(base).push([name, index]);
    }
    for (const [base, variables] of grouped) {
      const table = element("table");
      for (const [name, index] of variables.slice(0, MOST_ROWS)) table.append(variableRow(name, index, changed.has(index)));
      if (depth > 0) { into.append(table); continue; }
      const card = element("div", undefined, "card");
      if (variables.some(([, index]) => changed.has(index))) card.classList.add("moved");
      const inside = element("div", undefined, "inside");
      inside.append(table);
      if (variables.length > 1) card.append(title(base, card, base));
      card.append(inside);
      into.append(card);
    }
  }
  let shown = 0;
  for (const [name, part] of node.parts) {
    if (shown++ >= 200) { into.append(element("p", `and ${node.parts.size - 200} more parts`, "quiet")); break; }
    const whole = path + name;
    const card = element("div", undefined, "card");
    const inside = element("div", undefined, "inside cards");
    card.append(title(name, card, whole), inside);
    if (moved(part, changed)) card.classList.add("moved");
    if (!open(whole, depth, node.parts.size)) card.classList.add("closed");
    drawCard(part, whole + ":", inside, changed, depth + 1);
    into.append(card);
  }
}

const toggled = new Map();
const open = (path, depth, siblings) => toggled.get(path) ?? (depth === 0 || siblings <= 3);

function title(name, card, path) {
  const button = element("button", name);
  button.addEventListener("click", () => {
    card.classList.toggle("closed");
    toggled.set(path, !card.classList.contains("closed"));
  });
  return button;
}

function moved(part, changed) {
  return part.variables.some(([, index]) => changed.has(index)) || [...part.parts.values()].some((one) => moved(one, changed));
}

async function drawAround(turn) {
  const merge = $("merge").checked;
  const graph = await ask("around", { state: here().state, steps: Number($("steps").value) || 2, merge, most: 80 });
  if (turn !== app.turn || app.tab !== "around") return;
  const svg = insertSvg(graph.svg);
  const start = svg.querySelector('g[data-key="0"]');
  if (start) bringIntoView(start);
  if (!graph.merged) for (const [from, to, transition] of graph.edges) rememberStep(graph.states[from].state, transition, graph.states[to].state);
  for (const group of svg.querySelectorAll("g[data-key]")) {
    const number = Number(group.dataset.key);
    const node = graph.states[number];
    const title = group.querySelector("title");
    if (title) title.textContent = stateInWords(node.state, 40, " = ").join("\n");
    if (graph.merged || number === 0) continue;
    group.classList.add("can");
    group.addEventListener("click", () => goAlong(graph, number));
  }
  const more = graph.complete ? "all that can be reached" : `${graph.states.length} states`;
  $("picture-note").textContent = graph.merged ? `${more}, merged by symmetry` : more;
}

// The way to a state of a graph, step by step.
function goAlong(graph, goal) {
  const before = new Map([[0, null]]);
  const open = [0];
  for (const at of open) for (const edge of graph.edges) if (edge[0] === at && !before.has(edge[1])) { before.set(edge[1], edge); open.push(edge[1]); }
  const steps = [];
  for (let at = goal; before.get(at); at = before.get(at)[0]) {
    const [from, to, transition] = before.get(at);
    const [one, other] = [graph.states[from].state, graph.states[to].state];
    steps.unshift({ transition, changes: differences(one, other) });
  }
  follow(steps);
  update();
}
