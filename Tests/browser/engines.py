"""Other engines than Chromium, each behind the few actions that a smoke flow needs: stock Firefox by Playwright, and
WebKitGTK's MiniBrowser by WebDriver on a display of its own."""

import contextlib
import os
import subprocess

from playwright.sync_api import Error, sync_playwright

from conftest import until

MINI_BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"


class Firefox:
    """A page of Firefox. What is acted on is named by a selector of CSS."""

    def __init__(self, page):
        self.page = page
        self.complaints = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, address):
        self.page.goto(address)

    def reload(self):
        self.page.reload()

    def run(self, script, *arguments):
        """The value of a function's body, to which the arguments are `arguments`."""
        function = f"(rest) => (function () {{ {script} }})(...rest)"
        try:
            return self.page.evaluate(function, list(arguments))
        except Error as error:
            # The page was left for another one meanwhile: that one is asked.
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
    """The same of a page of WebKitGTK."""

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
        from selenium.common.exceptions import WebDriverException

        def clicks():
            """Whether the press reached it: a row may be moving, or be drawn anew, as it is found."""
            try:
                self.element(selector).click()
                return True
            except WebDriverException:
                return False

        until(clicks, f"a press of {selector}")

    def point_and_press_second_button(self, selector):
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(self.driver).context_click(self.element(selector)).perform()


@contextlib.contextmanager
def firefox():
    """Makes pages of Firefox, each with cookies of its own."""
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
    """Makes one page of WebKitGTK a time: a session is a browser."""
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
