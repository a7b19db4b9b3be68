import { describe, expect, it } from 'vitest';
import { applyEvent } from './apply-event.ts';
import { createTranscript } from './transcript.ts';
import type { TranscriptEvent } from './transcript-event.ts';

const text = (value: string) => ({ type: 'text' as const, text: value });
const fold = (...events: readonly TranscriptEvent[]) =>
  events.reduce((transcript, event) => applyEvent(transcript, event), createTranscript());
const chunk = (value: string): TranscriptEvent => ({
  type: 'message_chunk',
  speaker: 'agent',
  messageId: 'm',
  content: text(value),
});

describe('a message that is told as a whole', () => {
  it('replaces what was told of it, and later pieces add to it', () => {
    const whole = { type: 'whole_message', speaker: 'agent', messageId: 'm', content: [text('new')] } as const;
    const { entries } = fold(chunk('old'), whole, chunk(' words'));
    expect(entries.toArray()).toMatchObject([{ type: 'message', messageId: 'm', text: 'new words' }]);
  });

  it('is emptied by an empty list, and stays as it is without one', () => {
    const about = { type: 'whole_message', speaker: 'agent', messageId: 'm' } as const;
    expect(fold(chunk('old'), about).entries.at(0)).toMatchObject({ text: 'old' });
    expect(fold(chunk('old'), { ...about, content: [] }).entries.at(0)).toMatchObject({ text: '' });
  });

  it('has its meta changed key by key', () => {
    const about = { type: 'whole_message', speaker: 'agent', messageId: 'm' } as const;
    const first = fold({ ...about, content: [text('a')], meta: { a: 1, b: 2 } }, { ...about, meta: { b: null, c: 3 } });
    expect(first.entries.at(0)).toMatchObject({ meta: { a: 1, c: 3 } });
    expect(applyEvent(first, { ...about, meta: null }).entries.at(0)).not.toHaveProperty('meta');
  });

  it('that is our own prompt, told back, is there once', () => {
    const prompt = { type: 'turn_started', prompt: [text('Fix it')] } as const;
    const echo = { type: 'whole_message', speaker: 'user', messageId: 'p', content: [text('Fix it')] } as const;
    expect(fold(prompt, echo).entries.length).toBe(1);
  });
});

describe('a thought that is told as a whole', () => {
  it('is no message, though both have one id', () => {
    const thought = { type: 'whole_thought', messageId: 'm', content: [text('hm')] } as const;
    expect(fold(chunk('said'), thought).entries.toArray()).toMatchObject([
      { type: 'message', text: 'said' },
      { type: 'thought', text: 'hm' },
    ]);
  });
});

describe('a tool call', () => {
  const shown = (value: string) => ({ type: 'content' as const, content: text(value) });

  it('shows what is added to it, until a list replaces all of it', () => {
    const call = { type: 'tool_call', toolCallId: 'c', title: 'Run', content: [shown('a')] } as const;
    const more = { type: 'tool_call_chunk', toolCallId: 'c', content: shown('b') } as const;
    expect(fold(call, more).entries.at(0)).toMatchObject({ content: [shown('a'), shown('b')] });
    expect(fold(call, more, { ...call, content: [] }, more).entries.at(0)).toMatchObject({ content: [shown('b')] });
    expect(fold(more).entries.at(0)).toMatchObject({ toolCallId: 'c', status: 'pending', content: [shown('b')] });
  });

  it('loses a name or a title that is taken back', () => {
    const call = { type: 'tool_call', toolCallId: 'c', title: 'Run', name: 'bash' } as const;
    const entry = fold(call, { type: 'tool_call', toolCallId: 'c', title: null, name: null }).entries.at(0);
    expect(entry).toMatchObject({ title: 'c' });
    expect(entry).not.toHaveProperty('name');
  });
});

describe('a terminal', () => {
  it('shows what replaces its output, and then what is added to that', () => {
    const chunkOf = (value: string) => ({ type: 'terminal_output', terminalId: 't', text: value }) as const;
    const { terminals } = fold(
      { type: 'terminal', terminalId: 't', command: 'make', size: { cols: 80, rows: 24 }, canCancel: true },
      chunkOf('lost'),
      { type: 'terminal', terminalId: 't', output: 'kept', command: null },
      chunkOf(' and more'),
      { type: 'terminal', terminalId: 't', exitCode: -1 },
    );
    expect(terminals.toArray()).toEqual([
      {
        terminalId: 't',
        output: 'kept and more',
        isTruncated: false,
        size: { cols: 80, rows: 24 },
        canCancel: true,
        exit: { exitCode: -1 },
      },
    ]);
  });
});
