// One object: everything it holds, who links to it, and changing it.
import { h, fill, number, plural, dialog, confirmed, toast, questions } from "./dom.js";
import { get, post, link, Refusal } from "./server.js";
import { show, typeText, key as keyMark } from "./cells.js";
import { queryName, quoted } from "./query.js";

export class Detail {
  /** `file()` describes the file; `go(class, key)` shows another object; `closed()`, `edited(answer)` are told. */
  constructor({ file, go, closed, edited }) {
    Object.assign(this, { file, go, closed, edited });
    this.element = h("aside", { class: "detail", hidden: true, "aria-label": "object" });
    this.element.addEventListener("click", (event) => {
      const target = event.target.closest("a[data-key]");
      if (!target) return;
      event.preventDefault();
      this.go(target.dataset.class, target.dataset.key);
    });
  }

  hide() {
    this.element.hidden = true;
    this.shown = undefined;
    this.place = undefined;
  }

  async show(className, key) {
    this.shown = { className, key: String(key) };
    this.element.hidden = false;
    await this.load();
  }

  /** Shows the object as it is now, unless the user is writing. */
  async refresh() {
    if (this.shown && !this.begun().length) await this.load(true);
  }

  /** The values the user has begun to change: a form that is done with is inert until the object is shown anew. */
  begun() {
    return [...this.element.querySelectorAll("dd > form:not([inert])")].map((form) => form.parentElement);
  }

  async load(flashes = false) {
    const { className, key } = this.shown;
    const isStillShown = () => this.shown?.key === key && this.shown.className === className;
    let object;
    try { object = await get("object", { class: className, key }); } catch (error) {
      if (isStillShown()) fill(this.element, this.head(className, key, `#${key}`), h("p", { class: "bad" }, error.message));
      return;
    }
    if (!isStillShown()) return;
    // Meanwhile the user may have begun to write.
    if (flashes && this.begun().length) return;
    const old = flashes ? this.object : undefined;
    this.object = object;
    const description = this.file().classes.find((candidate) => candidate.name === className);
    if (!description) return;
    // What the user writes elsewhere in the same object stays when one value of it is stored.
    const place = `${className} ${key}`;
    const begun = this.place === place ? this.begun() : [];
    const focused = document.activeElement;
    this.place = place;
    fill(this.element, this.head(className, key, object.title, description), h("dl", {}, object.properties.map((value, index) =>
      this.property(description.properties[index], value, old && old.properties[index]?.json !== value.json))),
    object.links.length ? h("h3", {}, "Linked from") : "",
    object.links.map((origin) => h("div", { class: "origins" }, h("div", { class: "faint" }, `${origin.class}.${origin.property}: ${number(origin.count)}`),
      h("ul", {}, origin.objects.map((cell) => h("li", {}, show(cell, { type: "link" }).nodes)),
        origin.count > origin.objects.length ? h("li", { class: "faint" }, `and ${number(origin.count - origin.objects.length)} more`) : ""))));
    for (const entry of begun) this.element.querySelector(`dd[data-name="${CSS.escape(entry.dataset.name)}"]`)?.replaceWith(entry);
    if (begun.some((entry) => entry.contains(focused))) focused.focus();
  }

  head(className, key, title, description) {
    const canDelete = this.file().writable && description && description.kind !== "embedded";
    return h("header", {}, h("button", { title: "back", "aria-label": "back", "data-test": "back", onclick: () => history.back() }, "←"),
      h("h2", {}, title, " ", h("span", { class: "faint" }, `${className} #${key}`)),
      canDelete ? h("button", { class: "danger", "data-test": "delete-object", onclick: () => this.remove(className, key, title) }, "Delete") : "",
      h("button", { title: "close (Esc)", "aria-label": "close", onclick: () => this.closed() }, "✕"));
  }

  property(property, value, flashes) {
    const place = { class: this.shown.className, key: this.shown.key };
    const shown = show(value.cell, property, place);
    const canEdit = this.file().writable && !property.primaryKey && value.json !== null;
    const entry = h("dd", { class: shown.class + (flashes ? " flash" : ""), "data-name": property.name });
    const edit = () => this.edit(entry, property, value);
    const isData = value.cell && typeof value.cell === "object" && "b" in value.cell;
    const opener = canEdit ? h("button", { class: "edit", title: "edit", "aria-label": `edit ${property.name}`, onclick: edit }, "✎") : "";
    const picture = isData && value.cell.i ? h("img", { class: "picture", src: link("blob", { ...place, property: property.name }), alt: "" }) : "";
    const save = isData && value.cell.b ? h("a", { href: link("blob", { ...place, property: property.name, save: 1 }), download: "data.bin" }, "save") : "";
    fill(entry, picture || (value.elements ? this.elements(property, value, place) : h("div", { class: "value", ondblclick: canEdit ? edit : undefined }, shown.nodes)), save, opener);
    return [h("dt", {}, property.primaryKey ? keyMark() : "", property.name, " ", h("span", { class: "faint" }, typeText(property))), entry];
  }

  /** A collection, unfolded. */
  elements(property, value, place) {
    const count = value.cell?.n ?? value.cell?.v?.n ?? 0;
    const list = h("ol", { class: "elements" });
    const add = (elements) => {
      for (const element of elements) {
        const index = typeof element.k === "number" ? element.k : undefined;
        const shown = show(element.v, { ...property, collection: undefined }, { ...place, index });
        list.append(h("li", { class: shown.class }, h("span", { class: "faint" }, index === undefined ? element.k : `${index}`), " ", shown.nodes));
      }
    };
    add(value.elements);
    const more = h("button", {
      class: "link", onclick: async () => {
        more.disabled = true;
        try {
          const answer = await get("elements", { ...place, property: property.name, from: list.children.length });
          add(answer.elements);
          more.hidden = list.children.length >= answer.count;
        } catch (error) { toast(error.message, "bad"); }
        more.disabled = false;
      },
    }, "more");
    more.hidden = list.children.length >= count;
    return h("details", { open: count <= 20 }, h("summary", {}, plural(count, property.collection === "dictionary" ? "entry" : "element").replace("entrys", "entries")), list, more);
  }

  // Changing

  edit(entry, property, value) {
    if (property.type === "link" && !property.collection && !property.embedded) return this.pick(property, value);
    const cell = value.cell;
    // Long texts are cut off where they are shown, and a field for text makes one line feed of every line break: in JSON they stay what they are.
    const isOther = property.type === "string" && typeof cell === "string" && (JSON.parse(value.json) !== cell || cell.includes("\r"));
    const isJSON = property.collection || property.embedded || property.type === "mixed" || property.type === "data" || isOther;
    const scalar = typeof cell === "string" ? cell : cell === null ? "" : typeof cell === "boolean" ? String(cell) : "";
    const input = property.type === "bool" && !property.collection
      ? h("select", { name: "value" }, ["true", "false"].map((text) => h("option", { value: text, selected: text === scalar }, text)))
      : h("textarea", { name: "value", rows: isJSON ? 6 : 1, spellcheck: "false" });
    if (input.tagName === "TEXTAREA") input.value = isJSON ? value.json : scalar;
    const problem = h("div", { class: "bad", role: "alert" });
    const nullable = property.optional && !property.collection;
    const end = () => { form.inert = true; return this.load(); };
    const store = this.storing(property, value);
    const set = async (assignment) => {
      try {
        await store(assignment);
        await end();
      } catch (error) {
        fill(problem, error.message, error instanceof Refusal && error.answer.conflict ? h("button", { class: "link", type: "button", onclick: end }, "show what it is now") : "");
      }
    };
    const form = h("form", {
      class: "editor", onsubmit: (event) => { event.preventDefault(); set(property.type === "mixed" || isJSON ? { json: input.value } : { text: input.value }); },
      onkeydown: (event) => {
        if (event.key === "Escape") { event.stopPropagation(); end(); }
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey || (!event.shiftKey && !isJSON))) { event.preventDefault(); form.requestSubmit(); }
      },
    }, input, isJSON ? h("div", { class: "faint" }, "as JSON; Ctrl-Enter saves") : "", problem, h("div", { class: "buttons" },
      nullable ? h("button", { type: "button", onclick: () => set({ null: true }) }, "Set null") : "",
      h("button", { type: "button", onclick: end }, "Cancel"), h("button", { class: "primary", "data-test": "save" }, "Save")));
    fill(entry, form);
    input.focus();
    if (input.select) input.select();
  }

  /** Stores another value of a property, in the object that is shown now: when it is stored, another one may be. */
  storing(property, value) {
    const { className, key } = this.shown;
    return async (assignment) =>
      this.edited(await post("edit", { class: className, key, set: [{ name: property.name, ...assignment }], expected: { [property.name]: value.json } }));
  }

  async pick(property, value) {
    const store = this.storing(property, value);
    const chosen = await pickObject(this.file(), property.target, property.optional || true);
    if (chosen === undefined) return;
    try {
      await store(chosen === null ? { null: true } : { link: chosen });
      await this.load();
    } catch (error) { toast(error.message, "bad"); }
  }

  async remove(className, key, title) {
    if (!await confirmed(`Delete ${title}?`, `${className} #${key} is deleted, and links to it become null. This can be taken back while realm-studio runs.`, "Delete")) return;
    try {
      this.edited(await post("delete", { class: className, keys: [key] }));
      this.closed();
    } catch (error) { toast(error.message, "bad"); }
  }
}

/** Lets the user choose an object; resolves with its key, null for none, undefined if cancelled. */
export function pickObject(file, className, canBeNone) {
  const description = file.classes.find((candidate) => candidate.name === className);
  return dialog(`Choose: ${className}`, (close) => {
    const list = h("ul", { class: "choices" });
    const search = h("input", { type: "search", placeholder: "search", "aria-label": "search" });
    const names = description.properties.filter((property) => property.type === "string" && !property.collection).map((property) => queryName(property.name)).filter(Boolean);
    const ask = questions();
    const load = async () => {
      const isWanted = ask();
      const wanted = search.value.trim();
      const q = wanted ? names.slice(0, 3).map((name) => `${name} CONTAINS[c] ${quoted(wanted)}`).join(" OR ") : "";
      try {
        const answer = await get("rows", { class: className, q, count: 50 });
        if (!isWanted()) return;
        fill(list, answer.rows.map((row) => {
          const title = description.properties.map((property, index) => ({ property, cell: row[index + 1] })).filter(({ cell }) => cell !== null).slice(0, 3).map(({ property, cell }) => show(cell, property).text).join(" · ");
          return h("li", {}, h("button", { class: "link", "data-test": "choice", onclick: () => close(row[0]) }, `#${row[0]}  ${title}`));
        }), answer.rows.length === 0 ? h("li", { class: "faint" }, "nothing found") : "");
      } catch (error) { if (isWanted()) fill(list, h("li", { class: "bad" }, error.message)); }
    };
    search.addEventListener("input", load);
    load();
    return [search, list, h("div", { class: "buttons" }, canBeNone ? h("button", { onclick: () => close(null) }, "None") : "", h("button", { onclick: () => close(undefined) }, "Cancel"))];
  });
}

/** A new object; resolves with the answer of the program, or undefined. */
export function addObject(file, description) {
  return dialog(`Add to ${description.name}`, (close) => {
    const problem = h("div", { class: "bad", role: "alert" });
    const fields = description.properties.map((property) => {
      const isJSON = property.collection || property.embedded || property.type === "data" || (property.type === "link" && !property.embedded && property.collection);
      const input = h("input", { name: property.name, placeholder: isJSON ? "JSON" : property.optional ? "null" : property.type, "aria-label": property.name });
      let linked;
      const button = property.type === "link" && !property.collection && !property.embedded
        ? h("button", { type: "button", onclick: async () => { const key = await pickObject(file, property.target, true); if (key !== undefined) { linked = key; button.textContent = key === null ? "none" : `#${key}`; } } }, "choose")
        : undefined;
      const value = () => {
        if (button) return linked === undefined || linked === null ? undefined : { name: property.name, link: linked };
        if (input.value === "") return property.type === "string" && !property.optional && !property.collection ? { name: property.name, text: "" } : undefined;
        return { name: property.name, [isJSON ? "json" : "text"]: input.value };
      };
      return { node: h("label", {}, h("span", {}, property.primaryKey ? keyMark() : "", property.name, " ", h("span", { class: "faint" }, typeText(property))), button ?? input), value };
    });
    return h("form", {
      class: "fields", onsubmit: async (event) => {
        event.preventDefault();
        try { close(await post("insert", { class: description.name, values: fields.map((field) => field.value()).filter(Boolean) })); } catch (error) { fill(problem, error.message); }
      },
    }, fields.map((field) => field.node), problem, h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => close(undefined) }, "Cancel"), h("button", { class: "primary", "data-test": "save-new" }, "Add")));
  });
}
