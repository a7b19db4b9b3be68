import { connect } from '@parley/client';
import { createConnection } from '@parley/jsonrpc';
import type { SessionConfigOption } from '@parley/protocol';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it } from 'vitest';
import { type OpenSessionOptions, openSession, type SessionPlan } from './open-session.ts';

const select = (id: string, category: string, ...values: readonly string[]): SessionConfigOption => ({
  id,
  name: id,
  category,
  type: 'select',
  currentValue: values[0] ?? '',
  options: values.map((value) => ({ value, name: value.toUpperCase() })),
});
const OPENED = {
  modes: {
    currentModeId: 'ask',
    availableModes: ['ask', 'code', 'plan'].map((id) => ({ id, name: id })),
  },
  configOptions: [select('llm', 'model', 'small', 'medium', 'large'), select('effort', 'thought_level', 'low', 'high')],
};

/** Opens a session with an agent that can do what it says; tells what the agent heard. */
async function open(plan: Partial<SessionPlan>, options: OpenSessionOptions = {}, capabilities: object = {}) {
  const [near, far] = createMemoryPair();
  const heard: string[] = [];
  const said: string[] = [];
  createConnection(far).onAnyRequest(({ method, params }) => {
    const { modeId, configId, value } = (params ?? {}) as Record<string, string>;
    if (method === 'initialize') return { protocolVersion: 1, agentCapabilities: capabilities };
    heard.push([method, modeId ?? configId, value].filter((word) => word !== undefined).join(' '));
    if (method === 'session/new') return { sessionId: 's1', ...OPENED };
    return method === 'session/set_config_option' ? { configOptions: OPENED.configOptions } : OPENED;
  });
  await using connection = await connect(near);
  await openSession(connection, { cwd: '/work', ...plan }, { say: (text) => said.push(text), ...options });
  return { heard, said };
}

const STORED = { id: 'abc', agent: 'theirs', agentSessionId: 's9' };
const RESUMES = { sessionCapabilities: { resume: {} } };
const LOADS = { loadSession: true };

describe('a session that is opened', () => {
  it('is set to what flags ask for, else to what it was set to, else to what the settings file says', async () => {
    const plan: SessionPlan = {
      cwd: '/work',
      defaults: { mode: 'plan', model: 'medium' },
      asked: { model: 'Large' },
    };
    expect((await open(plan)).heard).toEqual([
      ...['session/new', 'session/set_mode plan', 'session/set_config_option llm large'],
    ]);
    const stored = { ...STORED, mode: 'code', settings: { llm: 'medium', effort: 'high' } };
    expect((await open(plan, { stored }, RESUMES)).heard).toEqual([
      ...['session/resume', 'session/set_mode code'],
      ...['session/set_config_option llm large', 'session/set_config_option effort high'],
    ]);
  });

  it('is not told what it is already', async () => {
    expect((await open({ asked: { mode: 'ask', model: 'small', settings: { effort: 'LOW' } } })).heard).toEqual([
      'session/new',
    ]);
  });

  it('goes on without what the agent no longer has, and says so', async () => {
    const stored = { ...STORED, mode: 'fly', settings: { effort: 'extreme', gone: 'x' } };
    const { heard, said } = await open({}, { stored }, RESUMES);
    expect(heard).toEqual(['session/resume']);
    expect(said).toEqual([
      'The agent no longer has "extreme" for effort, to which this session was set.',
      'The agent no longer has the mode "fly", to which this session was set.',
    ]);
  });

  it('fails with what flags ask for and the agent does not have, unless somebody is told of it', async () => {
    await expect(open({ asked: { mode: 'fly' } })).rejects.toThrow('no mode "fly"; it has ask, code, plan');
    const problems: unknown[] = [];
    const { heard } = await open(
      { asked: { mode: 'fly', model: 'large' } },
      { onProblem: (problem) => problems.push(problem) },
    );
    expect(heard).toEqual(['session/new', 'session/set_config_option llm large']);
    expect(problems).toHaveLength(1);
  });

  it('comes with its conversation where that is wanted, else without, as far as the agent lets one choose', async () => {
    const both = { ...RESUMES, ...LOADS };
    const wantsConversation = true;
    expect((await open({}, { stored: STORED }, both)).heard).toEqual(['session/resume']);
    expect((await open({}, { stored: STORED, wantsConversation }, both)).heard).toEqual(['session/load']);
    expect((await open({}, { stored: STORED }, LOADS)).heard).toEqual(['session/load']);
    expect((await open({}, { stored: STORED, wantsConversation }, RESUMES)).heard).toEqual(['session/resume']);
    await expect(open({}, { stored: STORED })).rejects.toThrow('theirs can neither resume nor load a session');
  });
});
