import type { AgentScript } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { SYSTEM_CLOCK } from '../../src/clock.ts';
import { failureOf, useScriptedAgents } from '../support/scripted.ts';

const agents = useScriptedAgents();

/** Says two things, and stops when it is asked to. */
const talks: AgentScript = {
  on: {
    'session/prompt': [
      { do: 'say', text: 'x'.repeat(60) },
      { do: 'say', text: 'y'.repeat(60) },
      { do: 'waitFor', method: 'session/cancel' },
      { do: 'respond', result: { stopReason: 'cancelled' } },
    ],
  },
};

function methodsInto(sent: unknown[]) {
  return { write: ({ message }: { message: unknown }) => void sent.push((message as { method?: unknown }).method) };
}

describe('a turn of which not everything can be kept', () => {
  it('is cancelled and fails in words when the agent says more than there is room for', async () => {
    const sent: unknown[] = [];
    const { connection, session } = await agents.open(talks, {
      limits: { maxTurnCharacters: 100 },
      trace: methodsInto(sent),
    });
    await using _ = connection;
    const turn = session.prompt('go');
    expect(await failureOf(turn.result)).toMatchObject({
      code: 'turn_too_long',
      message: expect.stringContaining('more than 100 characters in one turn'),
    });
    expect(sent).toContain('session/cancel');
    expect(session.transcript.entries.at(-1)).toMatchObject({ text: 'x'.repeat(60) });
  });

  it('tells its reader the same after everything that came before', async () => {
    const { connection, session } = await agents.open(talks, { limits: { maxTurnCharacters: 100 } });
    await using _ = connection;
    let text = '';
    const read = async (): Promise<void> => {
      for await (const event of session.prompt('go')) if (event.type === 'text') text += event.text;
    };
    expect(await failureOf(read())).toMatchObject({ code: 'turn_too_long' });
    expect(text).toBe('x'.repeat(60));
  });

  it('is cancelled and fails when an update cannot be folded, whatever the reason', async () => {
    let faults = 0;
    const clock = {
      ...SYSTEM_CLOCK,
      now: () => {
        const isFolding = new Error('Who asks').stack?.includes('live-transcript');
        if (isFolding && faults-- > 0) throw new RangeError('Invalid string length');
        return Date.now();
      },
    };
    const { connection, session } = await agents.open(talks, { clock });
    await using _ = connection;
    const turn = session.prompt('go');
    faults = 1;
    expect(await failureOf(turn.result)).toMatchObject({
      code: 'update_failed',
      message: expect.stringMatching(/message_chunk.*the turn was cancelled \(Invalid string length\)/),
    });
  });
});
