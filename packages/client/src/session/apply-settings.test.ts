import { createConnection } from '@parley/jsonrpc';
import type { SessionConfigOption } from '@parley/protocol';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it } from 'vitest';
import { connect } from '../connect/connect.ts';
import { run } from '../run.ts';
import { applySettings, type SessionSettings } from './apply-settings.ts';

const MODEL: SessionConfigOption = {
  id: 'llm',
  name: 'Model',
  category: 'model',
  type: 'select',
  currentValue: 'house/small-1',
  options: [
    { value: 'house/small-1', name: 'Small' },
    { value: 'house/large-1', name: 'Large' },
    { value: 'house/large-2', name: 'Huge one' },
  ],
};
const SWITCH: SessionConfigOption = { id: 'deep', name: 'Deep thought', type: 'boolean', currentValue: false };
const MODES = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Write code' },
  ],
};

/** An agent with a model, a switch and two modes; `sent` is what it was told to set. */
function startAgent(opened: object = { modes: MODES, configOptions: [MODEL, SWITCH] }) {
  const [near, far] = createMemoryPair();
  const agent = createConnection(far);
  const sent: unknown[] = [];
  let options = [MODEL, SWITCH];
  agent.onRequest('initialize', () => ({ protocolVersion: 1, agentCapabilities: {} }));
  agent.onRequest('session/new', () => ({ sessionId: 's1', ...opened }));
  agent.onRequest('session/prompt', () => ({ stopReason: 'end_turn' }));
  agent.onRequest('session/set_mode', ({ params }) => {
    sent.push((params as { modeId: string }).modeId);
    return {};
  });
  agent.onRequest('session/set_config_option', ({ params }) => {
    const { configId, value } = params as { configId: string; value: string };
    sent.push([configId, value]);
    options = options.map(
      (each) => (each.id === configId ? { ...each, currentValue: value } : each) as SessionConfigOption,
    );
    return { configOptions: options };
  });
  return { near, sent };
}

async function set(wanted: SessionSettings, opened?: object) {
  const { near, sent } = startAgent(opened);
  await using connection = await connect(near);
  const session = await connection.newSession({ cwd: '/work' });
  const applied = await applySettings(session, wanted);
  return { sent, applied };
}

describe('the settings of a session', () => {
  it.each([
    ['id', 'house/large-1'],
    ['name', 'Large'],
    ['name in other letters', 'large'],
  ])('take a model by its %s', async (_how, model) => {
    expect(await set({ model })).toEqual({
      sent: [['llm', 'house/large-1']],
      applied: { settings: { llm: 'house/large-1' } },
    });
  });

  it('take a mode by a part that no other has', async () => {
    const { sent, applied } = await set({ mode: 'write' });
    expect(sent).toEqual(['code']);
    expect(applied).toEqual({ mode: 'code', settings: {} });
  });

  it('take a model by a part that no other has, and refuse a part that two have', async () => {
    expect((await set({ model: 'large-2' })).sent).toEqual([['llm', 'house/large-2']]);
    await expect(set({ model: 'house' })).rejects.toThrow('may mean house/small-1, house/large-1, house/large-2');
  });

  it.each([
    ['on', true],
    ['Yes', true],
    ['true', true],
    [true, true],
  ])('take %s for a switch that is to be on', async (word, value) => {
    expect((await set({ settings: { deep: word } })).sent).toEqual([['deep', value]]);
  });

  it.each(['off', 'no', 'false', false])(
    'take %s for a switch that is to be off, and send nothing when it is',
    async (word) => {
      expect(await set({ settings: { deep: word } })).toEqual({ sent: [], applied: { settings: { deep: false } } });
    },
  );

  it('are found by id, by category and by name', async () => {
    const { sent } = await set({ mode: 'write code', settings: { model: 'Huge one', 'deep thought': 'on' } });
    expect(sent).toEqual(['code', ['llm', 'house/large-2'], ['deep', true]]);
  });

  it.each<[string, SessionSettings, object, string]>([
    ['option', { settings: { depth: '3' } }, { configOptions: [MODEL, SWITCH] }, 'no option "depth"; it has llm, deep'],
    [
      'value of a switch',
      { settings: { deep: 'maybe' } },
      { configOptions: [SWITCH] },
      '"deep" is on or off, not "maybe"',
    ],
    ['model', { model: 'large' }, { configOptions: [SWITCH] }, 'lets nobody choose its model'],
    ['mode', { mode: 'fly' }, { modes: MODES }, 'no mode "fly"; it has ask, code'],
    ['mode at all', { mode: 'fly' }, {}, 'no mode "fly"; it has no modes'],
  ])('say which there are when there is no such %s', async (_what, wanted, opened, words) => {
    await expect(set(wanted, opened)).rejects.toMatchObject({
      code: 'unknown_choice',
      message: expect.stringContaining(words),
    });
  });

  it('are made as far as they can be where somebody is told of the rest', async () => {
    const { near, sent } = startAgent();
    await using connection = await connect(near);
    const session = await connection.newSession({ cwd: '/work' });
    const problems: unknown[] = [];
    await applySettings(
      session,
      { mode: 'fly', model: 'Large', settings: { depth: '3' } },
      { onProblem: (error) => problems.push((error as Error).message) },
    );
    expect(sent).toEqual([['llm', 'house/large-1']]);
    expect(problems).toEqual([expect.stringContaining('fly'), expect.stringContaining('depth')]);
  });

  it('hold for a single run too', async () => {
    const { near, sent } = startAgent();
    await run(near, { cwd: '/work', prompt: 'hi', mode: 'code', model: 'Large', settings: { deep: 'on' } });
    expect(sent).toEqual(['code', ['llm', 'house/large-1'], ['deep', true]]);
  });
});
