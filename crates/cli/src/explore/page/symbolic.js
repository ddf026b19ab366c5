// Playing on the quotient of a coloured net: symbolic markings, as the papers write them.

async function drawSymbolic(turn) {
  const found = await ask("symbolic", { path: app.path });
  if (turn !== app.turn || app.tab !== "symbolic") return;
  const go = (path) => () => { app.path = path; update(); };
  const card = element("div", undefined, "card");
  card.id = "symbolic";
  const marking = element("p", found.shown);
  marking.id = "symbolic-marking";
  card.append(marking, element("p", `stands for ${found.stands_for} marking${found.stands_for === "1" ? "" : "s"}`, "quiet"));
  const bar = element("div", undefined, "bar");
  for (const [text, path] of [["First", []], ["Back", app.path.slice(0, -1)]]) {
    const button = element("button", text);
    button.disabled = app.path.length === 0;
    button.addEventListener("click", go(path));
    bar.append(button);
  }
  bar.append(element("span", `step ${app.path.length}`, "quiet"));
  const list = element("ol");
  list.id = "symbolic-moves";
  if (found.all === 0) list.append(element("li", "Nothing: this is a deadlock.", "fails"));
  found.moves.forEach((move, number) => {
    const button = element("button", move.transition);
    const words = [...move.gone.map((term) => `- ${term}`), ...move.new.map((term) => `+ ${term}`)];
    button.append(element("small", words.join("  ") || "changes nothing"));
    button.title = `${move.shown} (${move.stands_for} markings)`;
    button.addEventListener("click", go([...app.path, number]));
    const item = element("li");
    item.append(button);
    list.append(item);
  });
  card.append(bar, list);
  if (found.svg) insertSvg(found.svg);
  else $("canvas").replaceChildren();
  $("canvas").prepend(card);
  $("picture-note").textContent = found.markings === null ? "too many to be drawn" : `${found.markings} symbolic markings`;
}
