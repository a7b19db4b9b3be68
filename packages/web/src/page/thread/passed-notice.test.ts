import { applyEvent, createTranscript, noticeMark, type TranscriptEvent } from '@parley/session';
import { describe, expect, it } from 'vitest';
import { isPassedNotice } from './passed-notice.ts';

const started: TranscriptEvent = { type: 'turn_started', prompt: [{ type: 'text', text: 'hello' }] };
const notice = (isOpen: boolean): TranscriptEvent => ({
  type: 'notice',
  severity: 'warning',
  title: 'The model did not answer; trying again in 2.0 s',
  meta: noticeMark({ id: 'a', isOpen }),
});

/** Whether the first notice has passed, after each event. */
function passed(...events: readonly TranscriptEvent[]): (boolean | undefined)[] {
  let transcript = createTranscript();
  return events.map((event) => {
    transcript = applyEvent(transcript, event, 1);
    const entry = transcript.entries.toArray().find(({ type }) => type === 'notice');
    return entry && isPassedNotice(entry, transcript);
  });
}

describe('a notice that something is tried again', () => {
  it('goes when the person cancels, and stays away in the next turn', () => {
    const events: readonly TranscriptEvent[] = [
      started,
      notice(true),
      { type: 'turn_cancelling' },
      { type: 'turn_ended', stopReason: 'cancelled' },
      started,
    ];
    expect(passed(...events)).toEqual([undefined, false, true, true, true]);
  });

  it('stays with its last words when the answer came', () => {
    const ended: TranscriptEvent = { type: 'turn_ended', stopReason: 'end_turn' };
    expect(passed(started, notice(true), notice(false), ended)).toEqual([undefined, false, false, false]);
  });

  it('is not shown in the conversation of yesterday', () => {
    expect(passed({ type: 'replay_started' }, notice(true), { type: 'replay_ended' }, started).slice(1)).toEqual([
      true,
      true,
      true,
    ]);
  });
});
