import { existsSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientSession, ConnectOptions } from '@parley/client';
import { collectGarbage } from '@parley/testing/collect-garbage';
import type { FakeEvent, Reply } from '@parley/testing/fake-model-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CodingAgentOptions } from '../src/index.ts';
import { makeProject, startInProcess, startModel } from './in-process.ts';

interface Stage {
  readonly session: ClientSession;
  /** Resolves when the model was asked so often. */
  asked(times: number): Promise<unknown>;
  /** Resolves when a file is there. */
  made(name: string): Promise<void>;
  /** Resolves when the client has heard of such a thing. */
  told(type: string): Promise<void>;
}

interface Phase {
  readonly phase: string;
  readonly script?: readonly Reply[];
  readonly prompt?: string;
  /** Sent and answered before. */
  readonly before?: string;
  readonly agent?: (address: string) => CodingAgentOptions;
  readonly client?: ConnectOptions;
  /** What answers nobody, at the address that `agent` gets. */
  readonly listens?: 'tcp' | 'http';
  readonly reached: (stage: Stage) => Promise<unknown>;
}

const call = (name: string, input: object): FakeEvent => ({ type: 'tool_call', name, input });
const stall: Reply = { events: [{ type: 'text', text: 'Once' }, { type: 'stall' }] };
const sleeping = call('run_command', { command: 'touch started; sleep 100' });
const forEver = () => new Promise<never>(() => {});
const bypass = { permissions: { mode: 'bypassPermissions' as const } };

const PHASES: readonly Phase[] = [
  {
    phase: 'while it connects to the model',
    listens: 'tcp',
    agent: (address) => ({ env: { PARLEY_BASE_URL: `https://${address}/v1`, PARLEY_MODEL: 'm' } }),
    reached: ({ made }) => made('connected'),
  },
  { phase: 'before the headers', script: [{ hang: 'headers' }], reached: ({ asked }) => asked(1) },
  { phase: 'before the first byte', script: [{ hang: 'body' }], reached: ({ asked }) => asked(1) },
  { phase: 'in the body of an error', script: [{ hang: 'error' }], reached: ({ asked }) => asked(1) },
  { phase: 'in mid-stream', script: [stall], reached: ({ told }) => told('message_chunk') },
  {
    phase: 'while it waits to try again',
    script: [{ error: 'rate_limit', retryAfterSeconds: 30 }],
    reached: ({ told }) => told('notice'),
  },
  { phase: 'while a command runs', script: [{ events: [sleeping] }], reached: ({ made }) => made('started') },
  {
    phase: 'while a hook runs',
    script: [{ events: [call('list_files', {})] }],
    agent: () => ({ hooks: async () => ({ beforeTool: [{ command: 'touch started; sleep 100' }] }) }),
    reached: ({ made }) => made('started'),
  },
  {
    phase: 'while a page is fetched',
    listens: 'http',
    script: [{ events: [call('fetch_url', { url: 'http://page.example:PORT/' })] }],
    agent: () => ({ web: { mayReach: () => true, resolve: async () => ['127.0.0.1'] } }),
    reached: ({ made }) => made('connected'),
  },
  {
    phase: 'while the provider searches the web',
    script: [{ events: [call('web_search', { query: 'x' })] }, { hang: 'body' }],
    agent: (address) => ({
      webSearch: true,
      env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: `http://${address}`, PARLEY_MODEL: 'anthropic/m' },
    }),
    reached: ({ asked }) => asked(2),
  },
  {
    phase: 'while the person is asked',
    script: [{ events: [call('write_file', { path: 'b.txt', content: 'x' })] }],
    agent: () => ({ permissions: { mode: 'default' } }),
    client: { permissions: { ask: forEver } },
    reached: ({ told }) => told('question'),
  },
  {
    phase: 'while a question is open',
    script: [{ events: [call('ask_user', { question: 'Why?' })] }],
    client: { elicitation: { form: forEver } },
    reached: ({ told }) => told('question'),
  },
  {
    phase: 'while the person has it shortened',
    before: 'hello',
    script: ['A long story.', stall],
    prompt: '/compact',
    reached: ({ asked }) => asked(2),
  },
  {
    phase: 'while it makes room in the middle of a turn',
    before: 'hello',
    script: ['A long story.', { error: 'context_too_long' }, stall],
    reached: ({ asked }) => asked(3),
  },
  {
    phase: 'while the model of a sub-agent is silent',
    script: [{ events: [call('task', { kind: 'explore', prompt: 'look' })] }, stall],
    reached: ({ asked }) => asked(2),
  },
  {
    phase: 'while a sub-agent runs a command',
    script: [{ events: [call('task', { kind: 'general', prompt: 'do' })] }, { events: [sleeping] }],
    reached: ({ made }) => made('started'),
  },
  {
    phase: 'while a sub-agent waits to try again',
    script: [
      { events: [call('task', { kind: 'explore', prompt: 'look' })] },
      { error: 'overloaded', retryAfterSeconds: 30 },
    ],
    reached: async ({ asked }) => asked(2),
  },
];

/** Accepts connections, and says nothing on them. */
async function listenSilently(kind: 'tcp' | 'http', onConnection: () => void): Promise<string> {
  const server: Server = kind === 'tcp' ? createServer(onConnection) : createHttpServer(onConnection);
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openStage({ script = [], listens, agent, client }: Phase): Promise<Stage> {
  const { path } = await makeProject({ 'a.txt': 'text' });
  let isConnected = false;
  const silent = listens && (await listenSilently(listens, () => (isConnected = true)));
  const port = silent?.split(':')[1] ?? '';
  const replies = JSON.parse(JSON.stringify(script).replaceAll('PORT', port)) as readonly Reply[];
  const { server, env } = await startModel({ script: replies });
  const connection = await startInProcess({
    ...client,
    agent: { env, ...bypass, ...agent?.(silent ?? new URL(server.url).host) },
  });
  const session = await connection.newSession({ cwd: path });
  const types = new Set<string>();
  session.on('event', ({ type }) => types.add(type));
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await sleep(5);
  };
  return {
    session,
    asked: (times) => server.waitForRequest(times - 1),
    made: (name) => until(() => (name === 'connected' ? isConnected : existsSync(join(path, name)))),
    told: (type) => until(() => types.has(type)),
  };
}

describe('a turn that is cancelled after garbage was collected', () => {
  it.each(PHASES)('ends at once $phase', async (phase) => {
    const stage = await openStage(phase);
    if (phase.before !== undefined) await stage.session.prompt(phase.before).result;
    const turn = stage.session.prompt(phase.prompt ?? 'go');
    const failed = turn.result.then(
      ({ stopReason }) => Promise.reject(new Error(`It ended by itself: ${stopReason}`)),
      (error: unknown) => Promise.reject(error),
    );
    await Promise.race([phase.reached(stage), failed]);
    failed.catch(() => {});
    await collectGarbage();
    await turn.cancel();
    // What is lost is forced after some seconds.
    const { stopReason, isForced, toolCalls } = await turn.result;
    expect({ stopReason, isForced }).toEqual({ stopReason: 'cancelled', isForced: false });
    for (const { status } of toolCalls) expect(['completed', 'failed', 'cancelled']).toContain(status);
  });
});

describe('a hook that takes too long', () => {
  it('is ended in its time after garbage was collected, and the turn goes on', async () => {
    const stage = await openStage({
      phase: '',
      script: [{ events: [call('list_files', {})] }, 'Listed.'],
      agent: () => ({
        hooks: async () => ({ beforeTool: [{ command: 'touch started; sleep 100', timeoutMs: 1500 }] }),
      }),
      reached: async () => {},
    });
    const turn = stage.session.prompt('go');
    await stage.made('started');
    await collectGarbage();
    expect((await turn.result).text).toBe('Listed.');
  });
});
