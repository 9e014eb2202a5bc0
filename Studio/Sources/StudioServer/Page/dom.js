// Elements. Text is always text: nothing here reads HTML, so no value of a file can become any.

/** An element with properties (`class`, `onclick`, `data-…`, …) and children: elements, texts, or nothing. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** As `h`, for pictures. */
export function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child);
  }
}

/** Replaces what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** Tells something for a while. */
export function toast(text, kind = "") {
  const note = h("div", { class: "toast " + kind }, text);
  document.getElementById("toasts").append(note);
  setTimeout(() => note.remove(), kind === "bad" ? 9000 : 4000);
}

/** Tells something that the user has to know, over everything else and covering nothing, until it is closed. */
export function note(text) {
  const line = h("div", { class: "banner note" }, h("span", {}, text), h("button", { title: "close", "aria-label": "close", onclick: () => line.remove() }, "✕"));
  document.getElementById("notes").append(line);
}

/** A window in front of everything; resolves with what `close` is given, or undefined, as it is when the page goes on to something else. */
export function dialog(title, build) {
  return new Promise((resolve) => {
    const element = h("dialog", { "aria-label": title });
    let result;
    const close = (value) => { result = value; element.close(); };
    const cancel = () => close();
    addEventListener("hashchange", cancel);
    fill(element, h("h2", {}, title), build(close));
    element.addEventListener("close", () => { removeEventListener("hashchange", cancel); element.remove(); resolve(result); });
    document.body.append(element);
    element.showModal();
  });
}

/** Asks before something is lost. */
export const confirmed = (title, text, action) => dialog(title, (close) => [
  h("p", {}, text),
  h("div", { class: "buttons" },
    h("button", { onclick: () => close(false) }, "Cancel"),
    h("button", { class: "danger", "data-test": "confirm", onclick: () => close(true) }, action)),
]);

export const plural = (count, word) => `${number(count)} ${word}${count === 1 ? "" : word.endsWith("s") ? "es" : "s"}`;
export const number = (value) => Number(value).toLocaleString("en");

/** Bytes as people read them. */
export function bytes(count) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (count >= 1024 && unit < units.length - 1) { count /= 1024; unit += 1; }
  return `${unit === 0 ? count : count.toFixed(count < 10 ? 2 : 1)} ${units[unit]}`;
}

/** Questions of which only the newest counts: each call asks one, and returns whether its answer is still wanted. */
export function questions() {
  let newest = 0;
  return () => {
    const mine = ++newest;
    return () => mine === newest;
  };
}

/** The last call within a time. */
export function settled(delay, body) {
  let timer;
  return (...values) => { clearTimeout(timer); timer = setTimeout(() => body(...values), delay); };
}
