#!/usr/bin/env python3
"""my-client: asks any ACP agent one thing and shows what it does.

    python3 my_client.py "Why does the build fail?" gemini --acp
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import Any

from acp_connection import INVALID_PARAMS, LATER, METHOD_NOT_FOUND, Closed, Connection, RpcError

# How long an agent may take to end when it is not needed any more.
LEAVE_SECONDS = 2.0


class Client:
    """One agent, one session. It offers neither files nor terminals: agents then use their own."""

    def __init__(self, command: list[str]) -> None:
        self._is_cancelled = False
        self._session_id: str | None = None
        self._open_requests: set[Any] = set()
        self._lock = threading.Lock()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        assert self.process.stdin and self.process.stdout
        self._connection = Connection(
            self.process.stdout, self.process.stdin.fileno(), self._take_request, self._take_notification
        )
        self._reader = threading.Thread(target=self._connection.serve, daemon=True)
        self._reader.start()

    def ask(self, text: str) -> str:
        """Opens a session in this folder, sends a prompt and returns why the turn stopped."""
        hello = {
            "protocolVersion": 1,
            "clientInfo": {"name": "my-client", "version": "0.1.0"},
            "clientCapabilities": {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False},
        }
        version = self._connection.request("initialize", hello).get("protocolVersion")
        if version != 1:
            raise RpcError(f"The agent speaks version {version} of the protocol; this client speaks version 1.")
        session = self._connection.request("session/new", {"cwd": os.getcwd(), "mcpServers": []})
        self._session_id = session["sessionId"]
        prompt = {"sessionId": self._session_id, "prompt": [{"type": "text", "text": text}]}
        return self._connection.request("session/prompt", prompt)["stopReason"]

    def cancel(self) -> None:
        """Asks the agent to stop; the prompt is then answered with `cancelled`."""
        with self._lock:
            self._is_cancelled = True
            open_requests = list(self._open_requests)
        for request_id in open_requests:
            self._decide(request_id, None)
        if self._session_id:
            self._connection.notify("session/cancel", {"sessionId": self._session_id})

    def close(self) -> None:
        """Ends the agent: first its input, then the agent itself, then all that it has started."""
        assert self.process.stdin
        self.process.stdin.close()
        try:
            self.process.wait(LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.terminate()
        try:
            self.process.wait(LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()

    def _take_notification(self, method: str, params: dict[str, Any]) -> None:
        """Shows an update. What is not known here is passed over: agents may say more than a client understands."""
        update = params.get("update")
        if method != "session/update" or params.get("sessionId") != self._session_id or not isinstance(update, dict):
            return
        kind = update.get("sessionUpdate")
        if kind == "agent_message_chunk":
            content = update.get("content")
            if isinstance(content, dict) and isinstance(content.get("text"), str):
                print(content["text"], end="", flush=True)
        elif kind in ("tool_call", "tool_call_update"):
            title = update.get("title") or update.get("toolCallId")
            print(f"[{update.get('status') or 'pending'}] {title}", file=sys.stderr)

    def _take_request(self, request_id: Any, method: str, params: dict[str, Any]) -> Any:
        if method != "session/request_permission":
            raise RpcError(f"Method not found: {method}", METHOD_NOT_FOUND)
        options = _read_options(params)
        title = params["toolCall"].get("title") or "The agent asks for permission."
        with self._lock:
            self._open_requests.add(request_id)
            is_cancelled = self._is_cancelled
        if is_cancelled:
            self._decide(request_id, None)
        else:
            # In a thread of its own: what else the agent says is read meanwhile.
            threading.Thread(target=self._ask_person, args=(request_id, title, options), daemon=True).start()
        return LATER

    def _ask_person(self, request_id: Any, title: str, options: list[dict[str, Any]]) -> None:
        print(f"\n{title}", file=sys.stderr)
        for number, option in enumerate(options, 1):
            print(f"  {number}) {option['name']}", file=sys.stderr)
        self._decide(request_id, _choose(options))

    def _decide(self, request_id: Any, option: dict[str, Any] | None) -> None:
        """Answers a permission request, once."""
        with self._lock:
            if request_id not in self._open_requests:
                return
            self._open_requests.remove(request_id)
        outcome = {"outcome": "selected", "optionId": option["optionId"]} if option else {"outcome": "cancelled"}
        self._connection.answer(request_id, {"outcome": outcome})


def _read_options(params: dict[str, Any]) -> list[dict[str, Any]]:
    options = params.get("options")
    is_valid = (
        isinstance(params.get("sessionId"), str)
        and isinstance(params.get("toolCall"), dict)
        and isinstance(params["toolCall"].get("toolCallId"), str)
        and isinstance(options, list)
        and all(isinstance(each, dict) and _has_texts(each, "optionId", "name", "kind") for each in options)
    )
    if not is_valid:
        raise RpcError("This is no permission request.", INVALID_PARAMS)
    return options


def _has_texts(value: dict[str, Any], *names: str) -> bool:
    return all(isinstance(value.get(name), str) for name in names)


def _choose(options: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The person's choice. Where nobody is there, what rejects; None when nothing does."""
    if sys.stdin.isatty():
        print("> ", end="", file=sys.stderr, flush=True)
        word = sys.stdin.readline().strip()
        if word.isdigit() and 1 <= int(word) <= len(options):
            return options[int(word) - 1]
    rejecting = [each for each in options if each["kind"].startswith("reject")]
    return rejecting[0] if rejecting else None


def main() -> int:
    prompt, *command = sys.argv[1:] or ["Hello!"]
    try:
        client = Client(command or ["parley", "agent"])
    except OSError as error:
        print(f"The agent could not be started: {error}", file=sys.stderr)
        return 1
    signal.signal(signal.SIGINT, lambda *_: client.cancel())
    try:
        stop_reason = client.ask(prompt)
    except Closed:
        print("\nThe agent ended before it answered.", file=sys.stderr)
        return 1
    except (RpcError, KeyError, TypeError, AttributeError) as error:
        print(f"\nThe agent could not be used: {error}", file=sys.stderr)
        return 1
    finally:
        client.close()
    print()
    print(f"The turn ended: {stop_reason}", file=sys.stderr)
    return 0 if stop_reason == "end_turn" else 1


if __name__ == "__main__":
    sys.exit(main())
