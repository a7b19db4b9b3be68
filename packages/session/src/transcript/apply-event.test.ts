import type { ContentBlock } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../event.ts';
import { noticeMark, readNoticeMark } from '../notice-mark.ts';
import { applyEvent } from './apply-event.ts';
import { getTerminal } from './apply-terminal.ts';
import { getToolCall } from './apply-tool-call.ts';
import { filterToolCalls, summarizeTranscript, summarizeTurn } from './summary.ts';
import { createTranscript, type Transcript } from './transcript.ts';
import type { TranscriptEvent } from './transcript-event.ts';

const fold = (events: readonly TranscriptEvent[], from: Transcript = createTranscript()): Transcript =>
  events.reduce((transcript, event, index) => applyEvent(transcript, event, 1000 + index), from);
const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const says = (value: string, messageId?: string): SessionEvent => ({
  type: 'message_chunk',
  speaker: 'agent',
  content: text(value),
  ...(messageId !== undefined && { messageId }),
});
const hears = (value: string): SessionEvent => ({ type: 'message_chunk', speaker: 'user', content: text(value) });
const thinks = (value: string): SessionEvent => ({ type: 'thought_chunk', content: text(value) });
const prompt = (value: string): TranscriptEvent => ({ type: 'turn_started', prompt: [text(value)] });
const END: TranscriptEvent = { type: 'turn_ended', stopReason: 'end_turn' };
const brief = (transcript: Transcript): string[] =>
  transcript.entries.toArray().map((entry) => {
    if (entry.type === 'message') return `${entry.speaker}: ${entry.text}`;
    return entry.type === 'tool_call'
      ? `${entry.title} (${entry.status})`
      : `${entry.type}${'text' in entry ? `: ${entry.text}` : ''}`;
  });

describe('messages', () => {
  it('join their pieces, until somebody else speaks or does something', () => {
    const transcript = fold([
      prompt('hi'),
      thinks('let '),
      thinks('me'),
      says('Hel'),
      says('lo'),
      { type: 'tool_call', toolCallId: 't', title: 'Read' },
      says('bye'),
      END,
    ]);
    expect(brief(transcript)).toEqual(['user: hi', 'thought: let me', 'agent: Hello', 'Read (pending)', 'agent: bye']);
  });

  it('with ids find their own, wherever it is', () => {
    const transcript = fold([
      prompt('hi'),
      says('a', 'm1'),
      says('x', 'm2'),
      says('b', 'm1'),
      says('y', 'm2'),
      says('z', 'm2'),
    ]);
    expect(brief(transcript)).toEqual(['user: hi', 'agent: ab', 'agent: xyz']);
  });

  it('keep other content between texts, and texts with annotations apart', () => {
    const image: ContentBlock = { type: 'image', data: 'AA==', mimeType: 'image/png' };
    const marked: ContentBlock = { type: 'text', text: '!', annotations: { priority: 1 } };
    const chunk = (content: ContentBlock): SessionEvent => ({ type: 'message_chunk', speaker: 'agent', content });
    const transcript = fold([prompt('hi'), says('a'), says('b'), chunk(image), says('c'), chunk(marked), says('d')]);
    expect(transcript.entries.at(1)).toMatchObject({ text: 'abc!d' });
    expect(JSON.parse(JSON.stringify(transcript.entries.at(1))).content).toEqual([
      text('ab'),
      image,
      text('c'),
      marked,
      text('d'),
    ]);
  });

  it('of the user that only echo the prompt are not told twice', () => {
    expect(brief(fold([prompt('do this now'), hears('do this'), hears(' now'), says('ok')]))).toEqual([
      'user: do this now',
      'agent: ok',
    ]);
    expect(brief(fold([prompt(' padded '), hears('padded'), says('ok')]))).toEqual(['user:  padded ', 'agent: ok']);
    expect(brief(fold([prompt('one'), hears('something else'), says('ok')]))).toEqual([
      'user: one',
      'user: something else',
      'agent: ok',
    ]);
    expect(brief(fold([prompt('one'), hears('one'), hears('one')]))).toEqual(['user: one', 'user: one']);
  });
});

describe('ids that an agent uses again in the next turn', () => {
  it('begin a new message and a new tool call', () => {
    const call = (status: 'pending' | 'completed'): SessionEvent => ({
      type: 'tool_call',
      toolCallId: 'call_0',
      title: 'Read',
      status,
    });
    const turn = [says('a', 'm1'), call('pending'), call('completed'), says('b', 'm1')];
    const transcript = fold([prompt('one'), ...turn, END, prompt('two'), ...turn, END]);
    const expected = ['agent: ab', 'Read (completed)'];
    expect(brief(transcript)).toEqual(['user: one', ...expected, 'user: two', ...expected]);
    expect(summarizeTurn(transcript, 1).text).toBe('ab');
    const replay = fold([
      { type: 'replay_started' },
      hears('one'),
      says('a', 'm1'),
      hears('two'),
      says('b', 'm1'),
      says('c', 'm1'),
    ]);
    expect(brief(replay)).toEqual(['user: one', 'agent: a', 'user: two', 'agent: bc']);
  });

  it('still bring news of an old call that went on in the background', () => {
    const transcript = fold([
      prompt('one'),
      { type: 'tool_call', toolCallId: 't', title: 'Serve', status: 'in_progress' },
      END,
      prompt('two'),
      { type: 'tool_call', toolCallId: 't', status: 'completed' },
      END,
    ]);
    expect(brief(transcript)).toEqual(['user: one', 'Serve (completed)', 'user: two']);
  });
});

describe('tool calls', () => {
  it('are created by the first mention, then changed field by field; lists replace', () => {
    const transcript = fold([
      prompt('go'),
      { type: 'tool_call', toolCallId: 't', title: 'Edit', kind: 'edit', locations: [{ path: '/a' }, { path: '/b' }] },
      { type: 'tool_call', toolCallId: 't', status: 'in_progress', locations: [{ path: '/c', line: 3 }] },
      {
        type: 'tool_call',
        toolCallId: 't',
        status: 'completed',
        content: [{ type: 'diff', path: '/c', oldText: null, newText: 'x' }],
        rawOutput: { ok: true },
      },
    ]);
    expect(getToolCall(transcript, 't')).toMatchObject({
      title: 'Edit',
      kind: 'edit',
      status: 'completed',
      locations: [{ path: '/c', line: 3 }],
      content: [{ type: 'diff', newText: 'x' }],
      rawOutput: { ok: true },
      at: 1001,
      endedAt: 1003,
    });
    expect(transcript.entries.length).toBe(2);
  });

  it('get defaults for what was never said, and know their parent', () => {
    const transcript = fold([{ type: 'tool_call', toolCallId: 't', meta: { claudeCode: { parentToolUseId: 'p' } } }]);
    expect(getToolCall(transcript, 't')).toMatchObject({
      title: 't',
      kind: 'other',
      status: 'pending',
      content: [],
      locations: [],
      parentToolCallId: 'p',
    });
  });

  it('left over by a cancelled or failed turn are cancelled, unless news comes later', () => {
    const open: TranscriptEvent[] = [
      prompt('go'),
      { type: 'tool_call', toolCallId: 't', title: 'Build', status: 'in_progress' },
    ];
    expect(brief(fold([...open, { type: 'turn_cancelling' }])).at(-1)).toBe('Build (cancelled)');
    expect(brief(fold([...open, { type: 'turn_failed', error: 'gone' }])).at(-1)).toBe('Build (cancelled)');
    expect(
      brief(
        fold([...open, { type: 'turn_cancelling' }, { type: 'tool_call', toolCallId: 't', status: 'completed' }]),
      ).at(-1),
    ).toBe('Build (completed)');
    expect(brief(fold([...open, END])).at(-1)).toBe('Build (in_progress)');
  });
});

describe('plans', () => {
  const step = (content: string) => ({ content, priority: 'low', status: 'pending' }) as const;

  it('with ids stand beside each other, each replaced and removed by itself', () => {
    const events: readonly TranscriptEvent[] = [
      { type: 'plan', planId: 'a', entries: [step('one')] },
      { type: 'plan', planId: 'b', entries: [step('two')] },
      { type: 'plan', planId: 'a', entries: [step('three')] },
    ];
    const transcript = fold(events);
    expect(transcript.plans).toEqual([
      { planId: 'a', entries: [step('three')] },
      { planId: 'b', entries: [step('two')] },
    ]);
    expect(transcript.plan).toEqual([step('three')]);
    const removed = fold([...events, { type: 'plan', planId: 'a', entries: [], isRemoved: true }]);
    expect(removed.plans).toEqual([{ planId: 'b', entries: [step('two')] }]);
    expect(removed.plan).toEqual([step('two')]);
  });

  it('without an id are one plan, and a new turn begins without any', () => {
    const told = fold([
      { type: 'plan', entries: [step('one')] },
      { type: 'plan', entries: [step('two')] },
    ]);
    expect(told.plans).toEqual([{ entries: [step('two')] }]);
    expect(
      fold([
        { type: 'plan', entries: [step('one')] },
        { type: 'turn_started', prompt: [] },
      ]).plans,
    ).toEqual([]);
  });
});

describe('everything else', () => {
  it('is kept as the latest state', () => {
    const transcript = fold([
      {
        type: 'plan',
        entries: [
          { content: 'a', priority: 'high', status: 'completed' },
          { content: 'b', priority: 'low', status: 'pending' },
        ],
      },
      { type: 'commands', commands: [{ name: 'web', description: 'Search' }] },
      {
        type: 'modes',
        currentModeId: 'ask',
        availableModes: [
          { id: 'ask', name: 'Ask' },
          { id: 'code', name: 'Code' },
        ],
      },
      { type: 'mode', modeId: 'code' },
      { type: 'config', options: [] },
      { type: 'info', title: 'A title', updatedAt: '2026-01-01T00:00:00Z' },
      { type: 'info', title: null },
      { type: 'usage', used: 10, size: 100, cost: { amount: 1, currency: 'USD' } },
      { type: 'notice', severity: 'warning', title: 'Careful' },
      { type: 'compaction', compactionId: 'c', status: 'in_progress' },
      { type: 'compaction_chunk', compactionId: 'c', content: text('sum') },
      { type: 'compaction_chunk', compactionId: 'c', content: text('mary') },
      { type: 'compaction', compactionId: 'c', status: 'completed' },
      { type: 'unknown', variant: 'hologram', raw: { sessionUpdate: 'hologram' } },
    ]);
    expect(transcript.plan).toHaveLength(2);
    expect(transcript.mode).toEqual({
      currentModeId: 'code',
      availableModes: [
        { id: 'ask', name: 'Ask' },
        { id: 'code', name: 'Code' },
      ],
    });
    expect(transcript.title).toBeUndefined();
    expect(transcript.updatedAt).toBe('2026-01-01T00:00:00Z');
    expect(transcript.usage).toEqual({ used: 10, size: 100, cost: { amount: 1, currency: 'USD' } });
    expect(transcript.entries.toArray().map((entry) => entry.type)).toEqual(['notice', 'compaction', 'unknown']);
    expect(transcript.entries.at(1)).toMatchObject({ status: 'completed', text: 'summary' });
  });

  it('of a notice with an id takes the place of the one before, wherever that stands', () => {
    const notice = (title: string, id: string, isOpen = true): TranscriptEvent => ({
      type: 'notice',
      severity: 'warning',
      title,
      meta: noticeMark({ id, isOpen }),
    });
    const transcript = fold([
      notice('Trying again in 2 s', 'a'),
      { type: 'message_chunk', speaker: 'agent', content: text('Hm.') },
      notice('Another', 'b'),
      notice('Tried 2 times', 'a', false),
      { type: 'notice', severity: 'info', title: 'Alone' },
      { type: 'notice', severity: 'info', title: 'Alone' },
    ]);
    const words = transcript.entries.toArray().map((entry) => (entry.type === 'notice' ? entry.title : entry.type));
    expect(words).toEqual(['Tried 2 times', 'message', 'Another', 'Alone', 'Alone']);
    expect(readNoticeMark(transcript.entries.at(0) ?? {})).toEqual({ id: 'a', isOpen: false });
  });

  it('in terminals is joined and bounded', () => {
    const chunk = 'y'.repeat(1_000_000);
    const transcript = fold([
      { type: 'terminal', terminalId: 'x', command: 'make', cwd: '/w' },
      { type: 'terminal_output', terminalId: 'x', text: 'one ' },
      { type: 'terminal_output', terminalId: 'x', text: 'two' },
      { type: 'terminal', terminalId: 'x', exitCode: 2, signal: null },
      ...Array.from({ length: 5 }, () => ({ type: 'terminal_output', terminalId: 'big', text: chunk }) as const),
    ]);
    expect(getTerminal(transcript, 'x')).toEqual({
      terminalId: 'x',
      command: 'make',
      cwd: '/w',
      output: 'one two',
      isTruncated: false,
      exit: { exitCode: 2, signal: null },
    });
    const big = getTerminal(transcript, 'big');
    expect(big?.isTruncated).toBe(true);
    expect(big?.output.length).toBeLessThanOrEqual(2 * 1024 * 1024);
  });

  it('tells at any time what the session is doing', () => {
    const question = {
      type: 'permission',
      questionId: 'q',
      sessionId: 's',
      toolCall: { toolCallId: 't' },
      options: [],
    } as const;
    const states: string[] = [];
    let transcript = createTranscript();
    for (const event of [
      prompt('go'),
      { type: 'question', question },
      { type: 'answer', questionId: 'q', outcome: 'allowed' },
      { type: 'turn_cancelling' },
      { type: 'turn_ended', stopReason: 'cancelled' },
      { type: 'connection_lost' },
      { type: 'connection_restored' },
    ] as TranscriptEvent[]) {
      transcript = applyEvent(transcript, event);
      states.push(transcript.state);
    }
    expect(states).toEqual(['running', 'waiting', 'running', 'cancelling', 'idle', 'lost', 'idle']);
    expect(transcript.turns.at(0)).toMatchObject({ status: 'ended', stopReason: 'cancelled' });
  });
});

describe('summaries', () => {
  const transcript = fold([
    prompt('one'),
    says('I will look.'),
    { type: 'tool_call', toolCallId: 'a', title: 'Read a.ts', status: 'completed' },
    { type: 'tool_call', toolCallId: 'b', title: 'npm test', status: 'failed' },
    says('It fails.'),
    END,
    prompt('two'),
    thinks('hm'),
    says('Fixed.'),
    END,
  ]);

  it('are per turn or of everything', () => {
    expect(summarizeTurn(transcript, 0)).toMatchObject({
      text: 'I will look.\n\nIt fails.',
      thoughts: '',
      failures: [{ title: 'npm test' }],
    });
    expect(summarizeTurn(transcript, 1)).toMatchObject({ text: 'Fixed.', thoughts: 'hm', toolCalls: [] });
    expect(summarizeTranscript(transcript).text).toBe('I will look.\n\nIt fails.\n\nFixed.');
  });

  it('find tool calls by status and title', () => {
    const { toolCalls } = summarizeTranscript(transcript);
    expect(filterToolCalls(toolCalls, { status: 'failed' })).toHaveLength(1);
    expect(filterToolCalls(toolCalls, { title: 'a.ts' })).toHaveLength(1);
    expect(filterToolCalls(toolCalls, { title: /^npm/, status: 'completed' })).toHaveLength(0);
  });
});

describe('the fold', () => {
  const anyText = fc.string({ maxLength: 8 });
  const anyEvent: fc.Arbitrary<TranscriptEvent> = fc.oneof(
    fc.record({
      type: fc.constant('message_chunk' as const),
      speaker: fc.constantFrom('user' as const, 'agent' as const),
      content: anyText.map(text),
      messageId: fc.constantFrom('m1', 'm2', 'm3'),
    }),
    anyText.map(says),
    anyText.map(hears),
    anyText.map(thinks),
    fc.record({
      type: fc.constant('tool_call' as const),
      toolCallId: fc.constantFrom('t1', 't2', 't3', 't4'),
      title: anyText,
      status: fc.constantFrom('pending' as const, 'completed' as const, 'failed' as const),
    }),
    fc.record({ type: fc.constant('terminal_output' as const), terminalId: fc.constantFrom('x', 'y'), text: anyText }),
    fc.record({
      type: fc.constant('compaction_chunk' as const),
      compactionId: fc.constantFrom('c1', 'c2'),
      content: anyText.map(text),
    }),
    anyText.map(prompt),
    fc.constantFrom<TranscriptEvent>(
      END,
      { type: 'turn_cancelling' },
      { type: 'turn_failed', error: 'x' },
      { type: 'replay_started' },
      { type: 'replay_ended' },
    ),
  );

  it('is pure: the same events give the same transcript, and no transcript ever changes', () => {
    const property = fc.property(fc.array(anyEvent, { maxLength: 80 }), fc.nat(), (events, cut) => {
      const half = fold(events.slice(0, cut % (events.length + 1)));
      const before = JSON.stringify(half);
      const rest = events.slice(cut % (events.length + 1));
      const once = JSON.stringify(rest.reduce((transcript, event) => applyEvent(transcript, event, 5), half));
      const twice = JSON.stringify(rest.reduce((transcript, event) => applyEvent(transcript, event, 5), half));
      expect(twice).toBe(once);
      expect(JSON.stringify(half)).toBe(before);
    });
    fc.assert(property, { seed: 7, numRuns: 300 });
  });

  it('loses no text and keeps each tool call once in a turn', () => {
    const property = fc.property(fc.array(anyEvent, { maxLength: 120 }), (events) => {
      const { entries } = fold(events);
      const spoken = events.flatMap((event) =>
        event.type === 'message_chunk' && event.speaker === 'agent' && event.content.type === 'text'
          ? [event.content.text]
          : [],
      );
      const kept = entries
        .toArray()
        .flatMap((entry) => (entry.type === 'message' && entry.speaker === 'agent' ? [entry.text] : []));
      expect([...kept.join('')].sort()).toEqual([...spoken.join('')].sort());
      const ids = entries
        .toArray()
        .flatMap((entry) => (entry.type === 'tool_call' ? [`${entry.turn} ${entry.toolCallId}`] : []));
      expect(new Set(ids).size).toBe(ids.length);
    });
    fc.assert(property, { seed: 11, numRuns: 300 });
  });

  it('folds 100,000 updates of every kind', () => {
    let transcript = applyEvent(createTranscript(), prompt('go'));
    for (let index = 0; index < 100_000; index += 1) {
      const event: SessionEvent =
        index % 4 === 0
          ? { type: 'tool_call', toolCallId: `t${index % 40_000}`, title: 'Step', status: 'in_progress' }
          : index % 4 === 1
            ? says('word ', `m${index % 1000}`)
            : index % 4 === 2
              ? thinks('hm ')
              : { type: 'terminal_output', terminalId: `x${index % 100}`, text: 'line\n' };
      transcript = applyEvent(transcript, event);
    }
    expect(transcript.terminals.length).toBe(25);
    expect(summarizeTranscript(transcript).toolCalls).toHaveLength(10_000);
    expect(summarizeTranscript(transcript).text.split('word').length - 1).toBe(25_000);
  });
});
