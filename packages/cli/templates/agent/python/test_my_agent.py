"""Talks to my-agent in a process of its own, as a client does: python3 -m unittest"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import unittest
from typing import Any

from acp_connection import Connection, RpcError

HERE = os.path.dirname(os.path.abspath(__file__))


class AgentTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cwd = os.path.realpath(folder.name)
        self.updates: list[dict[str, Any]] = []
        self.said = threading.Event()
        self.option = "allow"
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "my_agent.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self.process.stdin and self.process.stdout
        self.agent = Connection(
            self.process.stdout, self.process.stdin.fileno(), self.take_request, self.take_notification
        )
        reader = threading.Thread(target=self.agent.serve)
        reader.start()
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(reader.join)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.stdin.close)
        self.agent.request("initialize", {"protocolVersion": 1, "clientCapabilities": {}})
        self.session_id = self.agent.request("session/new", {"cwd": self.cwd, "mcpServers": []})["sessionId"]

    def take_request(self, _request_id: Any, method: str, _params: dict[str, Any]) -> Any:
        if method == "session/request_permission":
            return {"outcome": {"outcome": "selected", "optionId": self.option}}
        raise RpcError(f"Method not found: {method}", -32601)

    def take_notification(self, _method: str, params: dict[str, Any]) -> None:
        self.updates.append(params["update"])
        if params["update"]["sessionUpdate"] == "agent_message_chunk":
            self.said.set()

    def prompt(self, text: str) -> str:
        content = [{"type": "text", "text": text}]
        return self.agent.request("session/prompt", {"sessionId": self.session_id, "prompt": content})["stopReason"]

    def text(self) -> str:
        chunks = [each for each in self.updates if each["sessionUpdate"] == "agent_message_chunk"]
        return "".join(each["content"]["text"] for each in chunks)

    def test_says_what_you_said(self) -> None:
        self.assertEqual(self.prompt("hello"), "end_turn")
        self.assertEqual(self.text(), "You said: hello")

    def test_counts_when_it_is_allowed(self) -> None:
        with open(os.path.join(self.cwd, "words.txt"), "w", encoding="utf-8") as file:
            file.write("one two three")
        self.assertEqual(self.prompt("/count words.txt"), "end_turn")
        self.assertEqual(self.text(), "words.txt has 3 words.")
        self.assertEqual(self.updates[-2]["status"], "completed")

    def test_leaves_alone_what_is_not_allowed(self) -> None:
        self.option = "reject"
        self.prompt("/count words.txt")
        self.assertEqual(self.text(), "Then I leave it alone.")

    def test_can_be_cancelled_and_goes_on(self) -> None:
        canceller = threading.Thread(target=self.cancel_when_it_speaks)
        canceller.start()
        self.assertEqual(self.prompt("/wait 60"), "cancelled")
        canceller.join()
        self.assertEqual(self.prompt("still there?"), "end_turn")

    def cancel_when_it_speaks(self) -> None:
        self.said.wait()
        self.agent.notify("session/cancel", {"sessionId": self.session_id})


if __name__ == "__main__":
    unittest.main()
