import { memoryStore } from '@parley/store/memory';
import { describe, expect, it } from 'vitest';
import type { AgentActivity } from '../src/index.ts';
import { connectRawClient, errorOf, testAgent, until } from './raw-client.ts';

/** What happened, in words. */
function describeActivity(activity: AgentActivity): string {
  if (activity.kind === 'recorded') return activity.entry.type;
  return activity.kind === 'session_closed' ? `session_closed ${activity.end}` : activity.kind;
}

describe.each([
  ['in memory', () => ({})],
  ['in a store that is shared', () => ({ store: memoryStore({ isShared: true }) })],
])('whoever watches over an agent, %s', (_name, options) => {
  it('hears of sessions, settings and turns of every client, until it has heard enough', async () => {
    const { built } = testAgent(options());
    built
      .mode({ id: 'ask', name: 'Ask' })
      .mode({ id: 'code', name: 'Code' })
      .onPrompt(async (turn) => void turn.say('hi'));
    const heard: AgentActivity[] = [];
    const stop = built.observe((activity) => heard.push(activity));
    const client = connectRawClient(built, { principal: 'ada' });
    await client.initialize();
    const { sessionId } = await client.newSession();
    await client.request('session/set_mode', { sessionId, modeId: 'code' });
    await client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
    await client.request('session/close', { sessionId });
    expect(heard.map(describeActivity)).toEqual([
      'session_opened',
      'setting_changed',
      'turn_started',
      'turn_ended',
      'session_closed closed',
    ]);
    expect(heard.every((each) => each.principal === 'ada' && each.sessionId === sessionId)).toBe(true);
    stop();
    await client.newSession();
    expect(heard).toHaveLength(5);
  });

  it('has it begin nothing new, and end what runs as interrupted', async () => {
    const { built } = testAgent(options());
    built.onPrompt(async (turn) => {
      turn.say('begun');
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
      turn.say(' never said');
    });
    let turns = 0;
    built.observe((activity) => {
      if (activity.kind === 'recorded' && activity.entry.type === 'turn_started') turns += 1;
    });
    const client = connectRawClient(built);
    await client.initialize();
    const [{ sessionId: first }, { sessionId: second }] = [await client.newSession(), await client.newSession()];
    const prompt = (sessionId: string, meta?: object) =>
      client.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text: 'go' }],
        ...(meta && { _meta: meta }),
      });
    const running = errorOf(prompt(first));
    await until(() => turns === 1);
    built.drain('Come back later.');
    for (const meta of [undefined, { 'parley/promptKey': 'k' }])
      expect(await errorOf(prompt(second, meta))).toMatchObject({
        message: 'Come back later.',
        data: { kind: 'busy', reason: 'draining' },
      });
    await built.interrupt('The lights go out.');
    expect(await running).toMatchObject({ message: 'The lights go out.', data: { reason: 'turn_interrupted' } });
    expect(turns).toBe(1);
  });
});
