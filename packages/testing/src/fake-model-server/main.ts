import { appendFileSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startFakeModelServer } from './fake-model-server.ts';
import { parseScript } from './script.ts';

const USAGE = `Starts a scripted model server on 127.0.0.1 and prints {"url": "..."} when it is ready.

  tsx --conditions=source packages/testing/src/fake-model-server/main.ts script.json [--port 0] [--log requests.jsonl] [--lenient]

The script is a JSON list of replies: "plain text", {"events": [...]}, {"error": "rate_limit"}, {"status": 500, "body": ""}.
A reply may carry {"when": {"contains": "...", "tool": "...", "hasToolResult": true}} and {"repeat": true}.
Requests beyond the script get the text of {"replies": [...], "fallback": "..."}, or HTTP 400.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string' },
    log: { type: 'string' },
    lenient: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const [scriptPath] = positionals;
if (values.help || scriptPath === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(values.help ? 0 : 2);
}

const script: unknown = JSON.parse(readFileSync(scriptPath, 'utf8'));
const { fallback } = script as { readonly fallback?: string };
const { log } = values;
const server = await startFakeModelServer({
  script: parseScript(script),
  port: Number(values.port ?? 0),
  strict: values.lenient !== true,
  ...(fallback === undefined ? {} : { fallback }),
  ...(log === undefined
    ? {}
    : { onRequest: ({ wire, path, body }) => appendFileSync(log, `${JSON.stringify({ wire, path, body })}\n`) }),
});
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
