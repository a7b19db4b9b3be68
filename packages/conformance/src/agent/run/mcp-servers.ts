import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { McpServer } from '@parley/protocol';
import { fieldsOf } from '../../messages/message.ts';
import { sleep } from '../../probe/probe.ts';

/** An MCP server whose visitors can be seen. */
export interface WatchedMcpServer extends AsyncDisposable {
  /** As it is given to the agent. */
  readonly server: McpServer;
  /** The MCP methods that were called, as soon as `initialize` is among them or the time is up. */
  calls(timeoutMs: number): Promise<readonly string[]>;
}

/**
 * A whole MCP server without tools, as a script for `node`. It notes each method it is called with in the file that is
 * its argument. It is text because it must run in another process, from sources and from a build alike.
 */
const STDIO_SERVER = `
const { appendFileSync } = require('node:fs');
const log = process.argv[2];
appendFileSync(log, 'started\\n');
let rest = '';
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    if (!line.trim()) continue;
    const { id, method, params } = JSON.parse(line);
    appendFileSync(log, method + '\\n');
    if (id === undefined) continue;
    const results = {
      initialize: { protocolVersion: params && params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'parley-check', version: '1' } },
      'tools/list': { tools: [] },
      ping: {},
    };
    const known = results[method];
    const answer = known ? { result: known } : { error: { code: -32601, message: 'no such method' } };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
  }
});
process.stdin.on('end', () => process.exit(0));
`;

let count = 0;

/** An MCP server that the agent must start itself. */
export async function watchStdioServer(folder: string): Promise<WatchedMcpServer> {
  const name = `parley-mcp-${++count}`;
  const script = join(folder, `${name}.cjs`);
  const log = join(folder, `${name}.log`);
  await writeFile(script, STDIO_SERVER);
  await writeFile(log, '');
  const read = async (): Promise<readonly string[]> => (await readFile(log, 'utf8')).split('\n').filter(Boolean);
  return {
    server: { name, command: process.execPath, args: [script, log], env: [] },
    calls: (timeoutMs) => pollCalls(read, timeoutMs),
    async [Symbol.asyncDispose]() {},
  };
}

/** An MCP server on loopback, over streamable HTTP or over HTTP with server-sent events. */
export async function watchHttpServer(type: 'http' | 'sse'): Promise<WatchedMcpServer> {
  const seen: string[] = [];
  const state: HttpServerState = { seen, type, events: undefined };
  const server = createServer((request, response) => void answerHttp(request, response, state));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server: { type, name: `parley-mcp-${++count}`, url: `http://127.0.0.1:${port}/${type}`, headers: [] },
    calls: (timeoutMs) => pollCalls(async () => seen, timeoutMs),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface HttpServerState {
  readonly seen: string[];
  readonly type: 'http' | 'sse';
  /** Where answers go when the server speaks SSE. */
  events: ServerResponse | undefined;
}

/** Where messages are posted to a server that speaks SSE. */
const SSE_MESSAGES = '/messages';

async function answerHttp(request: IncomingMessage, response: ServerResponse, state: HttpServerState): Promise<void> {
  const { seen, type } = state;
  if (request.method === 'GET') {
    if (type === 'http') return void response.writeHead(405).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: ${SSE_MESSAGES}\n\n`);
    state.events = response;
    return;
  }
  // Clients that do not know which of the two a server speaks try the other first, and go by the refusal.
  if (type === 'sse' && request.url !== SSE_MESSAGES) return void response.writeHead(405).end();
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { id, method, params } = fieldsOf(parse(body));
  seen.push(String(method));
  const answer = id === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', id, ...answerMcp(method, params) });
  if (answer === undefined || type === 'sse') response.writeHead(202).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  if (answer !== undefined) state.events?.write(`event: message\ndata: ${answer}\n\n`);
}

/** What a server without tools says. */
function answerMcp(method: unknown, params: unknown): Readonly<Record<string, unknown>> {
  if (method === 'ping') return { result: {} };
  if (method === 'tools/list') return { result: { tools: [] } };
  if (method !== 'initialize') return { error: { code: -32601, message: 'no such method' } };
  const { protocolVersion } = fieldsOf(params);
  return {
    result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'parley-check', version: '1' } },
  };
}

const POLL_MS = 25;

async function pollCalls(read: () => Promise<readonly string[]>, timeoutMs: number): Promise<readonly string[]> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const calls = await read();
    if (calls.includes('initialize') || performance.now() > deadline) return calls;
    await sleep(POLL_MS);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
