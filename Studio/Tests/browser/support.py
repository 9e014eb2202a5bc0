"""What the browser tests share: a program that serves a file, a browser, and ways to wait."""
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest
import urllib.parse

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

STUDIO = pathlib.Path(__file__).resolve().parents[2]
ROOT = STUDIO.parent
TOOL = os.environ.get("REALM_TOOL", str(ROOT / ".build/debug/realm"))
PROGRAM = os.environ.get("REALM_STUDIO", str(STUDIO / ".build/debug/realm-studio"))
PICTURES = os.environ.get("STUDIO_PICTURES")
# Recorded files of the original, where they are there.
FIXTURES = next((path for path in [ROOT / "Tests/Fixtures", ROOT.parent / "shared/fixtures"] if (path / "older").exists()), ROOT / "Tests/Fixtures")


def tool(*arguments, text=None):
    done = subprocess.run([TOOL, *map(str, arguments)], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"realm {' '.join(map(str, arguments))}: {done.stdout}{done.stderr}")
    return done.stdout


class Served:
    """A file and the program that shows it."""

    def __init__(self, path, *options):
        self.path = path
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [PROGRAM, str(path), "--no-browser", *options], stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.address = self.process.stdout.readline().strip()

    @property
    def base(self):
        return self.address.split("/?")[0]

    def memory(self):
        """In MiB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))

    def errors(self):
        self.log.seek(0)
        return self.log.read()

    def end(self):
        self.process.terminate()
        self.process.wait(10)
        self.process.stdout.close()
        self.log.close()


class BrowserTest(unittest.TestCase):
    """One browser for each class of tests; each test has its own file and program. An error in the console fails the test."""

    width, height = 1400, 900
    # Tests by the addresses of their programs.
    owners = {}

    @classmethod
    def setUpClass(cls):
        options = Options()
        cls.downloads = tempfile.mkdtemp()
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={cls.width},{cls.height}", "--disable-dev-shm-usage"]:
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"download.default_directory": cls.downloads})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        binary = next((p for p in ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"] if os.path.exists(p)), None)
        if binary:
            options.binary_location = binary
        driver = "/usr/bin/chromedriver"
        cls.browser = webdriver.Chrome(options=options, service=Service(driver) if os.path.exists(driver) else None)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.served = []
        self.expected_errors = []

    def tearDown(self):
        if PICTURES:
            self.picture(self.id().split(".")[-1])
        problems = [entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE" and not self.expects(entry["message"])]
        self.browser.get("about:blank")
        for served in self.served:
            served.end()
        self.directory.cleanup()
        self.assertEqual(problems, [], "the console has errors")

    def expects(self, message):
        """An entry may come when the test is over that it belongs to; whose it is, the address of that test's program says."""
        owner = next((test for address, test in self.owners.items() if address in message), self)
        return any(text in message for text in owner.expected_errors)

    def file(self, name="test.realm"):
        return os.path.join(self.directory.name, name)

    def serve(self, path, *options, opens=True):
        served = Served(path, *options)
        self.served.append(served)
        self.owners["{0.scheme}://{0.netloc}/".format(urllib.parse.urlsplit(served.address))] = self
        if opens:
            self.browser.get(served.address)
            self.until(lambda: self.all("#bar .title") and self.one("#bar .title").text != "Realm Studio", "the page opens")
        return served

    def go(self, address):
        self.browser.execute_script("location.hash = arguments[0]", address)

    # Finding

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def named(self, name):
        return self.until(lambda: self.one(f'[data-test="{name}"]'), f"there is {name}")

    def click(self, name):
        self.press(f'[data-test="{name}"]')

    def press(self, selector):
        """Clicks what `selector` finds first. Pages are drawn anew when their file changes: what was found may be gone before it is clicked, and is found once more."""
        self.until(lambda: (self.one(selector).click(), True)[1], f"{selector} can be clicked")

    def write(self, selector, text):
        """Types `text` into what `selector` finds first, and finds it once more where the page was drawn anew meanwhile."""
        self.until(lambda: (self.one(selector).send_keys(text), True)[1], f"{selector} can be written in")

    def until(self, body, what, seconds=15):
        """Waits until `body` is true, and returns what it returned."""
        end = time.time() + seconds
        last = None
        while time.time() < end:
            try:
                last = body()
                if last:
                    return last
            except (NoSuchElementException, StaleElementReferenceException, IndexError) as error:
                last = error
            except Exception as error:  # an element that is covered or moves
                if "intercepted" not in str(error) and "not interactable" not in str(error):
                    raise
                last = error
            time.sleep(0.02)
        self.picture("failure-" + self.id().split(".")[-1])
        self.fail(f"{what}: did not happen in {seconds} s ({last})")

    def picture(self, name):
        folder = PICTURES or tempfile.gettempdir()
        os.makedirs(folder, exist_ok=True)
        self.browser.save_screenshot(os.path.join(folder, name + ".png"))

    def texts(self, selector):
        """All at once: elements may be replaced while one looks."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map((element) => element.innerText.trim())", selector)

    # The page

    def cells(self, column):
        """What a column of the table shows, in the order of the rows."""
        return self.browser.execute_script("""
          return [...document.querySelectorAll('.row')].sort((a, b) => a.dataset.index - b.dataset.index)
            .map((row) => row.querySelector(`[data-name="${arguments[0]}"]`)?.innerText.trim())""", column)

    def run_query(self, text):
        field = self.one(".query textarea")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.DELETE)
        field.send_keys(text)
        self.click("run")

    def status(self):
        return self.one(".table .status").text

    def press_edit(self, name):
        self.press(f'.detail dd[data-name="{name}"] .edit')

    def value(self, name):
        return self.one(f'.detail dd[data-name="{name}"]')

    def edit(self, name, text):
        self.press_edit(name)
        field = self.until(lambda: self.value(name).find_element(By.CSS_SELECTOR, "[name=value]"), "the field can be written in")
        if field.tag_name == "select":
            self.browser.execute_script("arguments[0].value = arguments[1]", field, text)
        else:
            field.send_keys(Keys.CONTROL, "a")
            field.send_keys(Keys.DELETE)
            field.send_keys(text)
        self.click("save")


PICTURE = "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAGElEQVR4nGP4z8BAEmIgTfmoBgYGABkxAv8qGZ1dAAAAAElFTkSuQmCC"
HOSTILE = "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>\u202e&amp;'\"`${window.hacked=1}"


def sample(path, hostile=False):
    """A file with every type; with texts that would like to be programs if `hostile`."""
    text = HOSTILE if hostile else "Grüße, 世界"
    name = HOSTILE if hostile else "Rex"

    def of(kind, **more):
        return {"type": kind, **more}
    schema = {
        "Everything": {"primaryKey": "id", "properties": {
            "id": of("int"), "text": of("string", indexed=True), "maybe": of("string", optional=True), "flag": of("bool"), "float": of("float"), "double": of("double"),
            "decimal": of("decimal"), "date": of("date"), "data": of("data"), "oid": of("objectId"), "uuid": of("uuid"), "mixed": of("mixed"), "dog": of("link", target="Dog"),
            "home": of("link", target="Home"), "list": of("int", collection="list"), "texts": of("string", collection="set"), "map": of("string", collection="dictionary"),
            "dogs": of("link", target="Dog", collection="list"), "nested": of("mixed"), "big": of("int")}},
        "Dog": {"primaryKey": "name", "properties": {"name": of("string"), "age": of("int")}},
        "Home": {"kind": "embedded", "properties": {"street": of("string"), "number": of("int")}},
        "Note": {"properties": {"text": of("string"), "about": of("link", target="Everything")}},
    }
    everything = [{
        "id": index, "text": text if index == 1 else f"{text} {index}", "maybe": None, "flag": index % 2 == 0, "float": 1.5, "double": 2.25 * index, "decimal": "12.50",
        "date": "2024-02-29T12:30:15.5Z", "data": PICTURE if index == 1 else "AAECAwQ=", "oid": "0123456789abcdef01234567", "uuid": "3b241101-e2bb-4255-8caf-4136c566a962",
        "mixed": {"$date": "2020-01-31T12:00:00Z"} if index == 1 else text, "dog": name, "home": {"street": text, "number": 7}, "list": list(range(30)), "texts": [text, "b"],
        "map": {name if not hostile else "key": text, "other": "x"}, "dogs": [name, "Bella"], "nested": {"a": [1, 2, {"b": text}]}, "big": 9007199254740993 + index,
    } for index in range(1, 6)]
    document = {"$schema": schema, "Dog": [{"name": name, "age": 3}, {"name": "Bella", "age": 5}], "Everything": everything,
                "Note": [{"$key": 0, "text": text, "about": 1}, {"$key": 1, "text": "second", "about": 1}]}
    source = path + ".json"
    pathlib.Path(source).write_text(json.dumps(document))
    tool("import", source, "-o", path, "--quiet")
    os.remove(source)
    return path
