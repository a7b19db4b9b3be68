import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvent } from './entry.ts';
import type { SessionEvent } from './event.ts';
import { isInput, isPassing, type LogEntry, promptEvents, readEntry, stateOf, writeEntry } from './index.ts';

const id = fc.string({ minLength: 1, maxLength: 8 });
const content = fc.array(fc.record({ type: fc.constant('text' as const), text: fc.string() }), { maxLength: 3 });
const answer = fc.oneof(
  fc.record({ type: fc.constant('permission' as const), optionId: id }),
  fc.record({ type: fc.constant('form' as const), action: fc.constantFrom('decline' as const, 'cancel' as const) }),
);
const question = fc.oneof(
  fc.record({
    type: fc.constant('permission' as const),
    questionId: id,
    toolCall: fc.record({ toolCallId: id, title: fc.string() }),
    options: fc.constant([{ optionId: 'yes', name: 'Yes', kind: 'allow_once' as const }]),
  }),
  fc.record({ type: fc.constant('form' as const), questionId: id, message: fc.string(), form: fc.constant({}) }),
);
const event: fc.Arbitrary<SessionEvent> = fc.oneof(
  fc.record({
    type: fc.constant('message_chunk' as const),
    speaker: fc.constantFrom('user' as const, 'agent' as const),
    messageId: id,
    content: fc.record({ type: fc.constant('text' as const), text: fc.string() }),
  }),
  fc.record({ type: fc.constant('tool_call' as const), toolCallId: id, title: fc.string() }),
  fc.record({ type: fc.constant('mode' as const), modeId: id }),
  fc.record({ type: fc.constant('unknown' as const), variant: id, raw: fc.dictionary(id, fc.string()) }),
);
const entries: fc.Arbitrary<LogEntry> = fc.oneof(
  event.map((each): LogEntry => ({ type: 'event', event: each })),
  fc.record({ type: fc.constant('turn_started' as const), turnId: id, oldestInput: fc.nat() }),
  fc.record({ type: fc.constant('turn_ended' as const), turnId: id, stopReason: fc.constant('end_turn' as const) }),
  fc.record({ type: fc.constant('question_asked' as const), turnId: id, question }),
  fc.record({ type: fc.constant('question_answered' as const), questionId: id, answer, by: id }),
  fc.record({ type: fc.constant('question_withdrawn' as const), questionId: id }),
  fc.record({ type: fc.constant('input_taken' as const), seq: fc.nat(), error: fc.string() }),
  fc.record({ type: fc.constant('turns_dropped' as const), turns: fc.nat(), state: fc.array(event) }),
  fc.record({ type: fc.constant('prompt' as const), promptId: id, content, by: id }),
  fc.record({ type: fc.constant('cancel' as const), turnId: id, by: id }),
  fc.record({ type: fc.constant('answer' as const), questionId: id, answer, by: id }),
  fc.record({ type: fc.constant('change' as const), id, value: fc.oneof(fc.string(), fc.boolean()), by: id }),
);

describe('an entry of a log', () => {
  it('is read as it was written, also after it was JSON', () => {
    fc.assert(
      fc.property(entries, (entry) => {
        const { kind, body } = writeEntry(entry);
        const stored = JSON.parse(JSON.stringify(body)) as unknown;
        expect(readEntry({ kind, body: stored })).toEqual(JSON.parse(JSON.stringify(entry)));
        expect(readEvent({ kind, body: stored }) !== undefined).toBe(entry.type === 'event');
      }),
    );
  });

  it('of a kind that is not known, or that is no entry, is passed over', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (kind, body) => {
        const entry = readEntry({ kind, body });
        if (entry?.type === 'event') expect((body as { type?: unknown }).type).toBe(kind);
      }),
    );
    expect(readEntry({ kind: 'from_the_future', body: { some: 'thing' } })).toBeUndefined();
  });

  it('is an input or an output, and an event is never an input', () => {
    const inputs = ['prompt', 'cancel', 'cancel_part', 'answer', 'change'];
    fc.assert(
      fc.property(entries, (entry) => {
        expect(isInput(entry)).toBe(inputs.includes(entry.type));
      }),
    );
  });

  it('tells viewers when a turn begins and ends, and nothing else', () => {
    expect(stateOf({ type: 'turn_started', turnId: 't' })).toEqual({ type: 'state', state: 'running', turnId: 't' });
    const error = { code: -32603, message: 'It broke.' };
    const failed = stateOf({ type: 'turn_ended', turnId: 't', error });
    expect(failed).toEqual({ type: 'state', state: 'idle', turnId: 't', error });
    expect(failed && isPassing(failed)).toBe(true);
    expect(stateOf({ type: 'cancel', by: 'me' })).toBeUndefined();
  });
});

describe('a log that an earlier version has written', () => {
  const old = [
    { kind: 'turn_start', body: { turnId: '0f7c2a4e-1b2c', meta: { from: 'a client' } } },
    {
      kind: 'message_chunk',
      body: {
        type: 'message_chunk',
        speaker: 'user',
        messageId: 'prompt-0f7c2a4e-1b2c',
        content: { type: 'text', text: 'Hi' },
      },
    },
    { kind: 'tool_call', body: { type: 'tool_call', toolCallId: 'c', title: 'Read', status: 'completed' } },
    { kind: 'turn_end', body: { turnId: '0f7c2a4e-1b2c', stopReason: 'end_turn' } },
    { kind: 'turn_end', body: { turnId: 'x', error: { code: -32603, message: 'It broke.' } } },
  ];

  it('is read, and would be written the same today', () => {
    const read = old.map(readEntry);
    expect(read.map((entry) => entry?.type)).toEqual(['turn_started', 'event', 'event', 'turn_ended', 'turn_ended']);
    expect(read.map((entry) => entry && writeEntry(entry))).toEqual(old);
  });

  it('has the prompt under the id that a turn of today gives it', () => {
    const [event] = promptEvents('0f7c2a4e-1b2c', [{ type: 'text', text: 'Hi' }]);
    expect(event).toEqual(old[1]?.body);
  });
});
