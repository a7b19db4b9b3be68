"""The agent's side of the Agent Client Protocol, version 1, on standard input and output.

Turns run in threads of their own, so that the client can cancel them and is answered while they run. Sessions live as
long as the process: loading them is not offered.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from typing import Any, Callable

from acp_connection import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    LATER,
    METHOD_NOT_FOUND,
    NOT_FOUND,
    Cancelled,
    Connection,
    RpcError,
)
from acp_turn import Session, Turn

# How long running turns may take to end once the client has left.
LEAVE_SECONDS = 2.0


class Agent:
    """Serves one client. `on_prompt` runs a turn and returns its stop reason; without one it is `end_turn`."""

    def __init__(
        self,
        name: str,
        version: str,
        on_prompt: Callable[[Turn], str | None],
        commands: dict[str, dict[str, Any]] | None = None,
    ) -> None:
        self.info = {"name": name, "version": version}
        self.commands = commands or {}
        self._on_prompt = on_prompt
        self._sessions: dict[str, Session] = {}
        self._turns: dict[Any, Turn] = {}
        self._client_capabilities: dict[str, Any] | None = None
        self._threads: set[threading.Thread] = set()
        self._connection: Connection | None = None

    def serve(self) -> None:
        """Serves until standard input ends. What is printed meanwhile goes to standard error: stdout is the wire."""
        output = os.dup(1)
        os.dup2(2, 1)
        self._connection = Connection(sys.stdin.buffer, output, self._take_request, self._take_notification)
        try:
            self._connection.serve()
        except KeyboardInterrupt:
            pass
        for turn in list(self._turns.values()):
            turn.cancelled.set()
        for thread in list(self._threads):
            thread.join(LEAVE_SECONDS)

    @property
    def _wire(self) -> Connection:
        assert self._connection, "serve() opens the connection"
        return self._connection

    def _take_request(self, request_id: Any, method: str, params: dict[str, Any]) -> Any:
        if method == "initialize":
            return self._initialize(params)
        if method not in ("session/new", "session/prompt"):
            raise RpcError(f"Method not found: {method}", METHOD_NOT_FOUND)
        if self._client_capabilities is None:
            raise RpcError("Send initialize first.", INVALID_REQUEST)
        if method == "session/prompt":
            self._start_turn(request_id, params)
            return LATER
        session = self._new_session(params)
        self._wire.answer(request_id, {"sessionId": session.id})
        if self.commands:
            commands = [{"name": name, **rest} for name, rest in self.commands.items()]
            update = {"sessionUpdate": "available_commands_update", "availableCommands": commands}
            self._wire.notify("session/update", {"sessionId": session.id, "update": update})
        return LATER

    def _take_notification(self, method: str, params: dict[str, Any]) -> None:
        turn: Turn | None = None
        if method == "session/cancel":
            session_id = params.get("sessionId")
            session = self._sessions.get(session_id) if isinstance(session_id, str) else None
            turn = session.turn if session else None
        elif method == "$/cancel_request":
            request_id = params.get("requestId")
            turn = self._turns.get(request_id) if isinstance(request_id, (str, int)) else None
        if turn:
            turn.cancelled.set()

    def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        version = params.get("protocolVersion")
        if not isinstance(version, int) or isinstance(version, bool) or not 0 <= version <= 65535:
            raise RpcError("protocolVersion must be a whole number.", INVALID_PARAMS)
        capabilities = params.get("clientCapabilities")
        self._client_capabilities = capabilities if isinstance(capabilities, dict) else {}
        return {
            "protocolVersion": 1,  # the latest version that is spoken here, whichever the client asks for
            "agentInfo": self.info,
            "agentCapabilities": {
                "loadSession": False,
                "promptCapabilities": {"image": False, "audio": False, "embeddedContext": False},
                "mcpCapabilities": {"http": False, "sse": False},
            },
            "authMethods": [],
        }

    def _new_session(self, params: dict[str, Any]) -> Session:
        cwd = params.get("cwd")
        if not isinstance(cwd, str) or not os.path.isabs(cwd):
            raise RpcError("cwd must be an absolute path.", INVALID_PARAMS)
        servers = params.get("mcpServers")
        if servers is None:
            servers = []
        if not isinstance(servers, list) or not all(isinstance(each, dict) for each in servers):
            raise RpcError("mcpServers must be a list of objects.", INVALID_PARAMS)
        for server in servers:
            if server.get("type", "stdio") != "stdio" or not isinstance(server.get("command"), str):
                raise RpcError("Only MCP servers on stdio, with a command, are taken.", INVALID_PARAMS)
        session = Session(cwd, servers)
        self._sessions[session.id] = session
        return session

    def _start_turn(self, request_id: Any, params: dict[str, Any]) -> None:
        session_id = params.get("sessionId")
        if not isinstance(session_id, str):
            raise RpcError("sessionId must be a text.", INVALID_PARAMS)
        content = _read_prompt(params.get("prompt"))
        session = self._sessions.get(session_id)
        if session is None:
            raise RpcError("There is no such session.", NOT_FOUND, {"sessionId": session_id})
        if session.turn:
            raise RpcError("A turn is running in this session; cancel it or wait for its end.", INVALID_REQUEST)
        files = (self._client_capabilities or {}).get("fs")
        reads_files = isinstance(files, dict) and files.get("readTextFile") is True
        turn = Turn(self._wire, session, content, set(self.commands), reads_files)
        session.turn = self._turns[request_id] = turn
        thread = threading.Thread(target=self._run_turn, args=(request_id, turn), daemon=True)
        self._threads.add(thread)
        thread.start()

    def _run_turn(self, request_id: Any, turn: Turn) -> None:
        stop_reason: str = "end_turn"
        error: RpcError | None = None
        try:
            stop_reason = self._on_prompt(turn) or "end_turn"
        except Cancelled:
            pass
        except RpcError as raised:
            error = raised
        except Exception:  # the client is told that it failed, the log tells why
            traceback.print_exc(file=sys.stderr)
            error = RpcError("The agent failed in this turn; its log says why.")
        for call in list(turn.open_calls.values()):
            call.fail("The turn ended before this did.")
        turn.session.turn = None
        self._turns.pop(request_id, None)
        if turn.cancelled.is_set():
            self._wire.answer(request_id, {"stopReason": "cancelled"})
        else:
            self._wire.answer(request_id, {"stopReason": stop_reason}, error)
        self._threads.discard(threading.current_thread())


def _read_prompt(prompt: Any) -> list[dict[str, Any]]:
    if not isinstance(prompt, list):
        raise RpcError("prompt must be a list of content.", INVALID_PARAMS)
    for index, block in enumerate(prompt):
        kind = block.get("type") if isinstance(block, dict) else None
        if kind not in ("text", "resource_link"):
            raise RpcError(f"prompt[{index}]: only text and links are taken.", INVALID_PARAMS)
        field = "text" if kind == "text" else "uri"
        if not isinstance(block.get(field), str):
            raise RpcError(f"prompt[{index}].{field} must be a text.", INVALID_PARAMS)
    return prompt
