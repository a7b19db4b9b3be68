import type { ContentBlock } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../event.ts';
import { applyEvent } from './apply-event.ts';
import { getToolCall } from './apply-tool-call.ts';
import { emptied, mergeReplay } from './merge-replay.ts';
import { createTranscript, type Transcript } from './transcript.ts';
import type { TranscriptEvent } from './transcript-event.ts';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const says = (value: string, messageId?: string): SessionEvent => ({
  type: 'message_chunk',
  speaker: 'agent',
  content: text(value),
  ...(messageId && { messageId }),
});
const hears = (value: string): SessionEvent => ({ type: 'message_chunk', speaker: 'user', content: text(value) });
const tool = (toolCallId: string, status: 'pending' | 'completed'): SessionEvent => ({
  type: 'tool_call',
  toolCallId,
  title: toolCallId,
  status,
});
const turn = (value: string, ...events: SessionEvent[]): TranscriptEvent[] => [
  { type: 'turn_started', prompt: [text(value)] },
  ...events,
  { type: 'turn_ended', stopReason: 'end_turn' },
];
const fold = (events: readonly TranscriptEvent[], from: Transcript = createTranscript()): Transcript =>
  events.reduce((transcript, event) => applyEvent(transcript, event), from);
const replayed = (known: Transcript, ...events: SessionEvent[]): Transcript =>
  mergeReplay(known, fold([{ type: 'replay_started' }, ...events, { type: 'replay_ended' }], emptied(known)));
const brief = ({ entries }: Transcript): string[] =>
  entries.toArray().map((entry) => ('text' in entry ? entry.text : 'title' in entry ? entry.title : entry.type));

describe('joining a replay with what we had', () => {
  const known = fold([...turn('one', says('first'), tool('t1', 'pending')), ...turn('two', says('second'))]);

  it('adds nothing when both are the same', () => {
    const joined = replayed(known, hears('one'), says('first'), tool('t1', 'completed'), hears('two'), says('second'));
    expect(brief(joined)).toEqual(['one', 'first', 't1', 'two', 'second']);
    expect(getToolCall(joined, 't1')).toMatchObject({ status: 'completed', origin: 'live', turn: 0 });
    expect(joined.turns.length).toBe(2);
  });

  it('keeps what only we have, and adds what only the agent has where it stood', () => {
    expect(brief(replayed(known))).toEqual(['one', 'first', 't1', 'two', 'second']);
    expect(
      brief(
        replayed(known, hears('zero'), says('nothing'), hears('two'), says('second'), hears('three'), says('third')),
      ),
    ).toEqual(['zero', 'nothing', 'one', 'first', 't1', 'two', 'second', 'three', 'third']);
  });

  it('completes a message that was cut off', () => {
    const cut = fold([
      { type: 'turn_started', prompt: [text('one')] },
      says('half a sen'),
      { type: 'turn_failed', error: 'gone' },
    ]);
    expect(brief(replayed(cut, hears('one'), says('half a sentence, and more')))).toEqual([
      'one',
      'half a sentence, and more',
    ]);
  });

  it('knows two prompts again that are told as one, since the first was never answered', () => {
    const unanswered = fold([
      { type: 'turn_started', prompt: [text('one')] },
      { type: 'turn_failed', error: 'gone' },
      ...turn('two', says('second')),
    ]);
    expect(brief(replayed(unanswered, hears('one'), hears('two'), says('second')))).toEqual(['one', 'two', 'second']);
  });

  it('shows the output of a terminal once, also when it is told again', () => {
    const output: SessionEvent = { type: 'terminal_output', terminalId: 't', text: 'built' };
    const shown = fold([...turn('one', { type: 'terminal', terminalId: 't', command: 'make' }, output)]);
    const joined = replayed(shown, hears('one'), { type: 'terminal', terminalId: 't' }, output);
    expect(joined.terminals.toArray()).toMatchObject([{ terminalId: 't', command: 'make', output: 'built' }]);
  });

  it('matches the same words as often as they were said', () => {
    const twice = fold([...turn('again', says('ok')), ...turn('again', says('ok'))]);
    expect(
      brief(replayed(twice, hears('again'), says('ok'), hears('again'), says('ok'), hears('again'), says('ok'))),
    ).toEqual(['again', 'ok', 'again', 'ok', 'again', 'ok']);
  });

  it('goes by ids where there are some, and later updates find their entries', () => {
    const withIds = fold(turn('one', says('a', 'm1'), says('b', 'm2')));
    const joined = replayed(
      withIds,
      hears('zero'),
      says('nought', 'm0'),
      hears('one'),
      says('a', 'm1'),
      says('b', 'm2'),
      says('c', 'm3'),
    );
    expect(brief(joined)).toEqual(['zero', 'nought', 'one', 'a', 'b', 'c']);
    expect(brief(fold([says('!', 'm2')], joined))).toContain('b!');
    expect(joined.turns.at(0)?.firstEntry).toBe(brief(joined).indexOf('one'));
  });

  it('is the replay itself when we had nothing', () => {
    const joined = replayed(createTranscript(), hears('one'), says('first'));
    expect(brief(joined)).toEqual(['one', 'first']);
    expect(joined.entries.at(0)).toMatchObject({ origin: 'replay' });
  });
});

describe('joining a replay whose oldest turns are gone', () => {
  const notice: SessionEvent = {
    type: 'notice',
    severity: 'info',
    title: '2 earlier turns are no longer kept',
    meta: { 'parley/droppedTurns': 2 },
  };
  const known = fold([...turn('one', says('first', 'm1')), ...turn('two', says('second', 'm2'))]);

  it('goes on with what we have where both have something, and says nothing of what we still have', () => {
    const joined = replayed(known, notice, hears('two'), says('second', 'm2'), hears('three'), says('third', 'm3'));
    expect(brief(joined)).toEqual(['one', 'first', 'two', 'second', 'three', 'third']);
  });

  it('goes behind what we have where nothing is common, with the notice between', () => {
    const joined = replayed(known, notice, hears('two'), says('other', 'm8'), hears('three'), says('third', 'm9'));
    expect(brief(joined)).toEqual(['one', 'first', 'two', 'second', notice.title, 'two', 'other', 'three', 'third']);
    expect(joined.turns.length).toBe(2);
  });

  it('is shown as it is to who has nothing', () => {
    expect(brief(replayed(createTranscript(), notice, hears('three')))).toEqual([notice.title, 'three']);
  });
});
