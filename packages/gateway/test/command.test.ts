import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { agent } from '@parley/agent';
import { memoryStore } from '@parley/store/memory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServeContext, type ServedAgents, type ServerSettings, serve } from '../src/command/index.ts';
import { gateway } from '../src/index.ts';

const TOKEN = 'a-token-of-twenty-characters';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-command-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('serve of a command of your own', () => {
  it('serves the agents that the command has chosen, until nobody reads its output', async () => {
    const { context, stdout } = surroundings();
    const ending = serve({ json: true }, context);
    const [line] = await once(stdout, 'data');
    const facts = JSON.parse(String(line));
    expect(facts).toMatchObject({ defaultAgent: 'one', token: TOKEN, agents: { one: expect.any(String) } });
    const health = await fetch(new URL('/healthz', facts.url));
    expect(health.status).toBe(200);
    stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect(await ending).toBe(0);
    await expect(fetch(new URL('/healthz', facts.url))).rejects.toThrow();
  });

  it('checks the settings of the command, and opens no gateway for it', async () => {
    const { context, found } = surroundings({ auditFile: join(import.meta.filename, 'audit.jsonl') });
    expect(await serve({ check: true }, { ...context, createGateway: () => Promise.reject(new Error('opened')) })).toBe(
      1,
    );
    expect(found).toEqual(['note settings', 'ok agent', 'ok token', 'ok port', 'note store', 'fail audit']);
  });
});

function surroundings(more: Partial<ServerSettings> = {}) {
  const stdout = new PassThrough();
  const found: string[] = [];
  const settings: ServerSettings = {
    serve: {},
    places: { config: join(folder, 'config.json'), state: folder },
    place: { host: '127.0.0.1', port: 0 },
    mayBeRemote: false,
    tls: {},
    shownStore: undefined,
    tokenFile: undefined,
    drainMs: 0,
    log: { level: 'silent', file: undefined },
    auditFile: undefined,
    metrics: 'off',
    hasPage: false,
    ...more,
  };
  const context: ServeContext<ServerSettings, ServedAgents> = {
    env: { PARLEY_TOKEN: TOKEN, HOME: folder, XDG_RUNTIME_DIR: folder, XDG_STATE_HOME: folder },
    cwd: folder,
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    readSettings: async () => settings,
    chooseAgents: async () => ({ agents: [{ name: 'one', agent: undefined }], defaultAgent: 'one', leftOut: [] }),
    openStore: async () => memoryStore(),
    createGateway: async ({ store, onEvent }) =>
      gateway({ agents: { one: agent({ name: 'one', version: '1' }).onPrompt(async () => {}) }, store, onEvent }),
    pageRoutes: async () => ({}),
    formatLink: ({ url }) => url,
    printFinding: ({ verdict, name }) => void found.push(`${verdict} ${name}`),
  };
  return { context, stdout, found };
}
