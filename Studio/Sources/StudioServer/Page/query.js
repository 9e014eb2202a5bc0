// The query line: colours, completion, errors at their place, plan and groups.
import { h, fill, number, plural, questions, settled } from "./dom.js";
import { get } from "./server.js";
import { show } from "./cells.js";

const words = ["AND", "OR", "NOT", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "TEXT", "ANY", "ALL", "NONE", "SOME", "TRUEPREDICATE", "FALSEPREDICATE",
  "SORT", "DISTINCT", "LIMIT", "ASC", "DESC", "ASCENDING", "DESCENDING", "true", "false", "null", "nil", "GEOWITHIN"];
const special = ["@count", "@size", "@sum", "@min", "@max", "@avg", "@links", "@keys", "@values", "@type"];
const token = /("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?|\b\d[\w.]*)|(@?[\p{L}_$][\p{L}\p{N}_$]*)|(&&|\|\||[=!<>]=?|[-+*/(){}[\],.])|(\s+|.)/gsu;

/** Text as a query takes it whatever it holds: quotes know no escapes. */
export const quoted = (text) => `B64"${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}"`;

/** A property as a query names it; undefined for a name that no query can hold. */
export function queryName(name) {
  const isWord = words.some((word) => word.toLowerCase() === name.toLowerCase());
  return !isWord && /^[A-Za-z_\u{80}-\u{10FFFF}][A-Za-z0-9_$ \u{80}-\u{10FFFF}-]*$/u.test(name) ? name.replaceAll(" ", "\\ ") : undefined;
}

/** The pieces of a query with what they are. */
export function pieces(text, known) {
  return [...text.matchAll(token)].map(([all, string, number_, word, operator]) => {
    if (string) return { text: all, kind: "string" };
    if (number_) return { text: all, kind: "number" };
    if (word) {
      if (words.some((candidate) => candidate.toLowerCase() === word.toLowerCase())) return { text: all, kind: "word" };
      return { text: all, kind: word.startsWith("@") ? "special" : known(word) ? "property" : "unknown" };
    }
    return { text: all, kind: operator ? "operator" : "space" };
  });
}

export class QueryLine {
  constructor({ classes, changed }) {
    Object.assign(this, { classes, changed });
    this.paint = h("pre", { "aria-hidden": true });
    this.input = h("textarea", {
      rows: 1, spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": "query", placeholder: "Which objects?  age > 3 AND name BEGINSWITH \"A\"   ( / )",
      oninput: () => this.typed(), onkeydown: (event) => this.pressed(event), onscroll: () => { this.paint.scrollLeft = this.input.scrollLeft; },
      onblur: () => setTimeout(() => this.hideOffers(), 150),
    });
    this.offers = h("ul", { class: "offers", role: "listbox" });
    this.error = h("div", { class: "query-error", role: "alert" });
    this.element = h("div", { class: "query" }, h("div", { class: "query-field" }, this.paint, this.input, this.offers), this.error);
    this.check = settled(180, () => this.checkNow());
  }

  get text() { return this.input.value.trim(); }

  show(className, text) {
    this.className = className;
    if (this.input.value.trim() !== text) this.input.value = text;
    fill(this.error);
    this.draw();
  }

  get properties() { return this.classes().find((candidate) => candidate.name === this.className)?.properties ?? []; }

  draw(offset) {
    const names = new Set(this.classes().flatMap((candidate) => [candidate.name, ...candidate.properties.map((property) => property.name)]));
    let place = 0;
    const encoder = new TextEncoder();
    fill(this.paint, pieces(this.input.value, (word) => names.has(word)).map((piece) => {
      const start = place;
      place += encoder.encode(piece.text).length;
      const wrong = offset !== undefined && offset !== null && offset >= start && offset < Math.max(place, start + 1);
      return h("span", { class: piece.kind + (wrong ? " wrong" : "") }, piece.text);
    }), "\n");
    this.input.style.height = "auto";
    this.input.style.height = Math.min(160, this.input.scrollHeight) + "px";
  }

  typed() {
    this.draw();
    this.offer();
    this.check();
  }

  async checkNow() {
    const { text, className } = this;
    const isWanted = () => text === this.text && className === this.className;
    try {
      await get("check", { class: className, q: text });
      if (isWanted()) { fill(this.error); this.draw(); }
    } catch (error) {
      if (isWanted()) this.fail(error);
    }
  }

  /** Says what is wrong with the query, and where. */
  fail(error) {
    const offset = error.answer?.offset;
    fill(this.error, error.message, offset === undefined || offset === null ? "" : ` (at byte ${offset})`);
    this.draw(offset);
  }

  // Completion

  /** What may stand at the caret, with the beginning that is there. */
  candidates() {
    const before = this.input.value.slice(0, this.input.selectionStart);
    const match = /(?:^|[\s(!,&|=<>+*/-])((?:[\p{L}_$@][\p{L}\p{N}_$]*\.)*)([@\p{L}_$][\p{L}\p{N}_$]*)?$/u.exec(before);
    if (!match) return { start: "", list: [] };
    const path = match[1] ? match[1].slice(0, -1).split(".") : [];
    const start = match[2] ?? "";
    if (!start && path.length === 0) return { start, list: [] };
    let properties = this.properties;
    for (const step of path) {
      const property = properties.find((candidate) => candidate.name === step);
      properties = this.classes().find((candidate) => candidate.name === property?.target)?.properties ?? [];
    }
    const names = properties.map((property) => property.name);
    const list = [...names, ...(path.length ? special : [...words, ...special])]
      .filter((candidate) => candidate.toLowerCase().startsWith(start.toLowerCase()) && candidate !== start);
    return { start, list: list.slice(0, 12) };
  }

  offer() {
    const { start, list } = this.candidates();
    this.offered = list;
    this.picked = 0;
    fill(this.offers, list.map((name, index) => h("li", {
      role: "option", "aria-selected": index === 0, onmousedown: (event) => { event.preventDefault(); this.take(name, start); },
    }, name)));
    this.offers.hidden = list.length === 0;
  }
  hideOffers() { this.offers.hidden = true; this.offered = []; }

  take(name, start) {
    const caret = this.input.selectionStart;
    this.input.setRangeText(name, caret - start.length, caret, "end");
    this.hideOffers();
    this.typed();
    this.hideOffers();
  }

  pressed(event) {
    const open = this.offered?.length > 0 && !this.offers.hidden;
    if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      this.picked = (this.picked + (event.key === "ArrowDown" ? 1 : -1) + this.offered.length) % this.offered.length;
      [...this.offers.children].forEach((item, index) => item.setAttribute("aria-selected", index === this.picked));
    } else if (open && event.key === "Tab") {
      event.preventDefault();
      this.take(this.offered[this.picked], this.candidates().start);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.hideOffers();
      this.changed(this.text);
    } else if (event.key === "Escape") {
      this.hideOffers();
    }
  }
}

// Plan and groups

/** How a query is answered, in words. */
export async function plan(selection) {
  const explanation = await get("explain", selection);
  const total = explanation.steps.reduce((sum, step) => sum + step.microseconds, 0);
  return h("div", { class: "panel plan", "data-test": "plan" },
    h("h3", {}, `${number(explanation.selected)} of ${plural(explanation.objects, "object")} in ${time(total)}`),
    h("ol", {}, explanation.steps.map((step) => h("li", {},
      h("span", { class: "tag" + (step.index ? " good" : "") }, step.index ? "index" : /^(SORT|DISTINCT|LIMIT)/.test(step.text) ? "order" : "scan"), " ", step.text.replace(/^(index of|scan:|test of each object:) ?/, ""),
      h("div", { class: "faint" }, `${number(step.in)} → ${plural(step.out, "object")}${step.leaves ? `, ${plural(step.leaves, "leaf").replace("leafs", "leaves")} read` : ""}, ${time(step.microseconds)}`)))),
    explanation.steps.length === 0 ? h("p", {}, "Nothing has to be looked at: all objects are selected.") : "");
}

const time = (microseconds) => microseconds < 1000 ? `${microseconds.toFixed(1)} µs` : `${(microseconds / 1000).toFixed(2)} ms`;

/** Sums and groups of a selection. */
export function groups(selection, description) {
  const single = description.properties.filter((property) => !property.collection);
  const numbers = single.filter((property) => ["int", "float", "double", "decimal", "date", "mixed"].includes(property.type));
  const by = h("select", { multiple: true, size: 5, "aria-label": "group by" }, single.map((property) => h("option", { value: property.name }, property.name)));
  const functions = h("select", { multiple: true, size: 5, "aria-label": "functions" },
    numbers.flatMap((property) => (property.type === "date" ? ["min", "max"] : ["sum", "min", "max", "average"]).map((name) => h("option", { value: `${name}:${property.name}` }, `${name} of ${property.name}`))));
  const result = h("div", { class: "group-result" });
  const ask = questions();
  const run = async () => {
    const isWanted = ask();
    const chosen = (select) => [...select.selectedOptions].map((option) => option.value).join("\u001f");
    try {
      const answer = await get("groups", { ...selection(), by: chosen(by), functions: chosen(functions) });
      if (!isWanted()) return;
      const columns = [...by.selectedOptions].map((option) => single.find((property) => property.name === option.value));
      fill(result, h("table", { class: "plain", "data-test": "groups" }, h("thead", {}, h("tr", {}, answer.titles.map((title) => h("th", {}, title)))),
        h("tbody", {}, answer.rows.map((row) => h("tr", {}, row.map((cell, index) => {
          if (typeof cell === "number") return h("td", { class: "number" }, number(cell));
          const shown = show(cell, columns[index] ?? { type: "double", name: "" });
          return h("td", { class: shown.class }, shown.nodes);
        }))))), answer.total > answer.rows.length ? h("p", { class: "faint" }, `The first ${answer.rows.length} of ${plural(answer.total, "group")}.`) : "");
    } catch (error) { if (isWanted()) fill(result, h("p", { class: "bad" }, error.message)); }
  };
  by.addEventListener("change", run);
  functions.addEventListener("change", run);
  run();
  return h("div", { class: "panel groups" }, h("label", {}, "Group by", by), h("label", {}, "Functions", functions), result);
}
