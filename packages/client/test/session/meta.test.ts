import { createConnection } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { expect, it } from 'vitest';
import { connect } from '../../src/connect/connect.ts';
import { CWD } from '../support/scripted.ts';

const ANSWERS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: 1,
    authMethods: [{ id: 'key', name: 'Key' }],
    agentCapabilities: {
      loadSession: true,
      auth: { logout: {} },
      sessionCapabilities: { list: {}, close: {}, delete: {}, resume: {}, fork: {} },
    },
  },
  'session/new': {
    sessionId: 's1',
    modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] },
    configOptions: [{ id: 'fast', name: 'Fast', type: 'boolean', currentValue: false }],
  },
  'session/fork': { sessionId: 's2' },
  'session/list': { sessions: [] },
  'session/set_config_option': { configOptions: [] },
};

it('sends `_meta` with every call, and gives that of the answers', async () => {
  const [near, far] = createMemoryPair();
  const agent = createConnection(far);
  const heard: Record<string, unknown> = {};
  const note = (method: string, params: unknown): void => {
    heard[method] = (params as { _meta?: { for?: unknown } })._meta?.for;
  };
  let isCancelled = (): void => {};
  agent.onAnyRequest(async ({ method, params }) => {
    note(method, params);
    if (method === 'session/prompt') {
      await new Promise<void>((resolve) => {
        isCancelled = resolve;
      });
      return { stopReason: 'cancelled', _meta: { from: method } };
    }
    return { ...ANSWERS[method], _meta: { from: method } };
  });
  agent.onNotification('session/cancel', (params) => {
    note('session/cancel', params);
    isCancelled();
  });
  const meta = (method: string): { meta: { for: string } } => ({ meta: { for: method } });

  await using connection = await connect(near, meta('initialize'));
  expect(connection.meta).toEqual({ from: 'initialize' });
  await connection.authenticate('key', meta('authenticate'));
  const session = await connection.newSession({ cwd: CWD, ...meta('session/new') });
  expect(session.meta).toEqual({ from: 'session/new' });
  await session.setMode('ask', meta('session/set_mode'));
  await session.setOption('fast', true, meta('session/set_config_option'));
  const turn = session.prompt('hello', meta('session/prompt'));
  while (!('session/prompt' in heard)) await new Promise((resolve) => setImmediate(resolve));
  await session.cancel(meta('session/cancel'));
  expect((await turn.result).meta).toEqual({ from: 'session/prompt' });
  expect(session.transcript.turns.at(-1)?.meta).toEqual({ from: 'session/prompt' });
  await connection.forkSession('s1', { cwd: CWD, ...meta('session/fork') });
  expect((await connection.listSessions(meta('session/list')).page()).meta).toEqual({ from: 'session/list' });
  await session.close(meta('session/close'));
  const loaded = await connection.loadSession('s3', { cwd: CWD, ...meta('session/load') });
  expect(loaded.meta).toEqual({ from: 'session/load' });
  await connection.resumeSession('s4', { cwd: CWD, ...meta('session/resume') });
  await connection.deleteSession('s5', meta('session/delete'));
  await connection.logout(meta('logout'));

  const methods = Object.keys(heard);
  expect(methods).toHaveLength(14);
  expect(heard).toEqual(Object.fromEntries(methods.map((method) => [method, method])));
});
