import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as sendRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { traceToFile } from '@parley/client/node';
import { type Connection, createConnection } from '@parley/jsonrpc';
import { END_TURN, type Step } from '@parley/testing/scripted-agent';
import { webSocketAgent } from '@parley/transports/websocket';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Gateway, gateway } from '../src/index.ts';
import { auditLog, eventLog, metrics, operationRoutes } from '../src/operations/index.ts';
import { scriptedAgents, until } from './support/hosting.ts';

const scripted = scriptedAgents();

/** Where secrets are in what passes a gateway. */
const PLACES = [
  'token of ada',
  'token of ben',
  'wrong token',
  'token in a query',
  'cookie',
  'basic header',
  'environment of the agent',
  'key in a prompt',
  'setting in a prompt',
  'resource in a prompt',
  'environment of an MCP server',
  'header of an MCP server',
  'argument of an MCP server',
  'stderr of the agent',
  'title of a tool call',
  'input of a tool call',
  'answer to a form',
  'metadata of a session',
  'parameter of a method of somebody else',
  'address of a page',
  'login',
  'last words of the agent',
] as const;
type Place = (typeof PLACES)[number];

describe('a secret', () => {
  it('is in no log, no metrics, no audit, no trace, and no answer that other principals get', async () => {
    const canaries = Object.fromEntries(PLACES.map((place) => [place, randomBytes(12).toString('hex')])) as Record<
      Place,
      string
    >;
    const at = (place: Place): string => canaries[place];
    const folder = await mkdtemp(join(tmpdir(), 'parley-secrets-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const tokens = { ada: at('token of ada'), ben: at('token of ben') };
    const secrets = [...Object.values(tokens), at('environment of the agent')];
    const log = eventLog({ destination: join(folder, 'log'), level: 'debug', secrets });
    const audit = auditLog({ path: join(folder, 'audit'), secrets });
    const trace = traceToFile(join(folder, 'trace'), { secrets });
    const numbers = metrics();
    onTestFinished(() => numbers.close());
    const kinds = new Set<string>();
    const server = gateway({
      agents: { one: scripted(leakingScript(at), { env: { AGENT_TOKEN: at('environment of the agent') } }) },
      connect: { trace },
      traffic: { secrets },
      caps: { requestsPerSecond: 1000 },
      onEvent: (event) => {
        kinds.add(event.kind);
        log(event);
        audit.onEvent(event);
        numbers.onEvent(event);
      },
    });
    const port = await server.listen({ tokens, routes: operationRoutes({ gateway: server, metrics: numbers }) });

    await knock(port.port, { path: '/acp', headers: { authorization: `Bearer ${at('wrong token')}` } });
    await knock(port.port, {
      path: `/elsewhere?token=${at('token in a query')}`,
      headers: { cookie: `session=${at('cookie')}` },
    });
    await knock(port.port, { path: '/acp', headers: { authorization: `Basic ${at('basic header')}` } });

    const ada = await dial(port.url, tokens.ada);
    const sessionId = await ada.leak(at);
    const ben = await dial(port.url, tokens.ben);
    await ben.visit(sessionId);
    const numbersText = await (
      await fetch(new URL('/metrics', port.url), { headers: { authorization: `Bearer ${tokens.ben}` } })
    ).text();
    await port.close({ graceMs: 1000 });
    await server.close();
    const traffic = await Promise.all(['ada', 'ben'].map((principal) => firstTraffic(server, principal)));
    await until(() => kinds.has('agent_crashed') && kinds.has('client_left'));
    await Promise.all([log.close(), audit.close(), trace.close()]);

    const written = {
      log: await readFile(join(folder, 'log'), 'utf8'),
      audit: await readFile(join(folder, 'audit'), 'utf8'),
      trace: await readFile(join(folder, 'trace'), 'utf8'),
      metrics: numbersText,
      traffic: traffic.join('\n'),
      ben: ben.heard.join('\n'),
    };
    // All of it has happened, and was written down.
    for (const kind of ['client_refused', 'prompted', 'question_answered', 'turn_ended', 'agent_crashed', 'request'])
      expect(written.log).toContain(`"kind":"${kind}"`);
    expect(written.audit).toContain('"kind":"question_answered"');
    expect(written.trace).toContain('session/request_permission');
    expect(written.ben).toContain('exited');
    expect(written.traffic).toContain('session/request_permission');
    expect(written.traffic).toContain('"kind":"stderr"');
    const found = PLACES.flatMap((place) =>
      Object.entries(written)
        .filter(([, text]) => text.includes(at(place)))
        .map(([where]) => `${place} in ${where}`),
    );
    expect(found).toEqual([]);
    expect(PLACES.length).toBeGreaterThanOrEqual(20);
  }, 60_000);
});

/** An agent that asks and tells with secrets in it, and ends with one on its lips when it is told to crash. */
function leakingScript(at: (place: Place) => string) {
  const prompt: Step[] = [
    { do: 'stderr', text: `debug: Authorization: Bearer ${at('stderr of the agent')}\n` },
    {
      do: 'update',
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        title: `curl -H "Authorization: Bearer ${at('title of a tool call')}"`,
        kind: 'execute',
        rawInput: { password: at('input of a tool call') },
      },
    },
    {
      do: 'request',
      method: 'session/request_permission',
      params: {
        sessionId: '$sessionId',
        toolCall: { toolCallId: 't', title: `curl -H "Authorization: Bearer ${at('title of a tool call')}"` },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      },
    },
    {
      do: 'request',
      method: 'elicitation/create',
      params: {
        sessionId: '$sessionId',
        mode: 'form',
        message: 'Who?',
        requestedSchema: { type: 'object', properties: { password: { type: 'string' } } },
      },
    },
    {
      do: 'request',
      method: 'elicitation/create',
      params: {
        sessionId: '$sessionId',
        mode: 'url',
        message: 'Visit',
        url: `https://x.test/login?token=${at('address of a page')}`,
        elicitationId: 'e1',
      },
    },
    END_TURN,
  ];
  const crash: Step[] = [
    { do: 'stderr', text: `fatal: API_KEY=${at('last words of the agent')}\n` },
    { do: 'exit', code: 3 },
  ];
  return {
    authMethods: [{ id: 'key', name: 'Key' }],
    capabilities: { mcpCapabilities: { http: true } },
    on: { 'session/prompt': prompt, '_vendor/crash': crash },
  };
}

interface Dialled {
  readonly heard: readonly string[];
  /** Uses every place; resolves with the session. */
  leak(at: (place: Place) => string): Promise<string>;
  /** Looks for what somebody else has left. */
  visit(sessionId: string): Promise<void>;
}

async function dial(url: string, token: string): Promise<Dialled> {
  const source = webSocketAgent(url.replace('http', 'ws'), { token });
  const { transport } = await source.open(AbortSignal.timeout(30_000));
  const client = createConnection(transport);
  onTestFinished(() => client.close());
  const heard: string[] = [];
  client.tap((direction, message) => {
    // What the agent tells in a session of one's own is one's own.
    if (direction === 'in' && !('method' in (message as object))) heard.push(JSON.stringify(message));
  });
  client.onRequest('session/request_permission', () => ({ outcome: { outcome: 'selected', optionId: 'yes' } }));
  const cwd = process.cwd();
  const clientCapabilities = { elicitation: { form: {}, url: {} } };
  await client.request('initialize', { protocolVersion: 1, clientCapabilities });
  return {
    heard,
    async leak(at) {
      client.onRequest('elicitation/create', () => ({
        action: 'accept',
        content: { password: at('answer to a form') },
      }));
      await client.request('authenticate', { methodId: 'key', _meta: { apiKey: at('login') } });
      const { sessionId } = await ask<{ sessionId: string }>(client, 'session/new', {
        cwd,
        mcpServers: [
          {
            name: 'local',
            command: 'serve-mcp',
            args: ['--api-key', at('argument of an MCP server')],
            env: [{ name: 'PLAIN', value: at('environment of an MCP server') }],
          },
          {
            type: 'http',
            name: 'remote',
            url: 'https://mcp.test/',
            headers: [{ name: 'X-Plain', value: at('header of an MCP server') }],
          },
        ],
        _meta: { secret: at('metadata of a session') },
      });
      await ask(client, 'session/prompt', {
        sessionId,
        prompt: [
          { type: 'text', text: `use sk-${at('key in a prompt')}` },
          { type: 'text', text: `DB_PASSWORD=${at('setting in a prompt')} make` },
          { type: 'resource_link', name: 'x', uri: `https://ada:${at('resource in a prompt')}@files.test/x` },
        ],
      });
      const crash = { sessionId, token: at('parameter of a method of somebody else') };
      await ask(client, '_vendor/crash', crash).catch(() => {});
      return sessionId;
    },
    async visit(sessionId) {
      client.onRequest('elicitation/create', () => ({ action: 'decline' }));
      await ask(client, 'session/list', { cwd });
      await ask(client, 'session/load', { sessionId, cwd, mcpServers: [] }).catch(() => {});
      await ask(client, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'hi' }] }).catch(() => {});
      // The agent crashes in the middle of a turn, which tells how.
      client.onRequest('session/request_permission', () => {
        void ask(client, '_vendor/crash', own).catch(() => {});
        return new Promise(() => {});
      });
      const own = await ask<{ sessionId: string }>(client, 'session/new', { cwd, mcpServers: [] });
      await ask(client, 'session/prompt', { ...own, prompt: [{ type: 'text', text: 'hi' }] }).catch(() => {});
    },
  };
}

function ask<Result>(client: Connection, method: string, params: object): Promise<Result> {
  return client.request(method, params) as Promise<Result>;
}

/** A request that is refused. */
function knock(port: number, { path, headers }: { path: string; headers: Record<string, string> }): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = sendRequest({ host: '127.0.0.1', port, path, headers, agent: false });
    request.on('error', reject);
    request.on('response', (response) => response.resume().on('end', () => resolve()));
    request.end();
  });
}

/** As much of the traffic of a principal as is kept. */
async function firstTraffic(server: Gateway, principal: string): Promise<string> {
  const ending = new AbortController();
  const batches: unknown[] = [];
  for await (const batch of server.watchTraffic({ principal, signal: ending.signal }) ?? []) {
    batches.push(batch);
    if (batch.entries.length < 200) break;
  }
  ending.abort();
  return JSON.stringify(batches);
}
