import { createConnection } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/connect/connect.ts';
import { CWD } from '../support/scripted.ts';

const MODES = { currentModeId: 'ask', availableModes: ['ask', 'code'].map((id) => ({ id, name: id })) };
const option = (currentValue: string) => ({
  id: 'how',
  name: 'How',
  category: 'mode',
  type: 'select',
  currentValue,
  options: MODES.availableModes.map(({ id, name }) => ({ value: id, name })),
});

it.each([
  ['has modes', { modes: MODES }, 'session/set_mode'],
  ['has modes, and an option for them', { modes: MODES, configOptions: [option('ask')] }, 'session/set_mode'],
  ['has only an option for them', { configOptions: [option('ask')] }, 'session/set_config_option'],
])('sets the mode of an agent of version 1 that %s', async (_has, offered, method) => {
  const [near, far] = createMemoryPair();
  const called: unknown[] = [];
  createConnection(far).onAnyRequest((request) => {
    if (request.method === 'initialize') return { protocolVersion: 1, agentCapabilities: {} };
    if (request.method === 'session/new') return { sessionId: 's1', ...offered };
    called.push([request.method, request.params]);
    return request.method === 'session/set_config_option' ? { configOptions: [option('code')] } : {};
  });
  const connection = await connect(near);
  onTestFinished(() => connection.close());
  const session = await connection.newSession({ cwd: CWD });
  await session.setMode('code');
  const params = method === 'session/set_mode' ? { modeId: 'code' } : { configId: 'how', value: 'code' };
  expect(called).toEqual([[method, { sessionId: 's1', ...params }]]);
});
