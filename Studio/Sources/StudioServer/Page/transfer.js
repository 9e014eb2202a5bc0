// Objects in and out of the file.
import { h, fill, number, plural, dialog, questions } from "./dom.js";
import { post, link } from "./server.js";

/** Saves a selection. `properties` are those of its class. */
export function exportMenu(selection, properties) {
  const leftOut = properties.filter((property) => property.embedded).map((property) => property.name);
  return dialog("Export", (close) => [
    h("p", {}, selection.q ? "The objects that the query selects:" : "All objects of the class:"),
    leftOut.length ? h("p", { class: "quiet", "data-test": "left-out" }, `CSV leaves out what embedded objects hold (${leftOut.join(", ")}); JSON has it.`) : null,
    h("div", { class: "buttons" }, ["csv", "json", "jsonl"].map((format) =>
      h("a", { class: "button", "data-test": `export-${format}`, href: link("export", { ...selection, format }), download: `${selection.class}.${format}`, onclick: () => setTimeout(() => close(), 50) }, format.toUpperCase())),
      h("button", { onclick: () => close() }, "Cancel")),
  ]);
}

/** Brings CSV or JSON into a class, after a look at it; resolves with the answer of the program. */
export function importDialog(className, classes) {
  return dialog("Import", (close) => {
    const chooser = h("input", { type: "file", accept: ".csv,.json,.jsonl,.ndjson,text/csv,application/json", "data-test": "import-file" });
    const name = h("input", { value: className, list: "known-classes", "aria-label": "class" });
    const key = h("select", { "aria-label": "primary key" });
    const update = h("input", { type: "checkbox" });
    const view = h("div", { class: "preview" });
    const go = h("button", { class: "primary", disabled: true, "data-test": "import-go" }, "Import");
    const format = (file) => (/\.(jsonl|ndjson)$/i.test(file.name) ? "jsonl" : /\.json$/i.test(file.name) ? "json" : "csv");
    const parameters = () => ({ class: name.value, format: format(chooser.files[0]), key: key.value, update: update.checked ? 1 : "" });
    const ask = questions();
    const preview = async () => {
      const isWanted = ask();
      const file = chooser.files[0];
      if (!file || !name.value) return;
      fill(view, h("p", { class: "faint" }, "Reading…"));
      try {
        const answer = await post("import", file, { ...parameters(), preview: 1 });
        if (!isWanted()) return;
        const chosen = key.value;
        fill(key, h("option", { value: "" }, "none"), answer.fields.map((field) => h("option", { value: field.name, selected: field.name === chosen }, field.name)));
        key.disabled = !answer.newClass;
        go.disabled = answer.badCount > 0;
        fill(view, h("p", {}, `${plural(answer.rows, "row")} into ${answer.newClass ? "a new class" : "the class"} ${name.value}.`),
          h("div", { class: "scroll" }, h("table", { class: "plain", "data-test": "preview" }, h("thead", {}, h("tr", {}, answer.fields.map((field) => h("th", {}, field.name, h("div", { class: "faint" }, field.existing ? `${field.existing} (in the file)` : field.type + (field.optional ? "?" : "")))))),
            h("tbody", {}, answer.sample.map((row) => h("tr", {}, row.map((text) => h("td", { class: text === null ? "null" : "" }, text ?? "null"))))))),
          answer.notes.map((note) => h("p", { class: "faint" }, note)),
          answer.bad.map((bad) => h("p", { class: "bad" }, `line ${bad.line}: ${bad.reason}`)), answer.badCount > answer.bad.length ? h("p", { class: "bad" }, `and ${number(answer.badCount - answer.bad.length)} more`) : "");
      } catch (error) {
        if (!isWanted()) return;
        go.disabled = true;
        fill(view, h("p", { class: "bad" }, error.message));
      }
    };
    for (const element of [chooser, name, key, update]) element.addEventListener("change", preview);
    go.addEventListener("click", async () => {
      go.disabled = true;
      try { close(await post("import", chooser.files[0], parameters())); } catch (error) {
        fill(view, h("p", { class: "bad" }, error.message), (error.answer?.bad ?? []).map((bad) => h("p", { class: "bad" }, `line ${bad.line}: ${bad.reason}`)));
      }
    });
    return [h("p", {}, "CSV, JSON or JSON lines. All of it is stored, or nothing."),
      h("div", { class: "fields" }, h("label", {}, h("span", {}, "File"), chooser), h("label", {}, h("span", {}, "Class"), name), h("datalist", { id: "known-classes" }, classes.map((known) => h("option", { value: known.name }))),
        h("label", {}, h("span", {}, "Primary key of a new class"), key), h("label", {}, h("span", {}, "Change objects whose key exists"), update)),
      view, h("div", { class: "buttons" }, h("button", { onclick: () => close() }, "Cancel"), go)];
  });
}
