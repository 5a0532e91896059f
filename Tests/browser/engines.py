"""Browser engines other than Chromium, reduced to the few actions that a smoke test needs: stock Firefox through
Playwright, and WebKitGTK's MiniBrowser through WebDriver on a display of its own."""

import contextlib
import os
import subprocess

from playwright.sync_api import Error, sync_playwright

from serving import until

# The maximum number of consecutive navigations during a script: a form's response, its redirect, and a reload.
NAVIGATIONS = 3
MINI_BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"


class Firefox:
    """A page in Firefox. Elements are named by CSS selectors."""

    def __init__(self, page):
        self.page = page
        self.complaints = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, address):
        self.page.goto(address)

    def reload(self):
        self.page.reload()

    def run(self, script, *arguments):
        """The result of a function body, whose parameters are `arguments`."""
        function = f"(rest) => (function () {{ {script} }})(...rest)"
        # Navigating away interrupts a script, even while the next page loads: run it again there.
        for _ in range(NAVIGATIONS):
            try:
                return self.page.evaluate(function, list(arguments))
            except Error as error:
                if "Execution context was destroyed" not in str(error):
                    raise
                self.page.wait_for_load_state()
        return self.page.evaluate(function, list(arguments))

    def fill(self, selector, text):
        self.page.locator(selector).fill(text)

    def type(self, selector, text):
        self.page.locator(selector).press_sequentially(text)

    def press(self, selector, key):
        self.page.locator(selector).press(key)

    def click(self, selector):
        self.page.locator(selector).first.click()

    def point_and_press_second_button(self, selector):
        self.page.locator(selector).first.click(button="right")


class WebKit:
    """The same for a page in WebKitGTK."""

    def __init__(self, driver):
        self.driver = driver
        self.complaints = []

    def open(self, address):
        self.driver.get(address)

    def reload(self):
        self.driver.refresh()

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def element(self, selector):
        from selenium.webdriver.common.by import By
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def fill(self, selector, text):
        element = self.element(selector)
        element.clear()
        element.send_keys(text)

    def type(self, selector, text):
        self.element(selector).send_keys(text)

    def press(self, selector, key):
        from selenium.webdriver.common.keys import Keys
        self.element(selector).send_keys({"Enter": Keys.ENTER, "Escape": Keys.ESCAPE, "ArrowUp": Keys.ARROW_UP}[key])

    def click(self, selector):
        self.reach(selector, lambda element: element.click())

    def point_and_press_second_button(self, selector):
        from selenium.webdriver.common.action_chains import ActionChains
        self.reach(selector, lambda element: ActionChains(self.driver).context_click(element).perform())

    def reach(self, selector, press):
        """Presses an element once the press reaches it: a row may be moving, or be redrawn, when it is found."""
        from selenium.common.exceptions import WebDriverException

        def reaches():
            try:
                press(self.element(selector))
                return True
            except WebDriverException:
                return False

        until(reaches, f"a press of {selector}")


@contextlib.contextmanager
def firefox():
    """Creates pages in Firefox, each with its own cookies."""
    with sync_playwright() as playwright:
        browser = playwright.firefox.launch(channel="moz-firefox", executable_path="/usr/bin/firefox-esr", headless=True)
        yield lambda: Firefox(browser.new_context(viewport={"width": 1280, "height": 800}).new_page())
        browser.close()


@contextlib.contextmanager
def display():
    """An X server without a screen; yields its name."""
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x900x24", "-nolisten", "tcp"],
                              pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        name = f":{told.readline().strip()}"
    try:
        yield name
    finally:
        server.terminate()
        server.wait(10)


@contextlib.contextmanager
def webkit():
    """Creates one page in WebKitGTK at a time: a session is a browser."""
    from selenium import webdriver
    from selenium.webdriver.webkitgtk.service import Service
    drivers = []

    def start():
        options = webdriver.WebKitGTKOptions()
        options.binary_location = MINI_BROWSER
        options.add_argument("--automation")
        service = Service("/usr/bin/WebKitWebDriver", env={**os.environ, "DISPLAY": name, "LIBGL_ALWAYS_SOFTWARE": "1"})
        drivers.append(webdriver.WebKitGTK(options=options, service=service))
        drivers[-1].set_window_size(1280, 800)
        return WebKit(drivers[-1])

    with display() as name:
        try:
            yield start
        finally:
            for driver in drivers:
                driver.quit()


ENGINES = {"firefox": firefox, "webkit": webkit}
