// How it all begins, and what follows a step.

async function fire(move) {
  app.repeats = null;
  follow([move]);
  say("");
  $("filter-moves").value = "";
  await update();
}

// Shows where one is.
async function update() {
  const turn = ++app.turn;
  try {
    const found = await ask("moves", { state: here().state });
    if (turn !== app.turn) return;
    Object.assign(app, found);
    $("position").textContent = `step ${app.at} of ${app.history.length - 1}, ${app.seen.size} ${app.seen.size === 1 ? "state" : "states"} seen`;
    $("first").disabled = $("back").disabled = app.at === 0;
    $("forward").disabled = app.at + 1 >= app.history.length;
    $("walk").disabled = app.all === 0;
    drawMoves();
    drawHistory();
    drawState();
    drawProperties();
    await ({ model: drawModel, around: drawAround, symbolic: drawSymbolic })[app.tab](turn);
  } catch (error) {
    if (turn === app.turn) say(error.message, true);
  }
  document.body.dataset.turn = String(turn);
}

// Where not all that can happen is here, the server looks for it.
async function filterMoves() {
  if (app.all > app.moves.length) {
    const turn = app.turn;
    const found = await ask("moves", { state: here().state, wanted: $("filter-moves").value });
    if (turn !== app.turn) return;
    app.moves = found.moves;
  }
  drawMoves();
}

async function randomWalk() {
  for (let step = 0; step < 10 && app.all > 0; step += 1) {
    follow([app.moves[Math.floor(Math.random() * app.moves.length)]]);
    Object.assign(app, await ask("moves", { state: here().state }));
  }
  await update();
}

function choose(tab) {
  app.tab = tab;
  $("tab-model").setAttribute("aria-selected", String(tab === "model"));
  $("tab-around").setAttribute("aria-selected", String(tab === "around"));
  $("tab-symbolic").setAttribute("aria-selected", String(tab === "symbolic"));
  $("around-options").hidden = tab !== "around";
  update();
}

async function begin() {
  app.verdicts = new Map();
  app.repeats = null;
  app.model = await ask("model");
  app.letters = lettersOf(app.model.variables.queues);
  $("shape").textContent = `${app.model.shape}, ${names().length - app.letters.size} ${app.model.shape.includes("net") ? "places" : "variables"}`;
  if (app.model.initial.length === 0) return say("The model has no initial state.", true);
  app.history = [{ state: app.model.initial[0], step: null }];
  remember(app.model.initial[0]);
  const on = (id, event, act) => $(id).addEventListener(event, act);
  const goTo = (at) => () => { app.at = Math.min(Math.max(at(), 0), app.history.length - 1); update(); };
  on("first", "click", goTo(() => 0));
  on("back", "click", goTo(() => app.at - 1));
  on("forward", "click", goTo(() => app.at + 1));
  on("walk", "click", () => randomWalk().catch((error) => say(error.message, true)));
  on("filter-moves", "input", () => filterMoves().catch((error) => say(error.message, true)));
  on("filter-state", "input", drawState);
  on("only-changed", "change", drawState);
  on("part", "change", drawHistory);
  on("tab-model", "click", () => choose("model"));
  on("tab-around", "click", () => choose("around"));
  $("tab-symbolic").hidden = !app.model.symbolic;
  on("tab-symbolic", "click", () => choose("symbolic"));
  on("steps", "change", () => update());
  on("merge", "change", () => update());
  on("check", "click", checkFormula);
  on("find", "click", findFormula);
  on("stop", "click", () => ask("stop").catch(() => {}));
  on("formula", "keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) checkFormula(); });
  on("export-json", "click", () => save("explored.json", exploredJson(), "application/json"));
  on("export-dot", "click", () => save("explored.dot", exploredDot(), "text/vnd.graphviz"));
  await update();
}

begin().catch((error) => say(error.message, true));
