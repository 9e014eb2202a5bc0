"""The file's bytes, versions, history, work on it, the schema; keys; hostile texts; who may ask."""
import http.client
import json
import os
import subprocess
import time
import urllib.parse

from support import BrowserTest, HOSTILE, PROGRAM, sample, tool


class File(BrowserTest):
    def open_view(self, view="file", hostile=False, *options):
        path = sample(self.file(), hostile)
        served = self.serve(path, *options)
        self.go("/" + view)
        return path, served

    def test_the_map_names_owners_and_zooms(self):
        self.open_view()
        self.until(lambda: any(text.startswith("Everything.data") for text in self.texts(".legend > div")), "properties are named")
        legend = self.texts(".legend > div")
        self.assertTrue(any("index" in text for text in legend), legend)
        self.assertTrue(any(text.startswith("free") for text in legend), legend)
        self.assertTrue(any(text.startswith("Dog.name") for text in legend), legend)
        pixels = self.browser.execute_script(
            "const c = arguments[0]; return new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size", self.named("map"))
        self.assertGreater(pixels, 5, "the picture has colours")
        self.click("map")
        self.until(lambda: len(self.all(".crumbs button")) == 2, "it is looked at more closely")
        self.press(".crumbs button")
        self.until(lambda: len(self.all(".crumbs button")) == 1, "back")

    def test_bytes_of_the_map_add_up(self):
        path, _ = self.open_view()
        answer = self.browser.execute_async_script("fetch('/api/map').then((r) => r.json()).then(arguments[0])")
        self.assertEqual(sum(owner["bytes"] for owner in answer["owners"]), answer["fileBytes"])
        self.assertEqual(answer["fileBytes"], os.path.getsize(path))

    def test_versions_growth_and_history(self):
        path, _ = self.open_view()
        tool("set", path, "--class", "Dog", 'name == "Rex"', "age=8")
        self.until(lambda: any("Dog #" in text and "age was set" in text for text in self.browser.execute_script(
            "return [...document.querySelectorAll('.history li')].map((e) => e.textContent)")), "the history says it in words")
        self.assertTrue(self.texts('[data-test="versions"] tbody tr'))
        self.assertTrue(self.all(".growth polyline"))
        self.assertTrue(any(text.startswith("Everything") for text in self.texts('[data-test="class-sizes"] tbody tr')))

    def test_verify_compact_and_copy(self):
        path, _ = self.open_view()
        self.click("verify")
        self.until(lambda: any("no violations" in text for text in self.texts(".job")), "verified")
        tool("delete", path, "--class", "Everything", "id > 1")
        self.click("compact-online")
        self.until(lambda: sum("done" in text for text in self.texts(".job")) == 2, "compacted online")
        self.click("compact")
        self.click("confirm")
        self.until(lambda: any(text.startswith("compact ") and "after" in text for text in self.texts(".job")), "compacted")
        tool("verify", path)
        copy = os.path.join(self.directory.name, "copy.realm")
        self.click("copy")
        field = self.named("copy-path")
        self.browser.execute_script("arguments[0].value = arguments[1]", field, copy)
        self.click("copy-go")
        self.until(lambda: any(text.startswith("copy done") for text in self.texts(".job")), "copied")
        self.assertEqual(tool("diff", path, copy), "")

    def test_work_can_be_cancelled(self):
        path = self.file()
        source = path + ".jsonl"
        with open(source, "w") as rows:
            rows.writelines(f'{{"list": [{i}, 2, 3]}}\n' for i in range(100_000))
        tool("import", source, "-o", path, "--class", "Row", "--quiet")
        self.serve(path)
        self.go("/file")
        # Clicked as soon as it is there: the work may be over before this program could look.
        self.browser.execute_script("""
          new MutationObserver((changes, observer) => {
            const button = document.querySelector('.job button');
            if (button) { observer.disconnect(); button.click(); }
          }).observe(document.querySelector('.jobs'), { subtree: true, childList: true });""")
        self.click("verify")
        self.until(lambda: self.all('.job[data-state="cancelled"]'), "it ends")
        tool("verify", path)

    def test_the_schema_is_drawn_and_written(self):
        path, _ = self.open_view("schema")
        self.until(lambda: len(self.all(".graph .box")) == 4, "four classes")
        self.assertEqual(len(self.all(".graph .edge")), 4)
        self.assertIn("class Everything: Object", self.one(".source").text)
        other = os.path.join(self.directory.name, "other.realm")
        tool("copy", path, other)
        tool("create", "property", other, "Dog", "weight=double")
        self.write('[data-test="other-file"]', other)
        self.press(".schema form button")
        self.until(lambda: any("Dog.weight" in text for text in self.texts('[data-test="difference"] tr')), "the difference is shown")

    def test_encrypted_files_ask_for_their_key(self):
        self.expected_errors = ["403", "422"]
        plain = sample(self.file("plain.realm"))
        path = self.file()
        key = "ab" * 64
        tool("copy", plain, path, "--new-key", key)
        served = self.serve(path)
        field = self.named("key")
        field.send_keys("cd" * 64)
        self.click("unlock")
        self.until(lambda: "key" in self.one("form .bad").text, "a wrong key is told")
        field.clear()
        field.send_keys(key)
        self.click("unlock")
        self.until(lambda: self.cells("code") or self.all(".row"), "the objects are shown")
        page = self.browser.page_source + self.browser.current_url + served.errors()
        self.assertNotIn(key, page)
        self.assertNotIn(key, self.browser.execute_script("return JSON.stringify(localStorage) + document.cookie"))

    def test_a_key_file_opens_it_at_once(self):
        plain = sample(self.file("plain.realm"))
        path = self.file()
        key = os.path.join(self.directory.name, "key")
        with open(key, "w") as file:
            file.write("ab" * 64)
        tool("copy", plain, path, "--new-key-file", key)
        self.serve(path, "--key-file", key)
        self.until(lambda: self.all(".row"), "the objects are shown")

    def test_hostile_texts_stay_texts(self):
        path, _ = self.open_view("objects", True)
        for name in ["Everything", "Dog", "Home", "Note"]:
            self.go(f"/objects?class={name}")
            self.until(lambda: self.all(".row:not(.waiting)"), f"{name} is shown")
        self.go("/objects?class=Everything")
        self.until(lambda: self.cells("text")[:1] and HOSTILE[:20] in self.cells("text")[0], "the text is shown as it is")
        self.press(".row .key")
        self.until(lambda: HOSTILE[:20] in self.value("text").text, "also in the object")
        self.run_query("text == " + json.dumps(HOSTILE.replace("\u202e", "")))
        for view in ["schema", "file"]:
            self.go("/" + view)
            time.sleep(0.5)
        self.assertIsNone(self.browser.execute_script("return window.hacked ?? null"))
        self.assertEqual(self.browser.execute_script("return document.querySelectorAll('#view script, #view img[src=\"x\"]').length"), 0)


class Security(BrowserTest):
    def request(self, served, method="GET", path="/api/file", host=None, headers=None, cookie=None, body=None):
        port = int(served.base.rsplit(":", 1)[1])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host or f"127.0.0.1:{port}")
        for name, value in (headers or {}).items():
            connection.putheader(name, value)
        if cookie:
            connection.putheader("Cookie", cookie)
        data = (body or "").encode()
        if method == "POST":
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data if method == "POST" else None)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer, text

    def enter(self, served):
        token = urllib.parse.parse_qs(urllib.parse.urlparse(served.address).query)["token"][0]
        answer, _ = self.request(served, path="/?token=" + token)
        self.assertEqual(answer.status, 200)
        cookie = answer.getheader("Set-Cookie")
        self.assertIn("HttpOnly", cookie)
        self.assertIn("SameSite=Strict", cookie)
        return cookie.split(";")[0]

    def test_only_whoever_has_the_address_may_ask(self):
        served = self.serve(sample(self.file()), opens=False)
        self.assertEqual(self.request(served)[0].status, 401)
        self.assertEqual(self.request(served, path="/")[0].status, 401)
        self.assertEqual(self.request(served, path="/?token=wrong")[0].status, 403)
        self.assertEqual(self.request(served, cookie="realm-studio=x")[0].status, 401)
        cookie = self.enter(served)
        self.assertEqual(self.request(served, cookie=cookie)[0].status, 200)

    def test_other_names_and_sites_are_refused(self):
        served = self.serve(sample(self.file()), opens=False)
        cookie = self.enter(served)
        port = served.base.rsplit(":", 1)[1]
        self.assertEqual(self.request(served, host=f"evil.example:{port}", cookie=cookie)[0].status, 421)
        self.assertEqual(self.request(served, host="127.0.0.1", cookie=cookie)[0].status, 421)
        self.assertEqual(self.request(served, headers={"Origin": "http://evil.example"}, cookie=cookie)[0].status, 403)
        self.assertEqual(self.request(served, headers={"Sec-Fetch-Site": "cross-site"}, cookie=cookie)[0].status, 403)
        change = {"method": "POST", "path": "/api/delete", "body": '{"class": "Dog", "q": "", "count": 2}', "cookie": cookie}
        self.assertEqual(self.request(served, **change)[0].status, 403)
        self.assertEqual(self.request(served, headers={"X-Realm-Studio": "1", "Origin": "null"}, **change)[0].status, 403)
        self.assertEqual(self.request(served, headers={"X-Realm-Studio": "1", "Origin": served.base}, **change)[0].status, 200)

    def test_names_that_are_allowed_are_answered_in_any_case_and_at_their_ports(self):
        served = self.serve(
            sample(self.file()), "--listen", "127.0.0.1", "--allow-host", "Dogs.Example", "--allow-host", "localhost:8080", "--allow-host", "web:80", opens=False)
        self.assertEqual(served.errors(), "", "nobody else reaches the loopback")
        cookie = self.enter(served)
        port = served.base.rsplit(":", 1)[1]
        for host, status in [
            (f"dogs.example:{port}", 200), (f"Dogs.Example:{port}", 200), ("localhost:8080", 200), ("web", 200),
            ("dogs.example:8080", 421), ("dogs.example", 421), ("web:8080", 421), ("localhost", 421),
        ]:
            self.assertEqual(self.request(served, host=host, cookie=cookie)[0].status, status, host)
        origin = {"Origin": "http://localhost:8080"}
        self.assertEqual(self.request(served, host="localhost:8080", headers=origin, cookie=cookie)[0].status, 200)
        self.assertEqual(self.request(served, host=f"localhost:{port}", headers=origin, cookie=cookie)[0].status, 403)
        refused, reason = self.request(served, host="other:8080", cookie=cookie)
        self.assertIn(b"--allow-host NAME:PORT", reason)

    def test_answers_carry_a_strict_policy_and_too_much_is_refused(self):
        served = self.serve(sample(self.file()), opens=False)
        cookie = self.enter(served)
        for path in ["/", "/main.js", "/api/file", "/api/nothing", "/nothing"]:
            answer, _ = self.request(served, path=path, cookie=cookie)
            self.assertIn("default-src 'none'", answer.getheader("Content-Security-Policy"), path)
            self.assertEqual(answer.getheader("X-Content-Type-Options"), "nosniff")
            self.assertEqual(answer.getheader("Cache-Control"), "no-store")
        answer, _ = self.request(served, "POST", "/api/edit", headers={"X-Realm-Studio": "1"}, cookie=cookie, body="x" * (17 << 20))
        self.assertEqual(answer.status, 413)

    def test_the_first_line_is_the_address_and_the_token_is_not_kept(self):
        served = self.serve(sample(self.file()))
        self.assertRegex(served.address, r"^http://127\.0\.0\.1:\d+/\?token=[\w-]{40,}$")
        self.until(lambda: "token" not in self.browser.current_url, "the token leaves the address")
        self.assertEqual(served.errors(), "")

    def test_nothing_for_a_closed_stream_goes_into_the_file(self):
        path = sample(self.file())
        tool("stat", path)
        with open(path, "rb") as file:
            before = file.read()
        for closed in [">&-", "2>&-", "<&- >&- 2>&-"]:
            process = subprocess.Popen(["sh", "-c", f'exec "$0" "$1" --no-browser --listen 127.0.0.2 {closed}', PROGRAM, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(1)
            streams = [os.readlink(f"/proc/{process.pid}/fd/{number}") for number in range(3)]
            process.terminate()
            process.communicate(timeout=10)
            self.assertFalse([name for name in streams if "realm" in name or "socket" in name], streams)
            with open(path, "rb") as file:
                self.assertEqual(file.read(), before, closed)
            tool("set", path, "--class", "Dog", "TRUEPREDICATE", "age=1", "--dry-run")

    def test_files_that_are_none_are_refused(self):
        import subprocess
        for name, content in [("missing.realm", None), ("text.realm", b"no realm at all, but long enough to be looked at"), ("folder", "folder")]:
            path = self.file(name)
            if content == "folder":
                os.mkdir(path)
            elif content is not None:
                with open(path, "wb") as file:
                    file.write(content)
            done = subprocess.run([PROGRAM, path, "--no-browser"], capture_output=True, text=True, timeout=20)
            self.assertEqual(done.returncode, 3, name)
            self.assertIn("error: " + path, done.stderr)
            self.assertEqual(done.stdout, "")


class Starting(BrowserTest):
    def test_realm_studio_is_found_beside_realm(self):
        import shutil
        import subprocess
        import tempfile
        from support import TOOL
        path = sample(self.file())
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(TOOL, folder + "/realm")
            alone = subprocess.run([folder + "/realm", "studio", path], capture_output=True, text=True, env={"PATH": "/nowhere"})
            self.assertEqual(alone.returncode, 2)
            self.assertIn("realm-studio is not installed", alone.stderr)
            shutil.copy(PROGRAM, folder + "/realm-studio")
            with subprocess.Popen([folder + "/realm", "studio", path, "--no-browser", "--read-only"], stdout=subprocess.PIPE, text=True) as process:
                self.assertRegex(process.stdout.readline(), r"^http://127\.0\.0\.1:\d+/\?token=")
                process.terminate()

    def test_other_addresses_are_warned_about_and_need_a_name(self):
        import subprocess
        path = sample(self.file())
        refused = subprocess.run([PROGRAM, path, "--listen", "0.0.0.0", "--no-browser"], capture_output=True, text=True, timeout=20)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("--allow-host", refused.stderr)
        for address in ["nonsense", "::1", ""]:
            refused = subprocess.run([PROGRAM, path, "--listen", address, "--no-browser"], capture_output=True, text=True, timeout=20)
            self.assertEqual(refused.returncode, 64)
            self.assertIn("IPv4 address", refused.stderr)
        served = self.serve(path, "--listen", "0.0.0.0", "--allow-host", "localhost", opens=False)
        self.assertIn("warning: others on the network can reach this", served.errors())

    def test_a_port_that_is_taken_is_told(self):
        import subprocess
        path = sample(self.file())
        served = self.serve(path, opens=False)
        port = served.base.rsplit(":", 1)[1]
        done = subprocess.run([PROGRAM, path, "--port", port, "--no-browser"], capture_output=True, text=True, timeout=20)
        self.assertEqual(done.returncode, 4)
        self.assertEqual(done.stdout, "")
        self.assertIn("error", done.stderr)

    def test_copies_get_another_key(self):
        self.expected_errors = []
        path = sample(self.file())
        self.serve(path)
        self.go("/file")
        copy = self.file("copy.realm")
        self.click("copy")
        self.browser.execute_script("arguments[0].value = arguments[1]", self.named("copy-path"), copy)
        self.write('[aria-label="new key"]', "ef" * 64)
        self.click("copy-go")
        self.until(lambda: any(text.startswith("copy done") for text in self.texts(".job")), "copied")
        tool("verify", copy, "--key", "ef" * 64)
