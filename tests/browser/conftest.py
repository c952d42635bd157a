"""A real Chromium, and a real `stupidos annotate` for it."""

from __future__ import annotations

import os
import shutil
import socketserver
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
)
PAGES = {
    "bees": ("Bees", ["Home", "Bees sleep at night.", "They dream of clover.", "Login", "Imprint"]),
    "hostile": (
        "<b>bold</b>",
        ["<script>alert(1)</script>", "</script><img src=x onerror=alert(2)>", "fine"],
    ),
    "tea": ("Tea", ["Menu", "Tea is hot.", "Share this"]),
}
SECONDS = 20


def html(title: str, texts: list[str]) -> str:
    from html import escape

    return f"<title>{escape(title)}</title>" + "".join(f"<p>{escape(text)}</p>" for text in texts)


class Outside:
    """Whatever lies beyond this computer: every connection that the browser makes to *.outside.example."""

    def __init__(self) -> None:
        self.connections = 0
        outside = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                outside.connections += 1

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]


@pytest.fixture(scope="session")
def outside() -> Iterator[Outside]:
    made = Outside()
    thread = threading.Thread(target=made.server.serve_forever)
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory, outside: Outside) -> Iterator[Any]:
    """The browser, with a profile of its own."""
    webdriver = pytest.importorskip("selenium.webdriver")
    programs = {name: shutil.which(name) for name in ("chromium", "chromedriver")}
    if not all(programs.values()):
        pytest.skip("needs the Debian packages chromium and chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = programs["chromium"]
    profile = f"--user-data-dir={tmp_path_factory.mktemp('profile')}"
    for flag in (*FLAGS, profile, f"--host-resolver-rules=MAP *.outside.example 127.0.0.1:{outside.port}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=programs["chromedriver"])
    driver = webdriver.Chrome(options=options, service=service)
    driver.implicitly_wait(0)
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: Any) -> Iterator[Any]:
    """The browser at 1280 pixels, with no console message left over."""
    resize(chromium, 1280, 900)
    chromium.get_log("browser")
    yield chromium
    chromium.switch_to.default_content()
    chromium.execute_script("window.onbeforeunload = null")
    chromium.get("about:blank")
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    chromium.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def resize(browser: Any, width: int, height: int) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
    )


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    folder.mkdir()
    for name, (title, texts) in PAGES.items():
        (folder / f"{name}.html").write_text(html(title, texts))
    return folder


@pytest.fixture
def annotate(raw: Path) -> Iterator[Callable[..., tuple[subprocess.Popen[str], str]]]:
    """Starts `stupidos annotate raw/ gold/`; gives its process and its address."""
    started: list[subprocess.Popen[str]] = []

    def start(*options: str) -> tuple[subprocess.Popen[str], str]:
        command = [sys.executable, "-m", "stupidos", "annotate", str(raw), str(raw.parent / "gold")]
        process = subprocess.Popen(
            [*command, "--no-browser", "--model", "rules", *options],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        started.append(process)
        assert process.stdout is not None
        return process, process.stdout.readline().strip()

    yield start
    for process in started:
        with process:
            process.kill()
