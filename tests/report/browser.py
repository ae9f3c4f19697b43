"""A headless browser over its own pipe: no driver, no port, no package."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any


class Browser:
    """One page of a headless Chromium. `seen` holds what it asked for, `said` what its console said beside information."""

    def __init__(self, program: str, profile: Path, width: int = 1280, height: int = 900) -> None:
        here, theirs = os.pipe(), os.pipe()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={profile}", f"--window-size={width},{height}"]
        line = f"exec {shlex.join([program, *flags])} about:blank 3<&{here[0]} 4>&{theirs[1]}"
        self._process = subprocess.Popen(["bash", "-c", line], pass_fds=(here[0], theirs[1]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(here[0])
        os.close(theirs[1])
        self._out, self._in = here[1], theirs[0]
        self._rest = b""
        self._number = 0
        self._session = ""
        self.seen: list[str] = []
        self.said: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._call(f"{domain}.enable")
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._process.terminate()
        self._process.wait(20)
        os.close(self._out)
        os.close(self._in)

    def open(self, page: Path) -> None:
        """Load a page from disk."""
        self._call("Page.navigate", url=page.as_uri())
        self.until("document.readyState === 'complete' && location.protocol === 'file:'")

    def type(self, text: str) -> None:
        """Type into what has the focus, letter by letter."""
        for letter in text:
            self._call("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
            self._call("Input.dispatchKeyEvent", type="keyUp", key=letter)

    def press(self, key: str, code: int, modifiers: int = 0) -> None:
        """Press one key; `modifiers` 2 is Ctrl."""
        told: dict[str, Any] = {"key": key, "code": key if len(key) > 1 else f"Key{key.upper()}", "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self._call("Input.dispatchKeyEvent", type="rawKeyDown" if key != "Enter" else "keyDown", **told, **({"text": "\r"} if key == "Enter" else {}))
        self._call("Input.dispatchKeyEvent", type="keyUp", **told)

    def value(self, expression: str) -> Any:
        """What a JavaScript expression gives in the page."""
        return self._call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def until(self, expression: str, seconds: float = 20) -> Any:
        """Wait until an expression is true; its value. Raises TimeoutError."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            told = self.value(expression)
            if told:
                return told
            time.sleep(0.05)
        raise TimeoutError(expression)

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        number = self._number
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self._event(answer)

    def _event(self, event: dict[str, Any]) -> None:
        told = event.get("params", {})
        match event.get("method"):
            case "Network.requestWillBeSent":
                self.seen.append(told["request"]["url"])
            case "Runtime.exceptionThrown":
                self.said.append(told["exceptionDetails"].get("exception", {}).get("description") or told["exceptionDetails"]["text"])
            case "Runtime.consoleAPICalled" if told["type"] in ("error", "warning"):
                self.said.append(" ".join(str(each.get("value", "")) for each in told["args"]))
            case "Log.entryAdded" if told["entry"]["level"] in ("error", "warning"):
                self.said.append(told["entry"]["text"])

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            some = os.read(self._in, 65536)
            if not some:
                raise RuntimeError("the browser ended")
            self._rest += some
        message, _, self._rest = self._rest.partition(b"\0")
        told: dict[str, Any] = json.loads(message)
        return told
