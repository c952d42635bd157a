// The annotation tool: shows the segments of a page and sends each label to the server immediately.
// Text from pages is only assigned to textContent; no markup is built from strings.
"use strict";

const KINDS = ["p", "h", "l"];
const KIND_NAMES = { p: "paragraph", h: "heading", l: "list item" };
const ACCEPTED = "accepted as suggested";
const WIDE = 1200; // pixels of a window that has room for the original page
const STATES = { finished: "finished", given: "has a gold text made elsewhere", broken: "cannot be read" };
const UNSURE = 1; // log-odds below which a suggestion is marked as uncertain
const POLL = 1500; // milliseconds between polls while the server works in the background
const RETRY = 1500;
const PATIENCE = 30; // tenths of a second to wait for the first ranking

const byId = (id) => document.getElementById(id);
const token = takeToken();
const skipped = new Set();
let overview = null;
let page = null; // as received from the server, with the labels of this browser
let rows = []; // elements of the segments
let cursor = 0;
let drag = null; // { from, to, keep } while the pointer is down
let dragged = false; // whether the click that follows belongs to a drag

// ---- requests

// The token is in the fragment, which browsers do not send, and is removed from the address bar.
function takeToken() {
  if (location.hash.length > 1) {
    sessionStorage.setItem("token", location.hash.slice(1));
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("token") || "";
}

async function ask(path, body) {
  const headers = { Authorization: `Bearer ${token}` };
  if (body) headers["Content-Type"] = "application/json";
  const answer = await fetch(path, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
  const told = await answer.json();
  if (answer.ok) return told;
  throw Object.assign(new Error(told.error), { told: true, saved: Boolean(told.saved) });
}

// Changes and requests that return an overview are sent one at a time, so that an old overview never
// replaces a newer one.
let sending = Promise.resolve();
let unsent = 0;
let refusal = ""; // message about the last change if it was not applied completely

function inTurn(request) {
  const result = sending.then(request);
  sending = result.catch(() => {});
  return result;
}

// A request that failed is repeated with the same key, so that it is applied once. A refusal is shown, and
// the page is reloaded. A change that was saved although the gold file could not be written is shown too.
function send(path, body) {
  const keyed = { ...body, key: crypto.randomUUID ? crypto.randomUUID() : `${Date.now()}-${Math.random()}` };
  unsent += 1;
  showSaved();
  return inTurn(() => sendUntilTold(path, keyed));
}

async function sendUntilTold(path, body) {
  for (;;) {
    try {
      const told = await ask(path, body);
      unsent -= 1;
      refusal = "";
      complain("");
      showSaved();
      return told;
    } catch (error) {
      if (error.told) {
        unsent -= 1;
        refusal = error.saved ? "Gold not written" : "Not saved";
        complain(error.saved ? error.message : `Not saved: ${error.message}`);
        showSaved();
        throw error;
      }
      complain("Not saved: the server does not answer. Start it again; this window keeps trying.");
      showSaved();
      await new Promise((resume) => setTimeout(resume, RETRY));
    }
  }
}

function complain(message) {
  byId("trouble").textContent = message;
  byId("trouble").hidden = !message;
}

function showSaved() {
  const wrong = unsent > 0 && !byId("trouble").hidden;
  byId("saved").textContent = wrong ? `${unsent} not saved` : unsent ? "Saving…" : refusal || "All saved";
  byId("saved").classList.toggle("wrong", wrong || Boolean(refusal && !unsent));
}

addEventListener("beforeunload", (event) => {
  if (unsent) event.preventDefault();
});

// ---- pages

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

async function refresh() {
  showOverview(await inTurn(() => ask("/api/overview")));
}

function showOverview(told) {
  overview = told;
  const finished = told.pages.filter((each) => each.state === "finished" || each.state === "given").length;
  byId("finished").textContent = finished;
  byId("total").textContent = told.pages.length;
  byId("progress").value = told.pages.length ? finished / told.pages.length : 0;
  showPages();
  showModel(told.model);
  showAgreement(told);
  byId("undo").disabled = !told.undo;
  showNotes(told.notes);
  if (told.trouble) {
    refusal = "Gold not written";
    complain(told.trouble);
    showSaved();
  }
  if (told.ranking || told.model.training) later();
}

let timer = 0;
function later() {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const before = overview.model;
    try {
      await refresh();
    } catch (error) {
      if (error.told) showError(error);
      return later(); // no connection: the next change reports it
    }
    if (before.training && !overview.model.training && page) load(page.name, cursor).catch(showError);
  }, POLL);
}

// Open pages first, in the order of the queue, then finished ones.
function showPages() {
  const place = new Map(overview.queue.map((name, i) => [name, i]));
  const rank = (each) => (place.has(each.name) ? place.get(each.name) : overview.queue.length);
  const list = byId("pages");
  const scrolled = list.scrollTop;
  const seen = new Set();
  const ambiguous = new Set(); // titles that several pages have
  for (const { title } of overview.pages) (title && seen.has(title) ? ambiguous : seen).add(title);
  const ordered = [...overview.pages].sort((a, b) => rank(a) - rank(b));
  list.replaceChildren(...ordered.map((each) => pageButton(each, ambiguous)));
  list.scrollTop = scrolled;
}

function pageButton(each, ambiguous) {
  const button = element("button", each.accepted ? `${each.state} accepted` : each.state);
  const state = each.accepted ? ACCEPTED : STATES[each.state];
  button.type = "button";
  button.dataset.name = each.name;
  button.title = state ? `${each.name}: ${state}` : each.name;
  const label = element("span", "label", ambiguous.has(each.title) ? `${each.name} ${each.title}` : each.title || each.name);
  label.dir = "auto";
  button.append(element("span", "dot"), label);
  if (state) button.append(element("span", "only-heard", state));
  if (each.conflicts) button.append(element("span", "note conflicts", `${each.conflicts} ≠`));
  else if (each.state === "open" || each.state === "started")
    button.append(element("span", "note figure", each.confidence === null ? "…" : `${Math.round(100 * each.confidence)}%`));
  if (page && page.name === each.name) button.setAttribute("aria-current", "page");
  button.addEventListener("click", () => {
    document.body.classList.remove("side-open");
    load(each.name).catch(showError);
  });
  const item = element("li");
  item.append(button);
  return item;
}

function showModel(model) {
  byId("model-name").textContent = model.name;
  byId("retrain").hidden = !model.trains;
  byId("retrain").disabled = model.training || !model.ready;
  byId("retrain").title = model.ready ? "" : "Finish two pages first: a model needs text to learn from";
  byId("retrain").textContent = model.training ? "Training…" : "Retrain now";
  byId("model-message").textContent = model.message;
  byId("model-message").classList.toggle("failed", model.failed);
}

function showAgreement(told) {
  const found = told.agreement;
  byId("agreement").hidden = !found;
  byId("conflict-keys").hidden = !found;
  for (const row of document.querySelectorAll("#help .second")) row.hidden = !found;
  if (!found) return;
  byId("accepted").textContent = found.accepted;
  byId("observed").textContent = found.words ? `${(100 * found.observed).toFixed(1)}%` : "–";
  byId("kappa").textContent = found.kappa === null ? "–" : found.kappa.toFixed(2);
  byId("compared").textContent = found.words.toLocaleString("en");
  byId("conflicts").textContent = told.pages.reduce((sum, each) => sum + each.conflicts, 0);
}

// Repairs that concern the annotator, such as a gold file that was edited elsewhere.
function showNotes(notes) {
  byId("notes").hidden = !notes.length;
  byId("notes").querySelector("ul").replaceChildren(...notes.map((note) => element("li", "", note)));
}

function showError(error) {
  if (error.shown) return;
  complain(error.told ? error.message : "The server does not answer.");
}

async function load(name, at = 0) {
  await sending; // so that the response includes all changes of this browser
  page = await ask(`/api/page?name=${encodeURIComponent(name)}`);
  sessionStorage.setItem("page", name);
  const list = byId("segments");
  for (const segment of page.segments) segment.saved = { ...segment };
  rows = page.segments.map(segmentRow);
  list.replaceChildren(...rows);
  list.hidden = false;
  byId("nothing").hidden = page.segments.length > 0;
  byId("nothing").textContent = "This page has no text.";
  showComparison(false);
  frameLoaded = false; // the fragments of another page
  showHead();
  showPages();
  scrollTo(0, 0);
  if (rows.length) moveTo(Math.min(at, rows.length - 1));
  showOriginal();
  list.focus({ preventScroll: true });
}

function showHead() {
  document.body.classList.remove("no-page");
  byId("title").textContent = page.title || page.name;
  byId("name").textContent = page.name;
  const state = page.accepted ? `${STATES[page.state]}, ${ACCEPTED}` : STATES[page.state];
  byId("page-state").textContent = state ? `· ${state}` : "";
  byId("finish").disabled = page.state === "given";
  byId("finish").firstChild.textContent = page.state === "finished" ? "Next page " : "Finish page ";
  document.title = `${page.title || page.name} · stupidos annotate`;
}

async function nextPage() {
  const open = overview.queue.filter((name) => !page || name !== page.name);
  const order = [...open.filter((name) => !skipped.has(name)), ...open.filter((name) => skipped.has(name))];
  for (const next of order) {
    try {
      return await load(next);
    } catch (error) {
      if (!error.told) throw error;
      complain(error.message); // the page cannot be read: open the next one
    }
  }
  leavePage(overview.folder);
  sessionStorage.removeItem("page");
  showComparison(false);
  byId("nothing").hidden = false;
  byId("nothing").textContent = "Every page is finished. Thank you.";
  return null;
}

// Without a page on the screen no key can label or finish one.
function leavePage(title) {
  page = null;
  document.body.classList.add("no-page");
  showOriginal();
  byId("segments").hidden = true;
  byId("title").textContent = title;
  byId("name").textContent = byId("page-state").textContent = "";
  byId("finish").disabled = true;
  document.title = `${title} · stupidos annotate`;
  showPages();
}

// ---- segments

function segmentRow(segment, i) {
  const row = element("li");
  row.id = `s${i}`;
  row.dataset.index = i;
  row.setAttribute("role", "option");
  const text = element("p", "text", segment.text);
  text.dir = "auto";
  const marks = element("div", "marks");
  const kind = element("button", "kind");
  kind.type = "button";
  kind.tabIndex = -1;
  marks.append(element("span", "hand"), kind);
  row.append(element("span", "gutter"), text, marks);
  if (segment.other) row.append(otherOpinion(segment, i));
  paint(row, segment, segment.keep);
  return row;
}

function paint(row, segment, keep) {
  const unsure = !segment.hand && Math.abs(segment.score) < UNSURE && page.state !== "finished";
  row.className = `segment ${segment.kind} ${keep ? "kept" : "dropped"}`;
  row.classList.toggle("numbered", /^\d+[.)]/.test(segment.text)); // a numbered item gets no bullet
  row.classList.toggle("unsure", unsure);
  row.classList.toggle("here", Number(row.dataset.index) === cursor);
  row.classList.toggle("settled", Boolean(segment.settled));
  row.setAttribute("aria-selected", keep);
  row.querySelector(".hand").hidden = !segment.hand;
  const kind = row.querySelector(".kind");
  kind.textContent = segment.kind;
  kind.title = `${KIND_NAMES[segment.kind]}: click to change`;
}

// The label of the second annotator, shown on a finished page where it differs.
function otherOpinion(segment, i) {
  const line = element("div", "other");
  const theirs = segment.other.keep ? `keeps it as a ${KIND_NAMES[segment.other.kind]}` : "drops it";
  line.append(element("span", "", `The other annotator ${theirs}.`));
  for (const [key, name, choice] of [["1", "Mine", null], ["2", "Theirs", segment.other]]) {
    const button = element("button", "", name);
    button.type = "button";
    button.append(element("kbd", "", key));
    button.addEventListener("click", () => settle(i, choice));
    line.append(button);
  }
  return line;
}

function moveTo(i) {
  if (rows[cursor]) rows[cursor].classList.remove("here");
  cursor = Math.max(0, Math.min(rows.length - 1, i));
  rows[cursor].classList.add("here");
  rows[cursor].scrollIntoView({ block: "nearest" });
  byId("segments").setAttribute("aria-activedescendant", rows[cursor].id);
  highlight();
}

function firstKept() {
  const at = page.segments.findIndex((segment) => segment.keep);
  if (at >= 0) moveTo(at);
}

function nextUnsure() {
  const order = rows.map((_, i) => (cursor + 1 + i) % rows.length);
  const next = order.find((i) => rows[i].classList.contains("unsure"));
  if (next !== undefined) moveTo(next);
}

// ---- the original page

// The frame has an origin of its own and runs no scripts, so nothing in it can be touched from here: the
// fragment of its address selects the segment to be highlighted. `replace` leaves no trace in the history.
let frameAddress = ""; // with a secret; empty until the server told it
let framed = ""; // address of the page in the frame
let frameLoaded = false;

function originalWanted() {
  const choice = localStorage.getItem("original");
  return choice === null ? innerWidth >= WIDE : choice === "shown";
}

function showOriginal() {
  const shown = Boolean(page && frameAddress && originalWanted());
  byId("original").hidden = !shown;
  byId("show-original").setAttribute("aria-pressed", shown);
  byId("show-original").disabled = !page;
  document.body.classList.toggle("with-original", shown);
  const address = shown ? `${frameAddress}?name=${encodeURIComponent(page.name)}&version=${page.version}` : "about:blank";
  if (address === framed) {
    frameLoaded = true;
    return highlight();
  }
  framed = address;
  frameLoaded = false;
  byId("frame").contentWindow.location.replace(shown ? `${address}#stupidos-${cursor}` : address);
}

// A new fragment would start a page that is still loading again.
function highlight() {
  if (frameLoaded && framed.startsWith("/")) byId("frame").contentWindow.location.replace(`${framed}#stupidos-${cursor}`);
}

byId("frame").addEventListener("load", () => {
  if (!framed.startsWith("/")) return;
  frameLoaded = true;
  highlight();
});

function toggleOriginal() {
  if (!page) return;
  localStorage.setItem("original", byId("original").hidden ? "shown" : "hidden");
  showOriginal();
}

addEventListener("resize", () => overview && showOriginal()); // there may be room for it now, or no longer

// A click into the frame must not take the keys away.
addEventListener("blur", () =>
  setTimeout(() => {
    if (document.activeElement === byId("frame")) byId("segments").focus({ preventScroll: true });
  }),
);

// Apply one change to some segments: show it and save it.
function change(indices, labels, settles = false) {
  if (page.state === "given" || !indices.length) return;
  for (const i of indices) {
    Object.assign(page.segments[i], labels, { hand: true }, settles ? { settled: true } : {});
    paint(rows[i], page.segments[i], page.segments[i].keep);
  }
  const changed = page;
  const { name, version } = page;
  const body = { page: name, version, segments: indices, ...labels };
  if (settles) body.settles = true;
  send("/api/change", body)
    .then((told) => {
      keepSaved(changed, indices, labels, settles);
      byId("undo").disabled = !told.undo;
      const listed = overview.pages.find((each) => each.name === name);
      if (listed.state !== told.state || settles) refresh().catch(showError);
    })
    .catch((error) => {
      if (error.saved) keepSaved(changed, indices, labels, settles);
      else takeBack(changed, indices);
      return reload();
    });
}

// The label on the server is restored if a later one cannot be saved.
function keepSaved(changed, indices, labels, settles) {
  for (const i of indices)
    Object.assign(changed.segments[i].saved, labels, { hand: true }, settles ? { settled: true } : {});
}

function takeBack(changed, indices) {
  for (const i of indices) {
    const { saved } = changed.segments[i];
    Object.assign(changed.segments[i], { settled: false }, saved, { saved });
    if (changed === page) paint(rows[i], page.segments[i], saved.keep);
  }
}

// Reload the page from the server if possible; the error message stays.
async function reload() {
  if (!page) return;
  try {
    await load(page.name, cursor);
  } catch {
    // keep showing the saved labels
  }
}

function toggle(i) {
  change([i], { keep: !page.segments[i].keep });
}

function setKind(kind) {
  change([cursor], { kind });
}

function sameForNext(step) {
  const to = cursor + step;
  if (to < 0 || to >= rows.length) return;
  const { keep } = page.segments[cursor];
  moveTo(to);
  change([to], { keep });
}

function settle(i, choice) {
  const { keep, kind, other } = page.segments[i];
  if (!other) return;
  change([i], choice || { keep, kind }, true);
  moveTo(i);
}

function nextConflict(from) {
  const open = (i) => page.segments[i].other && !page.segments[i].settled;
  const order = rows.map((_, i) => (from + i) % rows.length);
  const next = order.find(open);
  if (next !== undefined) moveTo(next);
}

// ---- all conflicts

let compared = ""; // page that was shown before

async function compare() {
  if (!overview.agreement) return null;
  if (!byId("comparison").hidden) return compared ? load(compared) : nextPage();
  const told = await inTurn(() => ask("/api/comparison"));
  const list = byId("comparison");
  const open = told.pages.filter((each) => each.open);
  const rest = told.pages.filter((each) => !each.open);
  list.replaceChildren(element("h2", "", open.length ? "Open conflicts" : "No open conflicts"), ...open.map(comparedPage));
  if (rest.length) list.append(element("h2", "", "Settled or alike"), ...rest.map(comparedPage));
  if (!told.pages.length) list.append(element("p", "note", "No page has been finished by both annotators yet."));
  compared = page ? page.name : "";
  if (compared) list.prepend(backButton());
  leavePage("Conflicts");
  showComparison(true);
  byId("nothing").hidden = true;
  document.body.classList.remove("side-open");
  scrollTo(0, 0);
  list.focus({ preventScroll: true });
  return null;
}

function showComparison(visible) {
  byId("comparison").hidden = !visible;
  byId("compare").firstChild.textContent = visible ? "Hide conflicts " : "Show conflicts ";
}

function backButton() {
  const button = element("button", "back", "Back to the page");
  button.type = "button";
  button.addEventListener("click", () => alone(compare));
  return button;
}

function comparedPage(each) {
  const part = element("article");
  const head = element("h3", "", each.title || each.name);
  head.dir = "auto";
  const alike = each.words ? `${(100 * each.observed).toFixed(1)}% of ${each.words.toLocaleString("en")} words alike` : "no words";
  part.append(head, element("p", "note", each.accepted ? `${alike} · ${ACCEPTED}, left out of the agreement` : alike));
  const ordered = [...each.conflicts].sort((a, b) => a.settled - b.settled || a.segment - b.segment);
  const list = element("ul");
  list.append(...ordered.map((one) => comparedSegment(each.name, one)));
  part.append(list);
  return part;
}

function comparedSegment(name, one) {
  const button = element("button", one.settled ? "conflict settled" : "conflict");
  button.type = "button";
  const text = element("span", "text", one.text);
  text.dir = "auto";
  const said = (label) => (label.keep ? `keep as a ${KIND_NAMES[label.kind]}` : "drop");
  const opinions = `mine: ${said(one.ours)} · theirs: ${said(one.theirs)}${one.settled ? " · settled" : ""}`;
  button.append(text, element("span", "opinions", opinions));
  button.addEventListener("click", () => load(name, one.segment).catch(showError));
  const item = element("li");
  item.append(button);
  return item;
}

// ---- actions

async function finish() {
  if (!page || page.state === "given") return;
  const again = page.state === "finished";
  const told = again ? await inTurn(() => ask("/api/overview")) : await send("/api/finish", shownLabels()).catch(refused);
  showOverview(told);
  const conflicts = told.pages.find((each) => each.name === page.name).conflicts;
  if (conflicts && !again) return load(page.name).then(() => nextConflict(0)); // the labels of the second annotator are now visible
  if (conflicts) skipped.add(page.name);
  else skipped.delete(page.name);
  return nextPage();
}

// Accept the labels on the screen, or none.
function shownLabels() {
  const { name, version, segments } = page;
  const keeps = segments.map(({ keep }) => Number(keep)).join("");
  return { page: name, version, keeps, kinds: segments.map(({ kind }) => kind).join("") };
}

async function refused(error) {
  await reload();
  await refresh().catch(() => {});
  throw Object.assign(error, { shown: true });
}

async function undo() {
  const told = await send("/api/undo", {}).catch(refused);
  showOverview(told);
  if (told.page) await load(told.page, page && page.name === told.page ? cursor : 0);
}

async function skip() {
  if (page) skipped.add(page.name);
  await refresh();
  await nextPage();
}

async function retrain() {
  const told = await inTurn(() => ask("/api/retrain", {}));
  complain("");
  showOverview(told);
}

// One at a time: a second "n" before the next page is loaded would finish that page unseen.
let busy = false;
async function alone(act) {
  if (busy) return;
  busy = true;
  document.body.ariaBusy = "true";
  try {
    await act();
  } catch (error) {
    showError(error);
  } finally {
    busy = false;
    document.body.ariaBusy = "false";
  }
}

const KEYS = {
  j: () => moveTo(cursor + 1),
  k: () => moveTo(cursor - 1),
  ArrowDown: () => moveTo(cursor + 1),
  ArrowUp: () => moveTo(cursor - 1),
  J: () => sameForNext(1),
  K: () => sameForNext(-1),
  Home: () => moveTo(0),
  End: () => moveTo(rows.length - 1),
  " ": () => toggle(cursor),
  p: () => setKind("p"),
  h: () => setKind("h"),
  l: () => setKind("l"),
  1: () => settle(cursor, null),
  2: () => settle(cursor, page.segments[cursor].other),
  c: () => nextConflict(cursor + 1),
  f: firstKept,
  d: nextUnsure,
};
const PAGE_KEYS = { n: finish, s: skip, u: undo, v: compare }; // these also work on an empty page
const VIEW_KEYS = { o: toggleOriginal, "?": () => byId("help").showModal() };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const button = event.target.closest("button");
  if (button && (event.key === " " || event.key === "Enter")) return; // handled by the button
  if (byId("help").open) {
    if (event.key === "?") byId("help").close();
    return;
  }
  if (VIEW_KEYS[event.key]) VIEW_KEYS[event.key]();
  else if (PAGE_KEYS[event.key]) alone(PAGE_KEYS[event.key]);
  else if (KEYS[event.key] && page && rows.length && !byId("segments").hidden) KEYS[event.key]();
  else return;
  event.preventDefault();
});

for (const [id, act] of Object.entries({ finish, undo, skip, compare }))
  byId(id).addEventListener("click", () => alone(act));
// Queued: the button is enabled before the next page has loaded, and a click in between must not be lost.
byId("retrain").addEventListener("click", () => retrain().catch(showError));
byId("show-original").addEventListener("click", toggleOriginal);
byId("show-help").addEventListener("click", VIEW_KEYS["?"]);
byId("menu").addEventListener("click", () => document.body.classList.add("side-open"));
byId("close").addEventListener("click", () => document.body.classList.remove("side-open"));

// ---- clicking and dragging

const rowAt = (node) => (node instanceof Element ? node.closest(".segment") : null);
const between = (a, b) => rows.map((_, i) => i).slice(Math.min(a, b), Math.max(a, b) + 1);

// A touch scrolls the page unless it starts on the bar at the left.
byId("segments").addEventListener("pointerdown", (event) => {
  const row = rowAt(event.target);
  dragged = false;
  if (!row || event.button !== 0 || event.target.closest("button")) return;
  if (event.pointerType === "touch" && !event.target.closest(".gutter")) return;
  const from = Number(row.dataset.index);
  drag = { from, to: from, keep: !page.segments[from].keep };
  preview();
});

addEventListener("pointermove", (event) => {
  if (!drag) return;
  const row = rowAt(document.elementFromPoint(event.clientX, event.clientY));
  if (event.clientY < 80) scrollBy(0, -20);
  if (event.clientY > innerHeight - 80) scrollBy(0, 20);
  if (!row || Number(row.dataset.index) === drag.to) return;
  const before = between(drag.from, drag.to);
  drag.to = Number(row.dataset.index);
  preview(before);
});

function preview(before = []) {
  const inside = new Set(between(drag.from, drag.to));
  for (const i of new Set([...before, ...inside]))
    paint(rows[i], page.segments[i], inside.has(i) ? drag.keep : page.segments[i].keep);
}

addEventListener("pointerup", () => {
  if (!drag) return;
  const { from, to, keep } = drag;
  drag = null;
  dragged = true;
  moveTo(to);
  change(between(from, to), { keep });
});

addEventListener("pointercancel", () => {
  if (!drag) return;
  for (const i of between(drag.from, drag.to)) paint(rows[i], page.segments[i], page.segments[i].keep);
  drag = null;
});

// Taps, and clicks made by assistive technology, are not preceded by a drag.
byId("segments").addEventListener("click", (event) => {
  const row = rowAt(event.target);
  if (!row) return;
  const i = Number(row.dataset.index);
  if (event.target.closest(".kind")) {
    moveTo(i);
    setKind(KINDS[(KINDS.indexOf(page.segments[i].kind) + 1) % KINDS.length]);
  } else if (!dragged && !event.target.closest("button")) {
    moveTo(i);
    toggle(i);
  }
  byId("segments").focus({ preventScroll: true });
});

// ---- start

// How ranges are dragged cannot be guessed on a touch screen, where a drag scrolls.
function showTouchHint() {
  byId("touch-hint").hidden = !matchMedia("(pointer: coarse)").matches || localStorage.getItem("touch-hint") === "seen";
}

byId("touch-hint-close").addEventListener("click", () => {
  localStorage.setItem("touch-hint", "seen");
  showTouchHint();
});

async function begin() {
  showSaved();
  showTouchHint();
  await refresh();
  frameAddress = (await ask("/api/frame")).address;
  for (let i = 0; i < PATIENCE && overview.ranking; i += 1) {
    await new Promise((resume) => setTimeout(resume, 100)); // wait for the ranking, so that the least certain page comes first
    await refresh();
  }
  const last = sessionStorage.getItem("page");
  if (overview.pages.some((each) => each.name === last)) await load(last);
  else await nextPage();
}

begin().catch(showError);
