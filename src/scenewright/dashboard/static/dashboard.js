// Keeps the page as the server says it is. The server renders; this only puts new rows in place, so that what is
// unfolded or has the focus stays, fetches what is unfolded, sends forms without leaving the page, and knows the keys.
"use strict";

const parser = new DOMParser();
const settled = 600; // ms in which a new question takes no answer: nobody means a button that was not there a blink ago

function parse(html) {
  return parser.parseFromString(html, "text/html").body;
}

function say(text, failed) {
  const notice = document.getElementById("notice");
  notice.textContent = text;
  notice.classList.toggle("failed", Boolean(failed));
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { notice.textContent = ""; }, 12000);
}

// Rows that are the same stay the very same elements; those that changed are replaced, with the focus where it was.
function updateRows(list, wanted) {
  const names = new Set(Array.from(wanted.children, (row) => row.id));
  for (const row of Array.from(list.children)) if (!names.has(row.id)) moveFocusOff(row).remove();
  let place = list.firstElementChild;
  for (const row of Array.from(wanted.children)) {
    const known = document.getElementById(row.id);
    if (known && known.parentElement === list) {
      if (known === place) place = place.nextElementSibling;
      else list.insertBefore(known, place);
      if (known.dataset.v !== row.dataset.v) replaceRow(known, row);
    } else {
      const fresh = document.importNode(row, true);
      list.insertBefore(fresh, place);
      welcome(fresh);
    }
  }
}

function replaceRow(known, row) {
  const chosen = known.contains(document.activeElement) ? document.activeElement : null;
  const unfolded = known.querySelector("details[open]");
  const fresh = document.importNode(row, true);
  known.replaceWith(fresh);
  const details = fresh.querySelector("details");
  if (unfolded && details) details.open = true;
  if (chosen) sameAs(chosen, fresh).focus();
}

// The element that does what one did that is gone, and never another button: a key may be on its way to it.
function sameAs(gone, row) {
  const label = gone.getAttribute("aria-label");
  const button = gone.tagName === "BUTTON" && Array.from(row.querySelectorAll("button"))
    .find((each) => each.getAttribute("aria-label") === label);
  return button || row.querySelector("summary") || row.closest("section").querySelector("h2");
}

function moveFocusOff(row) {
  if (row.contains(document.activeElement)) row.closest("section").querySelector("h2").focus();
  return row;
}

function welcome(row) {
  row.classList.add("new");
  const answers = row.querySelectorAll("button.answer");
  for (const button of answers) button.disabled = true;
  if (answers.length) setTimeout(() => { for (const button of answers) button.disabled = false; }, settled);
}

function updatePart(name, html) {
  const part = document.querySelector(`[data-part="${CSS.escape(name)}"]`);
  if (!part) return;
  const wanted = parse(html);
  const list = part.querySelector(":scope > [data-rows]");
  const rows = wanted.querySelector(":scope > [data-rows]");
  if (list && rows) {
    updateRows(list, rows);
    const rest = (box) => Array.from(box.children).filter((each) => !each.hasAttribute("data-rows"));
    for (const old of rest(part)) old.remove();
    for (const each of rest(wanted)) part.append(document.importNode(each, true));
  } else if (part.innerHTML !== wanted.innerHTML) {
    const had = part.contains(document.activeElement);
    part.replaceChildren(...Array.from(wanted.childNodes, (node) => document.importNode(node, true)));
    if (had) part.closest("section").querySelector("h2").focus();
  }
  if (name === "approvals" || name === "runs") countWaiting();
}

function countWaiting() {
  const waiting = document.querySelectorAll("#approvals li.waits, #runs li.waiting").length;
  const bare = document.title.replace(/^\(\d+\) /, "");
  document.title = waiting ? `(${waiting}) ${bare}` : bare;
  document.getElementById("approvals").classList.toggle("waits", document.querySelector("#approvals li.waits") !== null);
  if (waiting > (countWaiting.last ?? waiting)) say(waiting === 1 ? "Something waits for you." : `${waiting} things wait for you.`);
  countWaiting.last = waiting;
}

function listen() {
  const state = document.getElementById("state");
  const source = new EventSource(document.body.dataset.events);
  const set = (text, live) => {
    if (state.textContent !== text) state.textContent = text;
    state.classList.toggle("live", live);
  };
  source.addEventListener("open", () => set("live", true));
  source.addEventListener("error", () => set(source.readyState === EventSource.CLOSED ? "ended" : "not connected", false));
  source.addEventListener("part", (event) => {
    const { part, html } = JSON.parse(event.data);
    updatePart(part, html);
  });
}

async function unfold(details) {
  const inside = details.querySelector(".inside");
  if (!details.open || !inside || inside.dataset.here) return;
  inside.dataset.here = "yes";
  try {
    const answer = await fetch(inside.dataset.more, { headers: { "x-piece": "1" } });
    if (!answer.ok) throw new Error(await answer.text());
    inside.replaceChildren(...parse(await answer.text()).childNodes);
  } catch (problem) {
    delete inside.dataset.here;
    say(problem.message || "The server does not answer.", true);
  }
}

async function send(form) {
  const buttons = form.closest("li")?.querySelectorAll("button") ?? form.querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  try {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(form.action, { method: "POST", body, headers: { "x-piece": "1" } });
    if (!answer.ok) throw new Error(await answer.text());
    const { done, text } = await answer.json();
    say(text, !done);
  } catch (problem) {
    say(problem.message || "The server does not answer.", true);
  }
  for (const button of buttons) button.disabled = false;
}

// Keys

const rows = () => Array.from(document.querySelectorAll("main li > details > summary, main li.waits button.answer"));

function step(by) {
  const all = rows();
  if (!all.length) return;
  const row = document.activeElement?.closest("main li");
  const at = all.findIndex((each) => each === document.activeElement || (row && each.closest("li") === row));
  all[Math.min(all.length - 1, Math.max(0, at < 0 ? 0 : at + by))].focus();
}

function undoChosen() {
  const row = document.activeElement?.closest("#changes li");
  const button = (row ?? document.querySelector("#changes li:has(button.undo)"))?.querySelector("button.undo");
  if (button) button.click();
  else say("There is no change to take back here.", true);
}

const keys = {
  j: () => step(1),
  k: () => step(-1),
  u: undoChosen,
  w: () => document.getElementById("approvals-title").focus(),
  c: () => document.getElementById("calls-title").focus(),
  h: () => document.getElementById("changes-title").focus(),
  "?": () => document.getElementById("keys").showModal(),
};

function onKey(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (target.closest("input, textarea, select, dialog") || !document.getElementById("use-keys").checked) return;
  if (!Object.hasOwn(keys, key)) return;
  event.preventDefault();
  keys[key]();
}

document.addEventListener("toggle", (event) => {
  if (event.target instanceof HTMLDetailsElement) unfold(event.target);
}, true);
document.addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  event.preventDefault();
  send(event.target);
});
document.addEventListener("keydown", onKey);
const showKeys = document.getElementById("show-keys");
showKeys.hidden = false;
showKeys.addEventListener("click", keys["?"]);
countWaiting();
listen();
