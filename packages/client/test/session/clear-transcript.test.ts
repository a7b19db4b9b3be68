import type { TranscriptEvent } from '@parley/session';
import { describe, expect, it } from 'vitest';
import { useScriptedAgents } from '../support/scripted.ts';

const agents = useScriptedAgents();

describe('clearing a transcript', () => {
  it('takes the conversation out, here only, tells followers, and goes on from there', async () => {
    const sent: unknown[] = [];
    const { connection, session } = await agents.open(
      { session: { modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] } } },
      { trace: { write: ({ direction }) => direction === 'out' && sent.push(direction) } },
    );
    await using _ = connection;
    await session.prompt('one').result;
    const before = session.transcript;
    const requests = sent.length;
    const events: TranscriptEvent[] = [];
    const changed = new Promise((resolve) => session.on('change', resolve));
    session.on('event', (event) => events.push(event));
    session.clearTranscript();
    expect(session.transcript.entries.length).toBe(0);
    expect(session.transcript.turns.length).toBe(0);
    expect(session.transcript.mode).toEqual(before.mode);
    expect(before.entries.length).toBe(2);
    expect(events).toEqual([{ type: 'cleared' }]);
    expect(await changed).toBe(session.transcript);
    expect(sent.length).toBe(requests);
    const { text, entries } = await session.prompt('two').result;
    expect(text).toBe('You said: two');
    expect(entries).toHaveLength(2);
    expect(session.transcript.turns.length).toBe(1);
  });

  it('is refused while a turn runs, whose result needs it', async () => {
    const { connection, session } = await agents.open({ on: { 'session/prompt': [{ do: 'say', text: 'on and on' }] } });
    await using _ = connection;
    const turn = session.prompt('one');
    for await (const event of turn) if (event.type === 'text') break;
    expect(() => session.clearTranscript()).toThrow(/clear it when the turn/);
    void turn.cancel();
    await turn.cancel();
    session.clearTranscript();
    expect(session.transcript.entries.length).toBe(0);
  });
});
