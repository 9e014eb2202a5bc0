"""Changes, undo, conflicts, imports; files that cannot be changed."""
import json
import os
import shutil

from selenium.webdriver.common.by import By
from support import BrowserTest, FIXTURES, sample, tool


class Editing(BrowserTest):
    def open_first(self, name="Everything", *options):
        path = sample(self.file())
        served = self.serve(path, *options)
        key = self.browser.execute_async_script(
            "fetch('/api/rows?class=' + arguments[0] + '&sort=' + (arguments[0] === 'Dog' ? 'age' : 'id')).then((r) => r.json()).then((a) => arguments[1](a.rows[0][0]))", name)
        self.go(f"/objects?class={name}&key={key}")
        self.until(lambda: self.all(".detail dd"), "the object is shown")
        return path, served

    def ask(self, path, query, name="Everything"):
        return [json.loads(line) for line in tool("query", path, "--class", name, query, "--json", "--quiet").splitlines()]

    def test_every_type_can_be_set(self):
        path, _ = self.open_first()
        wanted = {"text": "neu", "maybe": "x", "flag": "true", "float": "2.5", "double": "-1e3", "decimal": "3.14", "date": "2001-02-03T04:05:06Z", "oid": "ffffffffffffffffffffffff",
                  "uuid": "00000000-0000-0000-0000-000000000001", "mixed": "17", "list": "[3, 2, 1]", "texts": '["only"]', "map": '{"k": "v"}', "home": '{"street": "S", "number": 8}',
                  "nested": '{"a": [true]}', "big": "9223372036854775807", "data": '"AQID"', "dogs": '["Bella"]'}
        for name, text in wanted.items():
            version = self.named("version").text
            self.edit(name, text)
            self.until(lambda: self.named("version").text != version and not self.all(".detail form"), f"{name} is stored")
        found = self.ask(path, "id == 1")[0]
        expected = {"text": "neu", "maybe": "x", "flag": True, "float": 2.5, "double": -1000, "decimal": 3.14, "date": "2001-02-03T04:05:06Z", "oid": "f" * 24, "mixed": 17, "list": [3, 2, 1], "texts": ["only"],
                    "map": {"k": "v"}, "home": {"street": "S", "number": 8}, "nested": {"a": [True]}, "big": 9223372036854775807, "data": "AQID", "dogs": ["Bella"]}
        for name, value in expected.items():
            self.assertEqual(found[name], value, name)

    def test_links_are_chosen(self):
        path, _ = self.open_first()
        self.press_edit("dog")
        self.until(lambda: ([choice for choice in self.all('[data-test="choice"]') if "Bella" in choice.text][0].click(), True)[1], "dogs are offered")
        self.until(lambda: "Bella" in self.value("dog").text, "the link is shown")
        self.assertEqual(self.ask(path, "id == 1")[0]["dog"], "Bella")

    def test_links_are_searched_by_any_text(self):
        path, _ = self.open_first()
        tool("create", "property", path, "Dog", "not=string")
        tool("create", "property", path, "Dog", "full name=string")
        tool("insert", path, "--class", "Dog", json.dumps({"name": 'O"Brien\\', "age": 1, "full name": "Connor"}))
        for wanted in ['O"b', "n\\", "connor"]:
            self.press_edit("dog")
            self.write("dialog input[type=search]", wanted)
            self.until(lambda: [text for text in self.texts("dialog .choices li") if "O\"Brien" in text] == self.texts("dialog .choices li"), f"{wanted} is found")
            self.press("dialog .buttons button:last-child")
            self.until(lambda: not self.all("dialog[open]"), "the dialog is closed")

    def test_wrong_values_are_refused_with_a_reason(self):
        self.expected_errors = ["422"]
        path, _ = self.open_first()
        self.edit("big", "many")
        self.until(lambda: "int" in self.one(".editor .bad").text, "the reason is told")
        self.assertEqual(self.ask(path, "id == 1")[0]["big"], 9007199254740994)

    def test_what_a_value_becomes_is_told_until_it_is_read(self):
        path, _ = self.open_first()
        self.edit("texts", '["a", 1, "a"]')
        self.until(lambda: [text for text in self.texts(".note") if 'texts: 1 is no string and becomes "1"' in text], "the user is told")
        self.assertTrue([text for text in self.texts(".note") if 'texts: "a" is in the set already' in text])
        self.edit("list", '[1]')
        self.until(lambda: self.ask(path, "id == 1")[0]["list"] == [1], "it is stored")
        self.assertEqual(len(self.all(".note")), 2, "of what stays the same nothing is said, and notes stay")
        for _ in range(2):
            self.press(".note button")
        self.assertFalse(self.all(".note"))

    def test_what_is_begun_stays_when_another_value_is_stored_or_left(self):
        path, _ = self.open_first()
        self.press_edit("text")
        self.write(".editor [name=value]", "begun")
        self.press_edit("list")
        field = '.detail dd[data-name="list"] [name=value]'
        self.browser.execute_script("document.querySelector(arguments[0]).value = '[7]'", field)
        self.press('.detail dd[data-name="list"] [data-test="save"]')
        self.until(lambda: not self.all(field), "the list is stored")
        self.assertEqual(self.ask(path, "id == 1")[0]["list"], [7])
        self.press_edit("texts")
        self.press('.detail dd[data-name="texts"] .buttons button:not([data-test])')
        self.until(lambda: not self.all('.detail dd[data-name="texts"] form'), "the other form is left")
        self.assertIn("begun", self.one('.detail dd[data-name="text"] [name=value]').get_property("value"))
        self.click("save")
        self.until(lambda: not self.all(".detail form"), "it is stored")
        self.assertIn("begun", self.ask(path, "id == 1")[0]["text"])

    def test_what_is_begun_ends_where_the_object_is_closed(self):
        self.open_first()
        address = self.browser.current_url.split("#")[1]
        self.press_edit("text")
        self.write(".editor [name=value]", "begun")
        self.press('.detail [aria-label="close"]')
        self.until(lambda: not self.one(".detail").is_displayed(), "it is closed")
        self.go(address)
        self.until(lambda: self.value("text").find_elements(By.CSS_SELECTOR, ".edit"), "the value is shown again")
        self.assertFalse(self.all(".detail form"))

    def test_a_form_stores_in_the_object_it_was_opened_for(self):
        path, _ = self.open_first()
        tool("set", path, "--class", "Everything", "TRUEPREDICATE", "text=same")
        self.until(lambda: self.value("text").text.startswith("same"), "the new text is shown")
        self.press_edit("text")
        self.write(".editor [name=value]", "changed")
        # The next object is asked for and does not come yet.
        self.browser.execute_script("""
          const fetched = window.fetch;
          window.fetch = (address, ...more) => String(address).includes('/api/object?') && !window.released
            ? new Promise((done) => { window.release = () => { window.released = true; done(fetched(address, ...more)); }; }) : fetched(address, ...more);""")
        other = self.browser.execute_async_script(
            "fetch('/api/rows?class=Everything&sort=id').then((r) => r.json()).then((a) => arguments[0](a.rows[1][0]))")
        self.go(f"/objects?class=Everything&key={other}")
        self.until(lambda: self.browser.execute_script("return window.release !== undefined"), "it is asked for")
        self.click("save")
        self.until(lambda: "changed" in "".join(answer["text"] for answer in self.ask(path, "TRUEPREDICATE")), "it is stored")
        self.browser.execute_script("window.release()")
        self.assertEqual([answer["id"] for answer in self.ask(path, "text CONTAINS 'changed'")], [1])

    def test_what_was_asked_about_goes_with_the_page_it_was_asked_on(self):
        path, _ = self.open_first("Dog")
        self.go("/objects?class=Everything&q=" + "id%20%3E%200")
        self.until(lambda: self.status().startswith("5 objects"), "objects are selected")
        self.click("delete-query")
        self.until(lambda: self.all("dialog[open]"), "it is asked")
        self.browser.back()
        self.until(lambda: not self.all("dialog[open]"), "the question is gone")
        self.assertEqual(len(self.ask(path, "TRUEPREDICATE")), 5)
        self.assertTrue(self.ask(path, "TRUEPREDICATE", "Dog"))

    def test_texts_that_a_field_does_not_hold_are_not_changed_by_looking(self):
        path, _ = self.open_first()
        for text in ["one\r\ntwo\rthree", "a" * 110_000]:
            tool("set", path, "--class", "Everything", "id == 1", "text=" + text)
            self.until(lambda: text[:9].split("\r")[0] in self.value("text").text, "the new text is shown")
            self.press_edit("text")
            self.until(lambda: self.one(".editor [name=value]"), "the field is shown")
            self.assertEqual(json.loads(self.one(".editor [name=value]").get_property("value")), text)
            self.click("save")
            self.until(lambda: not self.all(".detail form"), "it is stored")
            self.assertEqual(self.ask(path, "id == 1")[0]["text"], text)

    def test_add_delete_undo_and_redo(self):
        # The object that is looked at is asked for once more when it is gone.
        self.expected_errors = ["404"]
        path, _ = self.open_first("Dog")
        self.click("add")
        self.write("dialog [name=name]", "Luna")
        self.write("dialog [name=age]", "1")
        self.click("save-new")
        self.until(lambda: self.ask(path, 'name == "Luna"', "Dog"), "the object is stored")
        self.click("undo")
        self.until(lambda: not self.ask(path, 'name == "Luna"', "Dog"), "the object is gone")
        self.click("redo")
        self.until(lambda: self.ask(path, 'name == "Luna"', "Dog"), "the object is back")

    def test_a_deleted_object_comes_back_with_everything_that_led_to_it(self):
        path, _ = self.open_first("Dog")
        before = tool("export", path, "--format", "json")
        self.click("delete-object")
        self.assertEqual(len(self.ask(path, 'name == "Rex"', "Dog")), 1, "nothing happens before it is confirmed")
        self.click("confirm")
        self.until(lambda: not self.ask(path, 'name == "Rex"', "Dog"), "the object is gone")
        self.assertIsNone(self.ask(path, "id == 1")[0]["dog"])
        self.until(lambda: self.one('[data-test="undo"]').is_enabled(), "it can be taken back")
        self.click("undo")
        self.until(lambda: self.ask(path, 'name == "Rex"', "Dog"), "the object is back")
        self.assertEqual(tool("export", path, "--format", "json"), before)

    def test_an_object_with_embedded_ones_comes_back(self):
        path, _ = self.open_first()
        before = tool("export", path, "--format", "json")
        self.click("delete-object")
        self.click("confirm")
        self.until(lambda: not self.ask(path, "id == 1"), "the object is gone")
        self.click("undo")
        self.until(lambda: self.ask(path, "id == 1"), "the object is back")
        self.assertEqual(tool("export", path, "--format", "json"), before)

    def test_nothing_that_somebody_else_wrote_is_overwritten(self):
        self.expected_errors = ["409"]
        path, _ = self.open_first()
        self.press_edit("text")
        field = self.until(lambda: self.one(".editor [name=value]"), "the field is shown")
        tool("set", path, "--class", "Everything", "id == 1", "text=theirs")
        field.send_keys("mine")
        self.click("save")
        self.until(lambda: "theirs" in self.one(".editor .bad").text, "the conflict is told")
        self.assertEqual(self.ask(path, "id == 1")[0]["text"], "theirs")

    def test_undo_refuses_what_somebody_else_changed_since(self):
        self.expected_errors = ["409"]
        path, _ = self.open_first()
        self.edit("text", "mine")
        self.until(lambda: self.ask(path, "id == 1")[0]["text"] == "mine", "it is stored")
        tool("set", path, "--class", "Everything", "id == 1", "text=theirs")
        self.click("undo")
        self.until(lambda: any("somebody else" in text for text in self.texts(".toast")), "the conflict is told")
        self.assertEqual(self.ask(path, "id == 1")[0]["text"], "theirs")

    def test_each_page_says_what_is_taken_back_next(self):
        path, _ = self.open_first()
        first, address = self.browser.current_window_handle, self.browser.current_url
        self.browser.switch_to.new_window("tab")
        self.browser.get(address)
        self.until(lambda: self.all(".detail dd"), "the object is shown")
        self.edit("text", "of the other page")
        self.until(lambda: self.ask(path, "id == 1")[0]["text"] == "of the other page", "it is stored")
        self.browser.close()
        self.browser.switch_to.window(first)
        self.until(lambda: "set text" in self.one('[data-test="undo"]').get_attribute("title"), "it can be taken back here, too")
        self.click("undo")
        self.until(lambda: self.ask(path, "id == 1")[0]["text"] != "of the other page", "it is taken back")

    def test_all_of_a_query_are_deleted_and_come_back(self):
        path, _ = self.open_first()
        before = tool("export", path, "--format", "json")
        self.go("/objects?class=Everything&q=id%20%3E%203")
        self.until(lambda: self.status().startswith("2 objects"), "two are selected")
        self.click("delete-query")
        self.click("confirm")
        self.until(lambda: len(self.ask(path, "TRUEPREDICATE")) == 3, "two are gone")
        self.click("undo")
        self.until(lambda: len(self.ask(path, "TRUEPREDICATE")) == 5, "they are back")
        self.assertEqual(tool("export", path, "--format", "json"), before)

    def test_imports_after_a_look(self):
        path, _ = self.open_first("Dog")
        source = os.path.join(self.directory.name, "dogs.csv")
        with open(source, "w") as rows:
            rows.write("name,age\nAda,2\nBob,4\n")
        self.click("import")
        self.write('[data-test="import-file"]', source)
        self.until(lambda: self.texts('[data-test="preview"] tbody tr') == ["Ada\t2", "Bob\t4"], "a preview is shown")
        self.click("import-go")
        self.until(lambda: len(self.ask(path, "TRUEPREDICATE", "Dog")) == 4, "they are stored")
        self.click("undo")
        self.until(lambda: len(self.ask(path, "TRUEPREDICATE", "Dog")) == 2, "they are gone")

    def test_bad_imports_say_which_line(self):
        path, _ = self.open_first("Dog")
        source = os.path.join(self.directory.name, "dogs.csv")
        with open(source, "w") as rows:
            rows.write("name,age\nAda,2\nBob,four,5\n")
        self.click("import")
        self.write('[data-test="import-file"]', source)
        self.until(lambda: any("line 3" in text for text in self.texts(".preview .bad")), "the line is told")
        self.assertFalse(self.one('[data-test="import-go"]').is_enabled())
        self.assertEqual(len(self.ask(path, "TRUEPREDICATE", "Dog")), 2)

    def test_read_only_offers_no_change(self):
        self.open_first("Everything", "--read-only")
        for selector in [".detail .edit", '[data-test="add"]', '[data-test="import"]', '[data-test="delete-object"]', '[data-test="undo"]']:
            self.assertFalse(self.all(selector), selector)
        self.expected_errors = ["403"]
        status = self.browser.execute_async_script("""
          fetch('/api/delete', { method: 'POST', headers: { 'X-Realm-Studio': '1' }, body: '{"class": "Dog", "q": "", "count": 2}' }).then((r) => arguments[0](r.status))""")
        self.assertEqual(status, 403)

    def test_older_formats_are_shown_and_upgraded_when_the_user_agrees(self):
        source = next((p for p in sorted((FIXTURES / "older").glob("*.realm"))), None) if (FIXTURES / "older").exists() else None
        if source is None:
            self.skipTest("no files of older formats here")
        path = self.file()
        shutil.copy(source, path)
        self.serve(path)
        self.until(lambda: self.one('[data-test="upgrade"]'), "the upgrade is offered")
        self.assertFalse(self.all('[data-test="add"]'))
        self.click("upgrade")
        self.click("confirm")
        self.until(lambda: not self.all('[data-test="upgrade"]'), "it is done")
        self.assertIn("file format", tool("stat", path))
