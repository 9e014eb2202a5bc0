// The page as a whole: what the address says is shown; what the program tells is passed on.
import { h, fill, toast, note, dialog, bytes, settled } from "./dom.js";
import { get, post, listen } from "./server.js";
import { Objects } from "./objects.js";
import { FileView } from "./file.js";
import { Schema } from "./schema.js";

const bar = document.getElementById("bar");
const notice = document.getElementById("notice");
const view = document.getElementById("view");

let file;
let edits = {};
let connected = true;

/** The address behind `#`: which view, class, query, order and object. */
const place = {
  get now() {
    const [name, query] = location.hash.replace(/^#\/?/, "").split("?");
    return { view: name || "objects", ...Object.fromEntries(new URLSearchParams(query ?? "")) };
  },
  address(parts) {
    const { view: name = "objects", ...rest } = parts;
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(rest)) if (value) query.set(key, value);
    return `/${name}${query.size ? "?" + query : ""}`;
  },
  go(changes, replaces = false) {
    const address = "#" + this.address({ ...this.now, ...changes });
    if (address === location.hash) return;
    if (replaces) { history.replaceState(null, "", address); show(); } else location.hash = address;
  },
};

/** The user has changed something: what can be taken back now, and what became of values that are not what was written. */
function edited(answer) {
  if (answer?.edits) edits = answer.edits;
  for (const text of answer?.notes ?? []) note(text);
  drawBar();
}

const context = { file: () => file, place, edited };
const views = { objects: new Objects(context), file: new FileView(context), schema: new Schema(context) };

function drawBar() {
  const now = place.now.view;
  const tab = (name, title) => h("a", { href: "#" + place.address(name === "objects" ? { ...(views.objects.last ?? {}), view: name } : { view: name }), class: now === name ? "here" : "", "data-view": name }, title);
  const undo = (path, title, test, icon) => h("button", {
    title: title ? `${icon === "↶" ? "take back" : "do again"}: ${title}` : "nothing to do", disabled: !title, "data-test": test, "aria-label": test, onclick: () => change(path),
  }, icon);
  fill(bar, h("strong", { class: "title", title: file?.path }, file?.name ?? "Realm Studio"), h("span", { class: "dot" + (connected ? " on" : ""), title: connected ? "live" : "realm-studio has ended" }),
    file && !file.locked ? [h("nav", {}, tab("objects", "Objects"), tab("schema", "Schema"), tab("file", "File")),
      file.writable ? [undo("undo", edits.undo, "undo", "↶"), undo("redo", edits.redo, "redo", "↷")] : h("span", { class: "tag", title: file.readOnlyReason ?? "" }, "read-only"),
      h("span", { class: "faint version", "data-test": "version" }, `version ${file.version}`)] : "");
  document.title = file ? `${file.name} – Realm Studio` : "Realm Studio";
}

async function change(path) {
  try {
    const answer = await post(path);
    context.edited(answer);
    toast(`${path === "undo" ? "Taken back" : "Done again"}: ${answer.title}`);
  } catch (error) { toast(error.message, "bad"); }
}

function show() {
  const name = views[place.now.view] ? place.now.view : "objects";
  drawBar();
  if (!file || file.locked) return;
  if (name === "objects") { const { view: ignored, ...rest } = place.now; views.objects.last = rest; }
  if (views[name].element.parentElement !== view) fill(view, views[name].element);
  views[name].show();
}

// Opening

async function open() {
  try { file = await get("file"); } catch (error) {
    fill(view, h("div", { class: "message" }, h("h2", {}, "The file cannot be shown"), h("p", { class: "bad" }, error.message)));
    return;
  }
  file.schema = JSON.stringify(file.classes?.map((description) => [description.name, description.properties]) ?? []);
  if (file.locked) { askForKey(); return; }
  drawNotice();
  show();
  edits = await get("edits");
  drawBar();
  for (const job of await get("jobs")) views.file.job(job);
  sizes();
}

function askForKey() {
  drawBar();
  const key = h("input", { type: "password", autocomplete: "off", placeholder: "128 hexadecimal digits", "aria-label": "key", "data-test": "key" });
  const problem = h("p", { class: "bad", role: "alert" });
  fill(view, h("form", {
    class: "message", onsubmit: async (event) => {
      event.preventDefault();
      try { await post("unlock", { key: key.value }); await open(); } catch (error) { fill(problem, error.message); }
    },
  }, h("h2", {}, "The file is encrypted"), h("p", {}, "Its key stays between this page and the program on this machine."), h("div", { class: "inline" }, key, h("button", { class: "primary", "data-test": "unlock" }, "Open")), problem));
  key.focus();
}

function drawNotice() {
  fill(notice, file.needsUpgrade ? h("div", { class: "banner" }, `The file has format ${file.format}, which only readers understand. `, file.readOnly ? "It is shown read-only." : h("button", {
    "data-test": "upgrade", onclick: async () => {
      const agreed = await dialog("Upgrade the file?", (close) => [h("p", {}, "Programs with an older Realm will not open it any more. A backup of the file as it is stays beside it."),
        h("div", { class: "buttons" }, h("button", { onclick: () => close(false) }, "Cancel"), h("button", { class: "primary", "data-test": "confirm", onclick: () => close(true) }, "Upgrade"))]);
      if (!agreed) return;
      try { await post("upgrade"); await open(); toast("The file has format 24 now."); } catch (error) { toast(error.message, "bad"); }
    },
  }, "Upgrade to edit")) : file.readOnlyReason ? h("div", { class: "banner" }, file.readOnlyReason) : "");
}

// What the program tells

let refreshing = Promise.resolve();
let pending;

/** Changes that come while the last ones are still being shown are shown together. */
function heard(event) {
  if (event.kind === "job") { views.file.job(event); return; }
  if (event.kind === "problem") { toast(event.message, "bad"); return; }
  pending = pending ? { ...event, everything: true, schema: event.schema || pending.schema } : event;
  refreshing = refreshing.then(async () => {
    const event = pending;
    if (!event) return;
    pending = undefined;
    // What can be taken back is that of the program, whichever of its pages did it.
    let fresh;
    [fresh, edits] = await Promise.all([get("file"), get("edits")]);
    fresh.schema = JSON.stringify(fresh.classes.map((description) => [description.name, description.properties]));
    const isNew = fresh.schema !== file.schema;
    file = fresh;
    drawBar();
    if (isNew) show();
    const current = views[place.now.view] ?? views.objects;
    await current.changed(event);
    sizesLater();
  }).catch((error) => toast(error.message, "bad"));
}

/** How many bytes each class takes; a walk over the file, so not with each commit. */
async function sizes() {
  try {
    const status = await get("status");
    views.objects.sizes = Object.fromEntries(status.classes.map((row) => [row.class, bytes(row.bytes)]));
    if (place.now.view === "objects") views.objects.drawSide();
  } catch { /* the file view says why */ }
}
const sizesLater = settled(3000, sizes);

// Keys

addEventListener("keydown", (event) => {
  const isWriting = event.target.closest?.("input, textarea, select, dialog");
  const isCommand = event.ctrlKey || event.metaKey;
  if (!isWriting && isCommand && event.key.toLowerCase() === "z") { event.preventDefault(); change(event.shiftKey ? "redo" : "undo"); }
  if (!isWriting && isCommand && event.key.toLowerCase() === "y") { event.preventDefault(); change("redo"); }
  if (!isWriting && event.key === "/") { event.preventDefault(); views.objects.query.input.focus(); }
  if (!isWriting && event.key === "Escape" && place.now.key) place.go({ key: "", of: "" });
  if (!isWriting && event.key === "Delete" && place.now.view === "objects" && views.objects.grid.chosen.size && file?.writable) views.objects.remove([...views.objects.grid.chosen]);
});
addEventListener("hashchange", show);
listen(heard, (isThere) => {
  const wasThere = connected;
  connected = isThere;
  drawBar();
  // What was missed meanwhile.
  if (isThere && !wasThere && file && !file.locked) heard({ kind: "change", everything: true, schema: true });
});
open();
