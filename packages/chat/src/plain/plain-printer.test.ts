import { applyEvent, createTranscript, noticeMark, type TranscriptEvent } from '@parley/session';
import { describe, expect, it } from 'vitest';
import { TEST_VIEW } from '../../test/support/test-view.ts';
import { PlainPrinter } from './plain-printer.ts';

const started: TranscriptEvent = { type: 'turn_started', prompt: [{ type: 'text', text: 'hello' }] };
const retry = (title: string, isOpen: boolean): TranscriptEvent => ({
  type: 'notice',
  severity: 'warning',
  title,
  meta: noticeMark({ id: 'retry-1', isOpen }),
});

/** What is printed when the printer looks after each group of events. */
function print(...looks: readonly (readonly TranscriptEvent[])[]): string[] {
  const printer = new PlainPrinter();
  let transcript = createTranscript();
  return looks.flatMap((events) => {
    for (const event of events) transcript = applyEvent(transcript, event, 1);
    return printer.print(transcript, TEST_VIEW);
  });
}

describe('the lines of the plain chat', () => {
  it('tell once that something is tried again, and what became of it', () => {
    const lines = print(
      [started, retry('trying again in 2.0 s', true)],
      [retry('trying again in 4.0 s', true)],
      [retry('it was asked for 3 times', false)],
      [{ type: 'turn_ended', stopReason: 'end_turn' }],
    );
    expect(lines).toEqual(['note: trying again in 2.0 s', 'note: it was asked for 3 times']);
  });

  it('say last that the turn was stopped, and no longer that something is tried again', () => {
    const stopped: readonly TranscriptEvent[] = [
      { type: 'turn_cancelling' },
      { type: 'turn_ended', stopReason: 'cancelled' },
    ];
    const told = print(
      [started, retry('trying again in 2.0 s', true)],
      [retry('trying again in 4.0 s', true), ...stopped],
    );
    expect(told).toEqual(['note: trying again in 2.0 s', expect.stringMatching(/^note: Cancelled/)]);
    // It comes when the person has stopped the turn already.
    const late = print([started, { type: 'turn_cancelling' }, retry('trying again in 2.0 s', true)], stopped.slice(1));
    expect(late).toEqual([expect.stringMatching(/^note: Cancelled/)]);
  });

  it('do not say of an old conversation that something is tried again', () => {
    const old = print([{ type: 'replay_started' }, retry('trying again in 2.0 s', true), { type: 'replay_ended' }]);
    expect(old).toEqual([]);
  });
});
