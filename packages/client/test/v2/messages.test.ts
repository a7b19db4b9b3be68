import { describe, expect, it } from 'vitest';
import type { TurnEvent } from '../../src/turn/turn-event.ts';
import {
  conversation,
  idle,
  openRaw,
  prompted,
  requiresAction,
  running,
  says,
  until,
  whole,
} from '../support/raw-v2.ts';

describe('our own prompt', () => {
  it.each([
    ['whole', [whole('user_message', 'm1', 'go on')]],
    [
      'in pieces',
      ['go', ' on'].map((text) => ({
        sessionUpdate: 'user_message_chunk',
        messageId: 'm1',
        content: { type: 'text', text },
      })),
    ],
    ['in other words', [whole('user_message', 'm1', '<prompt>go on</prompt>')]],
  ])('is shown once when the agent tells it back %s, before its answer or behind it', async (_how, echo) => {
    const { session, turn, prompt, tell, prompted: next } = await prompted('go on');
    for (const each of echo) tell(each);
    await prompt.answer({ messageId: 'm1' });
    tell(running);
    tell(idle('end_turn'));
    await turn.result;
    expect(conversation(session)).toEqual(['user: go on']);
    const second = session.prompt('go on');
    await (await next(2)).answer({ messageId: 'm2' });
    for (const each of echo) tell({ ...each, messageId: 'm2' });
    tell(running);
    tell(idle('end_turn'));
    await second.result;
    expect(conversation(session)).toEqual(['user: go on', 'user: go on']);
    expect(session.transcript.entries.toArray()).toMatchObject([{ messageId: 'm1' }, { messageId: 'm2' }]);
  });

  it('without text is known as well', async () => {
    const raw = await openRaw({
      initialize: { capabilities: { session: { prompt: { image: {} } } } },
    });
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
    const turn = raw.session.prompt(image);
    await (await raw.prompted(1)).answer({ messageId: 'm1' });
    raw.tell({ sessionUpdate: 'user_message', messageId: 'm1', content: [image] });
    raw.tell(running);
    raw.tell(idle('end_turn'));
    await turn.result;
    expect(raw.session.transcript.entries.toArray()).toMatchObject([{ messageId: 'm1' }]);
  });

  it('is told from what others say, who may say the same', async () => {
    const { session, turn, prompt, tell } = await prompted();
    tell(whole('user_message', 'theirs', 'go'));
    tell(whole('user_message', 'm1', 'go'));
    await prompt.answer({ messageId: 'm1' });
    tell(whole('user_message', 'more', 'go'));
    tell(running);
    tell(idle('end_turn'));
    await turn.result;
    expect(conversation(session)).toEqual(['user: go', 'user: go', 'user: go']);
  });
});

describe('a version 2 session that works without a prompt of ours', () => {
  it('shows what it is doing: for others, by itself, waiting for somebody', async () => {
    const { session, tell } = await openRaw();
    tell(whole('user_message', 'theirs', 'their prompt'));
    tell(running);
    await until(session, () => session.state === 'running');
    tell(requiresAction);
    await until(session, () => session.state === 'waiting');
    tell(running);
    await until(session, () => session.state === 'running');
    tell(idle('end_turn'));
    await until(session, () => session.state === 'idle');
    tell({ sessionUpdate: 'state_update', state: '_dreaming' });
    await until(session, () => session.state === 'running');
    expect(conversation(session)).toEqual(['user: their prompt', 'unknown']);
    expect(session.turn).toBeUndefined();
  });

  it('waits for somebody in a turn of ours too', async () => {
    const { session, turn, prompt, tell } = await prompted();
    await prompt.answer({ messageId: 'm1' });
    tell(running);
    tell(requiresAction);
    await until(session, () => session.state === 'waiting');
    tell(running);
    await until(session, () => session.state === 'running');
    tell(idle('end_turn'));
    await turn.result;
    expect(session.state).toBe('idle');
  });
});

describe('whole messages', () => {
  it('are told as what they add, and as a message anew only where they replace one', async () => {
    const { turn, prompt, tell, session } = await prompted();
    await prompt.answer({ messageId: 'm1' });
    tell(running);
    tell(whole('agent_thought', 't1', 'hm'));
    tell(whole('agent_message', 'a1', 'one'));
    tell(whole('agent_message', 'a1', 'one two'));
    tell(whole('agent_message', 'a1', 'one ', 'two'));
    tell(says(' three'));
    tell(whole('agent_message', 'a1', 'one two three four'));
    tell({ sessionUpdate: 'agent_message', messageId: 'a1', _meta: { mark: 1 } });
    tell(whole('agent_message', 'a1', 'something else'));
    tell(idle('end_turn'));
    const events: TurnEvent[] = [];
    for await (const event of turn) if (event.type !== 'state') events.push(event);
    expect(events).toMatchObject([
      { type: 'thought', text: 'hm' },
      { type: 'text', text: 'one two three four', messageId: 'a1' },
      { type: 'retold', entry: { text: 'something else' } },
    ]);
    expect(conversation(session)).toEqual(['user: go', 'thought: hm', 'agent: something else']);
    expect(session.transcript.entries.at(2)).toMatchObject({ meta: { mark: 1 } });
    expect((await turn.result).text).toBe('something else');
  });
});
