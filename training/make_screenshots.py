#!/usr/bin/env python3
"""Take the screenshots of the README: both tools, on a desk and on a phone.

    python training/make_screenshots.py

Needs Chromium with its driver, selenium (`pip install '.[visual]'`) and Pillow, which makes
the files small. The pages are the repository's own (tests/quality, but for scripts that a machine may have
no font for); the model is the default one.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[1]
PAGES = CHECKOUT / "tests" / "quality" / "raw"
ARTICLE = CHECKOUT / "tests" / "pages" / "lighthouse.html"
TARGET = CHECKOUT / "share" / "screenshots"
SIZES = {1280: 1100, 390: 844}  # width to height, in pixels
COLOURS = 128
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
STUPIDOS = (sys.executable, str(CHECKOUT / "bin" / "stupidos"))


@contextmanager
def chromium(profile: str) -> Iterator[Any]:
    """A browser with an empty profile."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    try:
        yield driver
    finally:
        driver.quit()


def resize(driver: Any, width: int) -> None:
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": SIZES[width], "deviceScaleFactor": 1, "mobile": width < 500},
    )


def save(driver: Any, name: str) -> None:
    """The window as a small PNG."""
    from PIL import Image

    with Image.open(BytesIO(driver.get_screenshot_as_png())) as image:
        small = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        small.save(TARGET / f"{name}.png", optimize=True)


def explain(driver: Any, folder: Path) -> None:
    """The report of an article, as a heat map with one decision unfolded and as verdicts; and an index."""
    path = folder / "report.html"
    subprocess.run([*STUPIDOS, "explain", str(ARTICLE), "-o", str(path)], check=True)
    resize(driver, 1280)
    driver.get(path.as_uri())
    driver.execute_script(
        "const row = document.querySelectorAll('.kept')[1]; row.querySelector('details').open = true;"
        "row.scrollIntoView({ block: 'center' })"
    )
    view(driver, "heat")
    save(driver, "explain-1280")
    resize(driver, 390)
    view(driver, "verdicts")
    driver.execute_script("scrollTo(0, 0)")
    save(driver, "explain-390")
    subprocess.run([*STUPIDOS, "explain", "pages", "-o", "report"], check=True, cwd=folder)
    resize(driver, 1280)
    driver.get((folder / "report" / "index.html").as_uri())
    save(driver, "explain-index-1280")


def view(driver: Any, name: str) -> None:
    driver.execute_script(f"document.querySelector('[value={name}]').click()")


def annotate(driver: Any, folder: Path) -> None:
    """A session with two pages finished and a third one begun."""
    command = [*STUPIDOS, "annotate", "pages", "gold", "--no-browser"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            resize(driver, 1280)
            driver.get(server.stdout.readline().strip())
            for finished in (1, 2):
                wait(driver, "document.querySelectorAll('.segment').length > 0")
                page = driver.find_element("id", "name").text
                driver.execute_script("document.getElementById('finish').click()")
                wait(driver, f"document.getElementById('finished').textContent === '{finished}'")
                wait(driver, f"document.getElementById('name').textContent !== '{page}'")
            driver.switch_to.active_element.send_keys("jjjjjj j")
            wait(driver, "document.getElementById('saved').textContent === 'All saved'")
            wait(driver, "frameLoaded")
            save(driver, "annotate-1280")
            resize(driver, 390)
            wait(driver, "document.getElementById('original').hidden")
            save(driver, "annotate-390")
        finally:
            server.terminate()


def wait(driver: Any, condition: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(driver, 30, 0.1).until(lambda _: driver.execute_script(f"return {condition}"))


def copy_pages(target: Path) -> None:
    """The pages of the quality suite in languages that every machine has letters for."""
    target.mkdir()
    for path in PAGES.iterdir():
        if not path.name.startswith("world-"):
            shutil.copy(path, target)


def main() -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium(f"{folder}/profile") as driver:
        copy_pages(Path(folder, "pages"))
        explain(driver, Path(folder))
        annotate(driver, Path(folder))


if __name__ == "__main__":
    main()
