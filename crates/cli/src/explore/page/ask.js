// Properties and formulas.

function drawProperties() {
  const list = $("properties");
  list.replaceChildren();
  const all = app.model.properties.map((property, index) => ({ ...property, index }));
  if (!all.some((property) => property.name === "deadlock")) all.push({ name: "deadlock", kind: "deadlock", index: -1 });
  for (const property of all) {
    const item = element("li");
    const known = app.verdicts.get(property.name);
    const button = element("button", known ? known.words : "check", known ? known.verdict : "");
    button.dataset.property = property.name;
    button.title = known && known.trace ? "Step through what shows it" : "Check it";
    button.addEventListener("click", () => known ? show(known) : work(async () => {
      const answer = await ask("check", { property: property.name });
      app.verdicts.set(property.name, answer);
      drawProperties();
      show(answer);
    }));
    item.append(element("span", property.name, "name"), element("span", property.kind, "quiet"), button);
    const status = property.index >= 0 ? app.status[property.index] : app.all === 0;
    if (property.index < 0) item.append(element("span", app.all === 0 ? "here" : "not here", "quiet"));
    else if (typeof status === "boolean") item.append(element("span", status ? "true here" : "false here", "quiet"));
    else if (typeof status === "number") item.append(element("span", `${status} here`, "quiet"));
    list.append(item);
  }
}

// Shows an answer, and loads the run that shows it.
function show(answer) {
  const box = $("answer");
  box.hidden = false;
  box.className = "";
  box.textContent = `${answer.words}\n${answer.explanation || ""}`.trim();
  const claims = $("claims");
  claims.replaceChildren();
  (answer.witness || []).forEach((claim) => {
    if (!claim.run) return;
    const button = element("button", `${claim.formula} ${claim.holds ? "holds" : "does not hold"}: step through`);
    button.addEventListener("click", () => { load(claim.run); update(); });
    const item = element("li");
    item.append(button);
    claims.append(item);
  });
  if (answer.trace) {
    load(answer.trace);
    say(`${answer.shown}, ${answer.trace.length}: step through it with ▶`);
    update();
  }
}

// Does something that may take long; it can be stopped.
async function work(doing) {
  $("stop").hidden = false;
  for (const id of ["check", "find"]) $(id).disabled = true;
  say("");
  try {
    await doing();
  } catch (error) {
    const box = $("answer");
    box.hidden = false;
    box.className = "error";
    box.textContent = error.message;
    $("claims").replaceChildren();
  } finally {
    $("stop").hidden = true;
    for (const id of ["check", "find"]) $(id).disabled = false;
  }
}

function checkFormula() {
  work(async () => show(await ask("check", { formula: $("formula").value })));
}

function findFormula() {
  work(async () => {
    const found = await ask("find", { state: here().state, formula: $("formula").value });
    $("answer").hidden = true;
    if (!found.trace) return say(found.why);
    if (found.from === "here") {
      follow(found.trace.steps);
      say(found.trace.steps.length === 0 ? "It holds here." : `There: ${found.trace.steps.length} steps, the shortest way.`);
    } else {
      load(found.trace);
      app.at = app.history.length - 1;
      say("There, by the shortest way from the start.");
    }
    update();
  });
}
