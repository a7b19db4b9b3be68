import { applyEvent, createTranscript, noticeMark, type TranscriptEvent } from '@parley/session';
import { describe, expect, it } from 'vitest';
import { Announcer } from './announcer.ts';

function hear(...events: readonly TranscriptEvent[]): (string | undefined)[] {
  const announcer = new Announcer();
  let transcript = createTranscript();
  return events.map((event) => {
    transcript = applyEvent(transcript, event, 1);
    return announcer.see(transcript);
  });
}

const started: TranscriptEvent = { type: 'turn_started', prompt: [{ type: 'text', text: 'hello' }] };
const ended: TranscriptEvent = { type: 'turn_ended', stopReason: 'end_turn' };
const says = (text: string): TranscriptEvent => ({
  type: 'message_chunk',
  speaker: 'agent',
  content: { type: 'text', text },
});
const tool = (status: string): TranscriptEvent => ({ type: 'tool_call', toolCallId: 't', title: 'npm test', status });

describe('what a screen reader hears', () => {
  it('is that the agent works, what it said once it is said, and that it is done', () => {
    expect(hear(started, says('One '), says('two.\n\nThree'), says('.'), ended)).toEqual([
      'Agent is working',
      undefined,
      undefined,
      undefined,
      'Three.. Agent is done',
    ]);
  });

  it('names a tool that failed, when it has', () => {
    expect(hear(started, tool('in_progress'), says('x'), tool('failed'), ended)).toEqual([
      'Agent is working',
      undefined,
      undefined,
      'Tool npm test failed',
      'x. Agent is done',
    ]);
  });

  it('is not that something is tried again, once it was cancelled', () => {
    const meta = noticeMark({ id: 'a', isOpen: true });
    const retry: TranscriptEvent = { type: 'notice', severity: 'warning', title: 'Trying again in 2.0 s', meta };
    const cancelled: TranscriptEvent = { type: 'turn_ended', stopReason: 'cancelled' };
    expect(hear(started, retry, { type: 'turn_cancelling' }, cancelled)).toEqual([
      'Agent is working',
      undefined,
      undefined,
      'Cancelled',
    ]);
  });

  it('is not the conversation of yesterday', () => {
    expect(hear({ type: 'replay_started' }, says('old'), { type: 'replay_ended' }, started, ended)).toEqual([
      undefined,
      undefined,
      undefined,
      'Agent is working',
      'Agent is done',
    ]);
  });
});
