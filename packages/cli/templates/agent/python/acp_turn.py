"""What an agent has in its hands while it answers: a session, a turn in it, the tool calls of the turn."""

from __future__ import annotations

import os
import threading
import uuid
from dataclasses import dataclass, field
from typing import Any

from acp_connection import Cancelled, Closed, Connection, RpcError


@dataclass
class Session:
    """One conversation. `state` is yours and lives as long as the session."""

    cwd: str
    mcp_servers: list[dict[str, Any]]
    id: str = field(default_factory=lambda: f"sess_{uuid.uuid4().hex}")
    state: dict[str, Any] = field(default_factory=dict)
    turn: Turn | None = None


class ToolCall:
    """Something that the agent does in a turn, as the client shows it."""

    def __init__(self, turn: Turn, title: str, kind: str, paths: list[str], raw_input: Any) -> None:
        self.id = f"call_{uuid.uuid4().hex}"
        self._turn = turn
        update: dict[str, Any] = {"title": title, "kind": kind, "status": "pending"}
        if paths:
            update["locations"] = [{"path": os.path.join(turn.session.cwd, path)} for path in paths]
        if raw_input is not None:
            update["rawInput"] = raw_input
        turn.update("tool_call", toolCallId=self.id, **update)
        turn.open_calls[self.id] = self

    def start(self) -> None:
        self._turn.update("tool_call_update", toolCallId=self.id, status="in_progress")

    def complete(self, text: str = "") -> None:
        self._end("completed", text)

    def fail(self, text: str) -> None:
        self._end("failed", text)

    def _end(self, status: str, text: str) -> None:
        self._turn.open_calls.pop(self.id, None)
        content = [{"type": "content", "content": {"type": "text", "text": text}}] if text else []
        self._turn.send_update("tool_call_update", toolCallId=self.id, status=status, content=content)


class Turn:
    """What happens between a prompt and its answer. All that waits or speaks raises Cancelled once it is cancelled."""

    def __init__(
        self,
        connection: Connection,
        session: Session,
        content: list[dict[str, Any]],
        commands: set[str],
        reads_files: bool,
    ) -> None:
        self.session = session
        self.content = content
        self.text = "\n".join(block["text"] for block in content if block["type"] == "text")
        # The slash command that the prompt begins with, without its slash, and what stands after it.
        word, _, rest = self.text.partition(" ")
        is_command = word.startswith("/") and word[1:] in commands
        self.command, self.argument = (word[1:], rest.strip()) if is_command else ("", self.text)
        self.cancelled = threading.Event()
        self.open_calls: dict[str, ToolCall] = {}
        self._connection = connection
        self._reads_files = reads_files

    def say(self, text: str) -> None:
        self.update("agent_message_chunk", content={"type": "text", "text": text})

    def think(self, text: str) -> None:
        self.update("agent_thought_chunk", content={"type": "text", "text": text})

    def plan(self, entries: list[dict[str, str]]) -> None:
        """Each entry has `content`, `priority` (high, medium, low) and `status` (pending, in_progress, completed)."""
        self.update("plan", entries=entries)

    def tool_call(
        self, title: str, kind: str = "other", paths: list[str] | None = None, raw_input: Any = None
    ) -> ToolCall:
        return ToolCall(self, title, kind, paths or [], raw_input)

    def ask_permission(self, call: ToolCall, title: str) -> bool:
        """True when the person allows this tool call, once. Anything but a clear yes is a no."""
        options = [
            {"optionId": "allow", "name": "Allow", "kind": "allow_once"},
            {"optionId": "reject", "name": "Reject", "kind": "reject_once"},
        ]
        params = {"toolCall": {"toolCallId": call.id, "title": title}, "options": options}
        try:
            answer = self.request("session/request_permission", params)
        except RpcError:
            return False
        self.require_running()
        outcome = answer.get("outcome") if isinstance(answer, dict) else None
        return isinstance(outcome, dict) and outcome.get("outcome") == "selected" and outcome.get("optionId") == "allow"

    def read_file(self, path: str) -> str:
        """A file as the client sees it, with what is not saved yet; from disk where the client serves no files."""
        absolute = os.path.join(self.session.cwd, path)
        if self._reads_files:
            answer = self.request("fs/read_text_file", {"path": absolute})
            if isinstance(answer, dict) and isinstance(answer.get("content"), str):
                return answer["content"]
            raise RpcError(f"The client gave no content for {absolute}.")
        with open(absolute, encoding="utf-8") as file:
            return file.read()

    def sleep(self, seconds: float) -> None:
        if self.cancelled.wait(seconds):
            raise Cancelled

    def request(self, method: str, params: dict[str, Any]) -> Any:
        """Asks the client and waits for its answer, or until the turn is cancelled."""
        self.require_running()
        try:
            return self._connection.request(method, {"sessionId": self.session.id, **params}, self.cancelled)
        except Closed:
            raise Cancelled from None

    def update(self, name: str, /, **fields: Any) -> None:
        self.require_running()
        self.send_update(name, **fields)

    def send_update(self, name: str, /, **fields: Any) -> None:
        update = {"sessionUpdate": name, **fields}
        self._connection.notify("session/update", {"sessionId": self.session.id, "update": update})

    def require_running(self) -> None:
        if self.cancelled.is_set():
            raise Cancelled
