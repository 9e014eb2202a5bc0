"""Classes, tables, objects, queries."""
import glob
import json
import os
import tempfile
import time
import urllib.parse

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from support import BrowserTest, sample, tool


class Objects(BrowserTest):
    def test_classes_have_counts_and_sizes(self):
        self.serve(sample(self.file()))
        self.until(lambda: any("KiB" in text or "bytes" in text for text in self.texts(".side a")), "sizes appear")
        lines = self.texts(".side a")
        self.assertTrue(any(line.startswith("Everything") and "5" in line for line in lines), lines)
        self.assertTrue(any(line.startswith("Home") for line in lines), "embedded classes are there")

    def test_every_type_is_shown(self):
        self.serve(sample(self.file()))
        self.go("/objects?class=Everything&key=" + self.key("Everything"))
        self.until(lambda: self.value("uuid"), "the object is shown")
        expected = {"text": "Grüße, 世界", "maybe": "null", "flag": "false", "float": "1.5", "double": "2.25", "decimal": "12.50", "date": "2024-02-29", "oid": "0123456789abcdef01234567",
                    "uuid": "3b241101-e2bb-4255-8caf-4136c566a962", "dog": "Rex", "home": "Grüße, 世界", "list": "30", "texts": "b", "map": "other", "nested": "a", "big": "9007199254740994", "mixed": "2020-01-31"}
        for name, text in expected.items():
            self.assertIn(text, self.value(name).text, name)
        self.assertEqual(len(self.value("data").find_elements(By.CSS_SELECTOR, "img.picture")), 1, "a picture is shown as one")
        self.until(lambda: self.browser.execute_script("return document.querySelector('img.picture').naturalWidth") == 16, "the picture loads")
        self.assertIn("12:30:15.5", self.value("date").text)

    def key(self, name):
        """The first object key of a class."""
        rows = self.browser.execute_async_script("fetch('/api/rows?class=' + arguments[0]).then((r) => r.json()).then(arguments[1])", name)
        return str(rows["rows"][0][0])

    def test_data_is_shown_as_hexadecimal(self):
        self.serve(sample(self.file()))
        self.go("/objects?class=Everything")
        self.until(lambda: "00 01 02 03 04" in self.cells("data")[1], "bytes are shown")

    def test_links_lead_on_and_back(self):
        self.serve(sample(self.file()))
        self.go("/objects?class=Everything&key=" + self.key("Everything"))
        self.press('.detail dd[data-name="dog"] a')
        self.until(lambda: "Rex" in self.one(".detail h2").text and self.value("age").text.startswith("3"), "the dog is shown")
        self.assertTrue(any("Everything.dog: 5" in text for text in self.texts(".origins")), "who links here is said")
        self.press(".origins a")
        self.until(lambda: "Everything #" in self.one(".detail h2").text, "the origin is shown")
        self.click("back")
        self.until(lambda: "Dog #" in self.one(".detail h2").text, "back at the dog")
        self.click("back")
        self.until(lambda: "Everything #" in self.one(".detail h2").text, "back at the beginning")

    def test_collections_unfold_and_have_more(self):
        path = self.file()
        sample(path)
        tool("set", path, "--class", "Everything", "id == 1", "list=" + json.dumps(list(range(250))))
        self.serve(path)
        self.go("/objects?class=Everything&key=" + self.key("Everything"))
        self.press('.detail dd[data-name="list"] summary')
        self.assertEqual(len(self.value("list").find_elements(By.CSS_SELECTOR, "li")), 100)
        self.press('.detail dd[data-name="list"] button.link')
        self.until(lambda: len(self.value("list").find_elements(By.CSS_SELECTOR, "li")) == 200, "more is shown")

    def test_sorting_by_a_column(self):
        self.serve(sample(self.file()))
        self.go("/objects?class=Everything")
        self.until(lambda: self.cells("id")[:1] == ["1"], "the table is shown")
        header = '.grid-head [data-name="double"]'
        self.press(header)
        self.until(lambda: self.cells("double") == ["2.25", "4.5", "6.75", "9.0", "11.25"] or self.cells("double")[:2] == ["2.25", "4.5"], "ascending")
        self.press(header)
        self.until(lambda: self.cells("double")[0] == "11.25", "descending")
        self.assertIn("sort=double", self.browser.current_url)

    def test_every_column_that_has_an_order_sorts(self):
        self.serve(sample(self.file()))
        self.go("/objects?class=Everything")
        self.until(lambda: self.cells("id")[:1] == ["1"], "the table is shown")
        names = self.browser.execute_script("return [...document.querySelectorAll('.grid-head .sorts')].map((cell) => cell.dataset.name)")
        self.assertEqual(set(names), {"id", "text", "maybe", "flag", "float", "double", "decimal", "date", "data", "oid", "uuid", "mixed", "nested", "big"})
        for name in names:
            self.browser.execute_script("document.querySelector(`.grid-head [data-name='${arguments[0]}']`).click()", name)
            self.until(lambda: f"sort={name}" in self.browser.current_url and self.status().startswith("5 objects") and not self.all(".row.waiting"), f"sorted by {name}")
            self.assertEqual(self.one(".query-error").text, "", name)

    def test_columns_hide_and_widen_and_are_remembered(self):
        path = sample(self.file())
        served = self.serve(path)
        self.go("/objects?class=Everything")
        self.until(lambda: self.cells("id"), "the table is shown")
        self.click("columns-button")
        self.press('[data-column="text"]')
        self.until(lambda: not self.all('.grid-head [data-name="text"]'), "the column is hidden")
        before = self.one('.grid-head [data-name="flag"]').size["width"]
        handle = self.one('.grid-head [data-name="flag"] .handle')
        ActionChains(self.browser).click_and_hold(handle).move_by_offset(60, 0).release().perform()
        self.until(lambda: self.one('.grid-head [data-name="flag"]').size["width"] > before + 40, "the column is wider")
        self.browser.get(served.base + "/#/objects?class=Everything")
        self.browser.refresh()
        self.until(lambda: self.cells("id"), "the table is shown again")
        self.assertFalse(self.all('.grid-head [data-name="text"]'))
        self.assertGreater(self.one('.grid-head [data-name="flag"]').size["width"], before + 40)

    def test_queries_run_from_the_address(self):
        served = self.serve(sample(self.file()))
        self.go("/objects?class=Everything")
        self.until(lambda: "5 objects" in self.status(), "all are shown")
        self.run_query("flag == true SORT(id DESC)")
        self.until(lambda: self.status().startswith("2 objects"), "two are selected")
        self.assertEqual(self.cells("id"), ["4", "2"])
        address = self.browser.current_url
        self.browser.get(served.base + "/")
        self.browser.get(address)
        self.until(lambda: self.cells("id") == ["4", "2"], "the address says all")
        self.assertEqual(self.one(".query textarea").get_attribute("value"), "flag == true SORT(id DESC)")

    def test_long_queries_are_answered_at_once(self):
        self.serve(sample(self.file()))
        self.until(lambda: "object" in self.status(), "the page is there")
        query = "id IN {" + ",".join(str(number) for number in range(2, 6000)) + "}"
        self.go("/objects?class=Everything&q=" + urllib.parse.quote(query))
        self.until(lambda: self.status().startswith("4 objects"), "the query is answered", seconds=10)
        self.click("plan-button")
        self.until(lambda: self.texts(".panels *"), "so is the question for its plan", seconds=10)

    def test_queries_are_coloured_and_completed(self):
        self.serve(sample(self.file()))
        self.go("/objects?class=Everything")
        self.until(lambda: self.cells("id"), "the table is shown")
        field = self.one(".query textarea")
        field.send_keys("dog.na")
        self.until(lambda: self.texts(".offers li") == ["name"], "what a link leads to is offered")
        field.send_keys(Keys.TAB)
        self.assertEqual(field.get_attribute("value"), "dog.name")
        field.send_keys(' CONTAINS "Re"')
        kinds = self.browser.execute_script("return [...document.querySelectorAll('.query pre span')].map((s) => s.className + ':' + s.textContent)")
        self.assertIn("property:dog", kinds)
        self.assertIn("word:CONTAINS", kinds)
        self.assertIn('string:"Re"', kinds)
        field.send_keys(Keys.ENTER)
        self.until(lambda: "5 objects" in self.status(), "Enter runs it")

    def test_errors_stand_at_their_place(self):
        self.expected_errors = ["422"]
        self.serve(sample(self.file()))
        self.go("/objects?class=Everything")
        self.until(lambda: self.cells("id"), "the table is shown")
        self.write(".query textarea", "id > > 3")
        self.until(lambda: "byte" in self.one(".query-error").text, "the error is told")
        self.assertTrue(self.all(".query .wrong"), "the place is marked")
        self.run_query("idd > 3")
        self.until(lambda: "idd" in self.one(".query-error").text, "an unknown property is told")

    def test_plans_say_which_index(self):
        path = self.file()
        with open(path + ".csv", "w") as rows:
            rows.write("name,age\n" + "".join(f"name {i},{i % 90}\n" for i in range(3000)))
        tool("import", path + ".csv", "-o", path, "--class", "Person", "--quiet")
        tool("create", "index", path, "Person", "name")
        self.serve(path)
        self.go("/objects?class=Person")
        self.until(lambda: self.cells("name"), "the table is shown")
        self.run_query("age > 80")
        self.click("plan-button")
        self.until(lambda: "of 3,000 objects in" in self.named("plan").text and "scan" in self.named("plan").text, "the plan is shown")
        self.run_query('name == "name 7"')
        self.until(lambda: "index" in self.named("plan").text and "1 of 3,000" in self.named("plan").text, "the index is named")

    def test_groups_and_sums(self):
        self.serve(sample(self.file()))
        self.go("/objects?class=Everything")
        self.until(lambda: self.cells("id"), "the table is shown")
        self.click("groups-button")
        self.press('[aria-label="group by"] [value="flag"]')
        self.press('[aria-label="functions"] [value="sum:id"]')
        self.until(lambda: self.texts('[data-test="groups"] tbody tr') == ["false\t3\t9", "true\t2\t6"], "groups are summed")

    def test_exports_a_selection(self):
        self.serve(sample(self.file()))
        before = glob.glob(os.path.join(tempfile.gettempdir(), "realm-studio-*"))
        self.go("/objects?class=Everything&q=" + "id%20%3E%203")
        self.until(lambda: self.status().startswith("2 objects"), "two are selected")
        self.click("export")
        self.assertIn("CSV leaves out what embedded objects hold (home", self.named("left-out").text)
        self.click("export-jsonl")
        path = os.path.join(self.downloads, "Everything.jsonl")
        self.until(lambda: os.path.exists(path), "the file is saved")
        with open(path) as saved:
            lines = [json.loads(line) for line in saved]
        self.assertEqual([line["id"] for line in lines], [4, 5])
        self.assertEqual(lines[0]["text"], "Grüße, 世界 4")
        os.remove(path)
        self.assertEqual(glob.glob(os.path.join(tempfile.gettempdir(), "realm-studio-*")), before, "nothing is left of it")

    def test_keys_move_open_and_close(self):
        self.serve(sample(self.file()))
        self.go("/objects?class=Everything")
        self.until(lambda: self.cells("id"), "the table is shown")
        grid = self.one(".grid")
        grid.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
        self.until(lambda: "Everything #" in self.one(".detail h2").text, "Enter opens the object")
        self.assertTrue(self.one(".detail h2").text.startswith("3"))
        grid.send_keys(Keys.ESCAPE)
        self.until(lambda: not self.one(".detail").is_displayed(), "Escape closes it")
        self.one("body").send_keys("/")
        self.assertEqual(self.browser.switch_to.active_element.tag_name, "textarea")

    def test_it_looks_right_in_the_dark(self):
        self.serve(sample(self.file()))
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        self.go("/objects?class=Everything&key=" + self.key("Everything"))
        self.until(lambda: self.value("uuid"), "the object is shown")
        colours = self.browser.execute_script("const s = getComputedStyle(document.body); return [s.backgroundColor, s.color]")
        self.assertLess(sum(map(int, colours[0][4:-1].split(","))), 150, "the background is dark")
        self.assertGreater(sum(map(int, colours[1][4:-1].split(","))), 600, "the text is light")
        if os.environ.get("STUDIO_PICTURES"):
            self.picture("dark")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


class Phone(BrowserTest):
    def test_it_works_on_a_phones_width(self):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
        self.serve(sample(self.file()))
        self.go("/objects?class=Everything")
        self.until(lambda: self.cells("id")[:1] == ["1"], "the table is shown")
        self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), 390, "nothing sticks out")
        self.press(".row .key")
        self.until(lambda: self.one(".detail").is_displayed(), "the object is shown")
        self.assertGreaterEqual(self.one(".detail").size["width"], 380)
        for view in ["schema", "file"]:
            self.go("/" + view)
            time.sleep(0.5)
            self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), 390, view)
