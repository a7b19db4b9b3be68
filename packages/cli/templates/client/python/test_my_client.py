"""Runs my-client against an agent for tests: python3 -m unittest"""

from __future__ import annotations

import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

# An agent in a few lines: it asks for permission, then says what you said.
AGENT = """
import json, sys
def send(message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
def update(fields): send({"method": "session/update", "params": {"sessionId": "s1", "update": fields}})
for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    if method == "initialize": send({"id": message["id"], "result": {"protocolVersion": 1}})
    elif method == "session/new": send({"id": message["id"], "result": {"sessionId": "s1"}})
    elif method == "session/prompt":
        prompt_id, text = message["id"], message["params"]["prompt"][0]["text"]
        options = [{"optionId": "y", "name": "Allow", "kind": "allow_once"}, {"optionId": "n", "name": "Reject", "kind": "reject_once"}]
        params = {"sessionId": "s1", "toolCall": {"toolCallId": "c1", "title": "Remove all"}, "options": options}
        send({"id": "q1", "method": "session/request_permission", "params": params})
    elif message.get("id") == "q1":
        chosen = message["result"]["outcome"]["optionId"]
        update({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text + ", " + chosen}})
        send({"id": prompt_id, "result": {"stopReason": "end_turn"}})
"""


class ClientTest(unittest.TestCase):
    def run_client(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, os.path.join(HERE, "my_client.py"), *words]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    def test_shows_what_an_agent_says_and_rejects_where_nobody_can_answer(self) -> None:
        finished = self.run_client("Hello there", sys.executable, "-c", AGENT)
        self.assertEqual((finished.returncode, finished.stdout), (0, "Hello there, n\n"))
        self.assertIn("Remove all", finished.stderr)

    def test_says_in_words_that_an_agent_cannot_be_started(self) -> None:
        finished = self.run_client("Hello", "no-such-agent-anywhere")
        self.assertEqual(finished.returncode, 1)
        self.assertIn("no-such-agent-anywhere", finished.stderr)

    def test_says_that_an_agent_has_left(self) -> None:
        finished = self.run_client("Hello", sys.executable, "-c", "pass")
        self.assertEqual(finished.returncode, 1)
        self.assertIn("ended before it answered", finished.stderr)


if __name__ == "__main__":
    unittest.main()
