// The report's only script: a threshold that re-colours the page, filters, and keys.
// Everything it reads are numbers that report/html_report.py wrote into data attributes.
"use strict";

const rows = [...document.querySelectorAll(".segment")].map((element) => ({
  element,
  score: Number(element.dataset.score),
  words: Number(element.dataset.words),
  decided: element.classList.contains("kept"),
  fixed: "fixed" in element.dataset, // a rule or a neighbour decided, whatever the score
  kept: element.classList.contains("kept"),
}));
const slider = document.getElementById("cut");
const start = slider.getAttribute("value");
const bars = [...document.querySelectorAll("rect")];
const numbers = new Intl.NumberFormat("en");

function show(id, text) {
  document.getElementById(id).textContent = text;
}

function signed(value) {
  const digits = Math.abs(value) < 10 ? 2 : 0;
  return (value < 0 ? "−" : value > 0 ? "+" : "") + Math.abs(value).toFixed(digits);
}

function recolour(keeps) {
  for (const row of rows) {
    const kept = keeps(row);
    if (kept === row.kept) continue;
    row.kept = kept;
    row.element.classList.toggle("kept", kept);
    row.element.classList.toggle("dropped", !kept);
  }
  const kept = rows.filter((row) => row.kept);
  show("kept-segments", numbers.format(kept.length));
  show("kept-words", numbers.format(kept.reduce((sum, row) => sum + row.words, 0)));
}

// The slider runs over asinh(score): fine steps around 0, large ones far away.
function paintBars() {
  for (const bar of bars) bar.classList.toggle("below", Number(bar.dataset.at) <= Number(slider.value));
}

slider.addEventListener("input", () => {
  const cut = Math.sinh(Number(slider.value));
  recolour((row) => (row.fixed ? row.decided : row.score > cut));
  show("cut-value", signed(cut));
  document.getElementById("decided").disabled = false;
  paintBars();
});

document.getElementById("decided").addEventListener("click", (event) => {
  slider.value = start;
  recolour((row) => row.decided);
  show("cut-value", signed(Math.sinh(Number(start))));
  event.target.disabled = true;
  paintBars();
});

document.querySelector(".tools").addEventListener("submit", (event) => event.preventDefault());
document.querySelector(".tools").addEventListener("change", (event) => {
  if (event.target.type === "radio") set(event.target.name, event.target.value);
});

// The preview shows no segments: there is nothing to filter.
function set(name, value) {
  document.body.dataset[name] = value;
  document.getElementById("filter").disabled = document.body.dataset.view === "markdown";
}

function choose(name, value) {
  const radio = document.querySelector(`input[name="${name}"][value="${value}"]`);
  if (radio.closest("[hidden]")) return; // no heat map from this model, or no text
  radio.checked = true;
  if (name === "show" && document.body.dataset.view === "markdown") choose("view", "verdicts");
  set(name, value);
}

function move(step) {
  const visible = rows.map((row) => row.element).filter((element) => element.offsetParent);
  const here = visible.indexOf(document.activeElement.closest(".segment"));
  const next = visible[here < 0 ? 0 : Math.min(visible.length - 1, Math.max(0, here + step))];
  if (!next) return;
  next.querySelector("summary").focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

const keys = {
  j: () => move(1),
  k: () => move(-1),
  d: () => choose("show", document.body.dataset.show === "dropped" ? "all" : "dropped"),
  h: () => choose("view", document.body.dataset.view === "heat" ? "verdicts" : "heat"),
  m: () => choose("view", document.body.dataset.view === "markdown" ? "verdicts" : "markdown"),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  keys[event.key]();
  event.preventDefault();
});

slider.value = start; // some browsers bring back the last position on reload
paintBars();
