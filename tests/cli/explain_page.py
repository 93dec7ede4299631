#!/usr/bin/env python3
"""Opens pages of `ptojit explain` in one headless Chromium and uses them: explain_page.py [--shots FOLDER] PAGE.html...

Beside each page is what `--json` says of the same spec, PAGE.json. Speaks WebDriver with chromedriver, which is JSON over
HTTP. The first page has a run and machine code and is used by keyboard and mouse; all are measured. With --shots it
leaves pictures of each tab there, light and dark, 400 and 1400 pixels wide.
"""
import argparse
import base64
import json
import pathlib
import subprocess
import tempfile
import time
import urllib.request

KEYS = {"Right": "\ue014", "Left": "\ue012", "Home": "\ue011", "End": "\ue010", "Escape": "\ue00c", "Tab": "\ue004",
        "Enter": "\ue007"}
TABS = ["overview", "memory", "move", "pipes", "targets", "text", "code"]
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
           "--hide-scrollbars"]
PIECES = pathlib.Path(__file__).with_name("explain_page.js").read_text()


class Browser:
    def __init__(self, profile):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                self.address = "http://127.0.0.1:" + line.split()[-1].rstrip(".")
                break
        wanted = {"alwaysMatch": {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
                                  "goog:chromeOptions": {"args": OPTIONS + ["--user-data-dir=" + profile]}}}
        self.session = "/session/" + self.ask("POST", "/session", {"capabilities": wanted})["sessionId"]

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def post(self, path, body):
        return self.ask("POST", self.session + path, body)

    def open(self, page):
        self.post("/url", {"url": page.resolve().as_uri()})

    def run(self, script, *arguments):
        return self.post("/execute/sync", {"script": PIECES + script, "args": list(arguments)})

    def press(self, key):
        actions = [{"type": kind, "value": KEYS[key]} for kind in ["keyDown", "keyUp"]]
        self.post("/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def point_at(self, selector):
        x, y = self.run("return middleOf(arguments[0])", selector)
        self.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def command(self, name, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def set_width(self, width):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)

    def set_scheme(self, scheme):
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def close(self):
        try:
            self.ask("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait(30)


class Page:
    def __init__(self, browser, path):
        self.browser = browser
        self.path = path
        self.numbers = json.loads(path.with_suffix(".json").read_text())

    def check(self, holds, claim):
        if not holds:
            raise SystemExit(f"FAILED: {self.path.name}: {claim}")
        self.claims = getattr(self, "claims", 0) + 1

    def equal(self, found, wanted, claim):
        self.check(found == wanted, f"{claim}: {found}, not {wanted}")

    # What a key leads to may take a moment.
    def come_to(self, script, wanted, claim):
        end = time.monotonic() + 5
        while (found := self.browser.run(script)) != wanted and time.monotonic() < end:
            time.sleep(0.02)
        self.equal(found, wanted, claim)

    def at(self, pointer):
        value = self.numbers
        for part in pointer.split("/")[1:]:
            value = value[int(part)] if isinstance(value, list) else value[part]
        return value if isinstance(value, str) else json.dumps(value)

    def check_numbers(self):
        shown = self.browser.run("return facts()")
        self.check(len(shown) > 30, f"only {len(shown)} facts")
        self.equal([fact for fact in shown if self.at(fact[0]) != fact[1]], [], "facts that --json has otherwise")

    def check_looks(self):
        for scheme in ["dark", "light"]:
            self.browser.set_scheme(scheme)
            self.equal(self.browser.run("return tooFaint()"), [], f"words that are hard to read, {scheme}")
        for width in [400, 1400]:
            self.browser.set_width(width)
            self.equal(self.browser.run("return tooWide()"), [], f"tabs wider than {width} pixels")
        self.equal(self.browser.run("return onTop()"), [], "labels of pictures on top of others")

    def check_tabs(self):
        browser = self.browser
        browser.run("byId('tab-overview').focus()")
        for name in TABS[1:] + TABS[:1]:
            browser.press("Right")
            self.equal(browser.run("return openPanels()"), ["panel-" + name], "the right arrow opens")
            self.check(browser.run("return isFocusSeen()"), f"the focus on {name} is not seen")
        for key, name in [("End", TABS[-1]), ("Home", TABS[0])]:
            browser.press(key)
            self.equal(browser.run("return openPanels()"), ["panel-" + name], key + " opens")

    # Whatever the Tab key comes to shows that it has the focus, and is not hidden.
    def check_stops(self, tab, least):
        browser = self.browser
        browser.run("open_(arguments[0])", tab)
        for number in range(least):
            browser.press("Tab")
            self.check(browser.run("return isFocusSeen()"), f"the focus is not seen at stop {number} of {tab}")
            self.check(browser.run("return isInside(arguments[0])", tab), f"stop {number} is not in {tab}")

    def check_steps(self):
        browser = self.browser
        browser.run("open_('move'); byId('next').focus()")
        for step in self.numbers["move"]["steps"][:3]:
            browser.press("Right")
            said = browser.run("return byId('step-words').textContent")
            self.check(said.startswith(f"Position {step['position']}, ") and step["outcome"] in said, "the step says " + said)
            self.equal(browser.run("return litCells()"), [str(step["cell"])] if "cell" in step else [], "cells are lit")
        browser.press("Left")
        self.check("Position 1," in browser.run("return byId('step-words').textContent"), "the left arrow goes back")
        browser.press("Escape")
        self.check("All positions" in browser.run("return byId('step-words').textContent"), "Escape shows all")

    def check_runs(self):
        wanted = sum("run" in form for form in self.numbers["forms"])
        missing = [wait for form in self.numbers["forms"] for wait in form["waits"] if "run" in wait]
        shown = self.browser.run("return chooseRuns()")
        self.equal(len(shown), wanted + len(missing), "runs to choose")
        for run in shown:
            self.equal(run["shown"], [run["id"]], "runs that are seen")
        self.equal(sum(run["reported"] > 0 for run in shown), len(missing), "runs in which something is marked")

    # Each way to a verb marks the same: its row, its lines of the plan, the instructions it wrote.
    def check_verbs(self):
        browser = self.browser
        browser.run("open_('code')")
        host = self.numbers["host"]
        lines = browser.run("return instructions()")
        self.equal(lines, [[line["text"], line["verbs"][-1]] for line in host["code"]], "instructions and their verbs")
        for verb in host["verbs"]:
            name = verb["verb"]
            wanted = {"verbs": [name], "lines": sorted(line for line in verb["lines"] if line in self.numbers["plan"]),
                      "instructions": verb["instructions"]}
            browser.run("row(arguments[0]).querySelector('a').focus()", name)
            self.equal(browser.run("return lit()"), wanted, f"marked by the focus on {name}")
            browser.press("Enter")
            self.come_to("return focusedVerb()", [name, "code"], f"Enter on {name} leads to its code")
            self.equal(browser.run("return lit()"), wanted, f"marked by the focus on the code of {name}")
            browser.press("Enter")
            self.come_to("return focusedVerb()", [name, "row"], f"Enter on the code of {name} leads back")
        browser.run("document.activeElement.blur()")
        for name in [host["verbs"][1]["verb"], host["verbs"][2]["verb"]]:
            for place in [f"tr[data-verb={name}] a", f".code a[data-verb={name}]"]:
                browser.point_at(place)
                self.equal(browser.run("return lit().verbs"), [name], "marked by the mouse on " + place)
        label = next(line for verb in host["verbs"] for line in verb["lines"] if line in self.numbers["plan"])
        browser.point_at(f"tr[data-line={label}]")
        self.equal(browser.run("return lit().verbs"), [v["verb"] for v in host["verbs"] if label in v["lines"]],
                   "marked by the mouse on " + label)

    def take_pictures(self, folder):
        for scheme in ["light", "dark"]:
            self.browser.set_scheme(scheme)
            for width in [400, 1400]:
                self.browser.set_width(width)
                for name in TABS:
                    self.browser.run("open_(arguments[0])", name)
                    data = self.browser.command("Page.captureScreenshot", captureBeyondViewport=True)["data"]
                    (folder / f"{self.path.stem}-{name}-{width}-{scheme}.png").write_bytes(base64.b64decode(data))


def use(page):
    page.check_tabs()
    page.check_stops("move", 4)
    page.check_stops("pipes", 8)
    page.check_steps()
    if page.numbers["run"]["done"]:
        page.check_runs()
    if "absent" not in page.numbers["host"]:
        page.check_verbs()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(profile)
        try:
            for number, path in enumerate(given.pages):
                page = Page(browser, path)
                browser.open(path)
                page.check_numbers()
                page.check_looks()
                if number == 0:
                    use(page)
                if given.shots:
                    page.take_pictures(given.shots)
                messages = browser.post("/se/log", {"type": "browser"})
                page.equal(messages, [], "messages on the console")
                print(f"{path.name}: {page.claims} claims hold", flush=True)
        finally:
            browser.close()


main()
