#!/bin/sh
# Talks to an agent over streamable HTTP with nothing but curl: initialize, a session, a prompt, the end.
# Usage: sh network-smoke.sh http://127.0.0.1:7700/acp <token>
set -eu
url=$1
token=$2
work=$(mktemp -d)
readers=''
trap 'for reader in $readers; do kill "$reader" 2>/dev/null || true; done; rm -rf "$work"' EXIT

# The header with the token goes through a file, so that no other program sees it in the list of processes.
printf 'Authorization: Bearer %s\nContent-Type: application/json\n' "$token" >"$work/headers"

post() { # message, further headers
  message=$1
  shift
  curl -sS --fail-with-body -X POST -H "@$work/headers" "$@" --data "$message" "$url"
}

stream() { # file, headers
  file=$1
  shift
  curl -sS -N -H "@$work/headers" -H 'Accept: text/event-stream' "$@" "$url" >"$file" &
  readers="$readers $!"
}

wait_for() { # pattern, file
  tries=0
  until grep -q "$1" "$2" 2>/dev/null; do
    tries=$((tries + 1))
    if [ "$tries" -gt 600 ]; then
      echo "no $1 in:" >&2
      cat "$2" >&2
      exit 1
    fi
    sleep 0.05
  done
}

post '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}' \
  -D "$work/answer" >"$work/initialize"
connection=$(sed -n 's/^[Aa]cp-[Cc]onnection-[Ii]d: *\([^[:space:]]*\).*/\1/p' "$work/answer")
echo "connected: $connection"

stream "$work/connection" -H "Acp-Connection-Id: $connection"
post '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}' -H "Acp-Connection-Id: $connection"
wait_for '"id":1' "$work/connection"
session=$(sed -n 's/.*"sessionId":"\([^"]*\)".*/\1/p' "$work/connection" | head -n 1)
echo "session: $session"

stream "$work/session" -H "Acp-Connection-Id: $connection" -H "Acp-Session-Id: $session"
post "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"session/prompt\",\"params\":{\"sessionId\":\"$session\",\"prompt\":[{\"type\":\"text\",\"text\":\"hello\"}]}}" \
  -H "Acp-Connection-Id: $connection" -H "Acp-Session-Id: $session"
wait_for '"id":2' "$work/session"
sed -n 's/.*"agent_message_chunk".*"text":"\([^"]*\)".*/agent: \1/p' "$work/session"
sed -n 's/.*"stopReason":"\([^"]*\)".*/turn: \1/p' "$work/session"

curl -sS --fail-with-body -X DELETE -H "@$work/headers" -H "Acp-Connection-Id: $connection" "$url"
wait_for '^event: end' "$work/connection"
echo 'closed'
