#!/usr/bin/env python3
"""Opens a page of `ptojit explain` in a headless Chromium and uses it by keyboard: explain_page.py PAGE JSON [SHOTS].

Speaks WebDriver with chromedriver, which is JSON over HTTP. With a third argument, a folder, it leaves screenshots
there: each tab, light and dark, 400 and 1400 pixels wide.
"""
import base64
import json
import pathlib
import subprocess
import sys
import time
import urllib.request

KEYS = {"Right": "\ue014", "Left": "\ue012", "Home": "\ue011", "End": "\ue010", "Escape": "\ue00c", "Tab": "\ue004"}
TABS = ["overview", "memory", "move", "pipes", "targets", "text"]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    def __init__(self, is_dark=False):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                self.address = "http://127.0.0.1:" + line.split()[-1].rstrip(".")
                break
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
        if is_dark:
            options.append("--force-dark-mode")
        wanted = {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": {"args": options},
                                  "goog:loggingPrefs": {"browser": "ALL"}}}
        made = self.ask("POST", "/session", {"capabilities": wanted})
        self.session = "/session/" + made["sessionId"]

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def post(self, path, body):
        return self.ask("POST", self.session + path, body)

    def open(self, page):
        self.post("/url", {"url": pathlib.Path(page).resolve().as_uri()})

    def run(self, script, *arguments):
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, key):
        active = self.ask("GET", self.session + "/element/active")[ELEMENT]
        self.post(f"/element/{active}/value", {"text": KEYS[key]})

    def command(self, name, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def messages(self):
        return self.post("/se/log", {"type": "browser"})

    def close(self):
        try:
            self.ask("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait(30)


def check(holds, claim):
    print(("ok: " if holds else "FAILED: ") + claim, flush=True)
    if not holds:
        sys.exit(1)


def at(numbers, pointer):
    for part in pointer.split("/")[1:]:
        numbers = numbers[int(part)] if isinstance(numbers, list) else numbers[part]
    return numbers if isinstance(numbers, str) else json.dumps(numbers)


def check_numbers(browser, numbers):
    shown = browser.run("return [...document.querySelectorAll('[data-json]')].map(e => [e.dataset.json, e.textContent])")
    wrong = [(pointer, text) for pointer, text in shown if at(numbers, pointer) != text]
    check(len(shown) > 30 and not wrong, f"{len(shown)} facts are those of --json {wrong[:3]}")


def visible_panel(browser):
    return browser.run("return [...document.querySelectorAll('[role=tabpanel]')].filter(e => !e.hidden).map(e => e.id)")


def check_tabs(browser):
    browser.run("document.getElementById('tab-overview').focus()")
    for name in TABS[1:] + TABS[:1]:
        browser.press("Right")
        check(visible_panel(browser) == ["panel-" + name], f"the right arrow opens {name} alone")
    browser.press("End")
    check(visible_panel(browser) == ["panel-text"], "End opens the last")
    browser.press("Home")
    check(visible_panel(browser) == ["panel-overview"], "Home opens the first")


def check_steps(browser, numbers):
    browser.run("document.getElementById('tab-move').click(); document.getElementById('next').focus()")
    words = "return document.getElementById('step-words').textContent"
    for step in numbers["move"]["steps"][:3]:
        browser.press("Right")
        said = browser.run(words)
        check(said.startswith(f"Position {step['position']}, ") and step["outcome"] in said, "the step says " + said)
        lit = browser.run("return [...document.querySelectorAll('rect[data-cell].on')].map(e => e.dataset.cell)")
        check(lit == ([str(step["cell"])] if "cell" in step else []), f"cells {lit} are lit")
    browser.press("Left")
    check("Position 1," in browser.run(words), "the left arrow goes back")
    browser.press("Escape")
    check("All positions" in browser.run(words), "Escape shows all")


def check_runs(browser):
    browser.run("document.getElementById('tab-pipes').click()")
    runs = browser.run("return [...document.querySelectorAll('#run option')].map(e => e.value)")
    for run in runs:
        browser.run("const e = document.getElementById('run'); e.value = arguments[0];"
                    "e.dispatchEvent(new Event('change'))", run)
        shown = browser.run("return [...document.querySelectorAll('figure.run')].filter(e => !e.hidden).map(e => e.id)")
        check(shown == [run], f"{run} is shown alone")


def check_width(browser, width):
    browser.command("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    for name in TABS:
        browser.run("document.getElementById('tab-' + arguments[0]).click()", name)
        wide = browser.run("return document.documentElement.scrollWidth")
        check(wide <= width, f"{name} is {wide} wide in {width}")


def take_pictures(browser, folder):
    for scheme in ["light", "dark"]:
        browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        for width in [400, 1400]:
            browser.command("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
            for name in TABS:
                browser.run("document.getElementById('tab-' + arguments[0]).click()", name)
                time.sleep(0.05)
                data = browser.ask("GET", browser.session + "/screenshot")
                (pathlib.Path(folder) / f"{name}-{scheme}-{width}.png").write_bytes(base64.b64decode(data))


def main():
    page, numbers = sys.argv[1], json.loads(pathlib.Path(sys.argv[2]).read_text())
    browser = Browser()
    try:
        browser.open(page)
        check_numbers(browser, numbers)
        check_tabs(browser)
        check_steps(browser, numbers)
        check_runs(browser)
        for width in [400, 1400]:
            check_width(browser, width)
        if len(sys.argv) > 3:
            take_pictures(browser, sys.argv[3])
        messages = browser.messages()
        check(not messages, f"the console has no message {messages}")
    finally:
        browser.close()


main()
