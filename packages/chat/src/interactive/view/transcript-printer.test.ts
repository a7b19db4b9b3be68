import { applyEvent, createTranscript, type Transcript, type TranscriptEvent } from '@parley/client';
import { noticeMark } from '@parley/session';
import { textOfLine, widthOf } from '@parley/terminal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TEST_VIEW } from '../../../test/support/test-view.ts';
import type { ViewOptions } from '../../view/view-options.ts';
import { TranscriptPrinter } from './transcript-printer.ts';

const PROMPT: TranscriptEvent = { type: 'turn_started', prompt: [{ type: 'text', text: 'do it' }] };
const END: TranscriptEvent = { type: 'turn_ended', stopReason: 'end_turn' };

function say(text: string, messageId?: string): TranscriptEvent {
  return { type: 'message_chunk', speaker: 'agent', content: { type: 'text', text }, ...(messageId && { messageId }) };
}

function think(text: string): TranscriptEvent {
  return { type: 'thought_chunk', content: { type: 'text', text } };
}

function tool(toolCallId: string, status: 'pending' | 'in_progress' | 'completed' | 'failed'): TranscriptEvent {
  return { type: 'tool_call', toolCallId, title: `Tool ${toolCallId}`, kind: 'other', status };
}

/** Folds events and prints after each of them, as a chat does that draws often. */
function play(
  events: readonly TranscriptEvent[],
  options: ViewOptions = TEST_VIEW,
): { printed: string[][]; all: string[] } {
  const printer = new TranscriptPrinter();
  let transcript: Transcript = createTranscript();
  const printed = events.map((event) => {
    transcript = applyEvent(transcript, event, 98_000);
    return printer.print(transcript, options).map(textOfLine);
  });
  const rest = printer.finish(transcript, options).map(textOfLine);
  return { printed, all: [...printed.flat(), ...rest].filter((line) => line !== '') };
}

describe('the printer of a transcript', () => {
  it('prints a message block by block, as soon as a block is finished', () => {
    const { printed } = play([PROMPT, say('First'), say(' one.\n\nSec'), say('ond.'), END]);
    expect(printed).toEqual([['› do it'], [], ['', '  First one.'], [], ['', '  Second.']]);
  });

  it('prints a tool call when it has ended, and what is said meanwhile before it', () => {
    const { all } = play([
      PROMPT,
      tool('a', 'in_progress'),
      say('Meanwhile.\n\n'),
      tool('b', 'completed'),
      tool('a', 'completed'),
      say('After.'),
      END,
    ]);
    expect(all).toEqual(['› do it', '  Meanwhile.', '✓ Tool b', '✓ Tool a', '  After.']);
  });

  it('breaks the sentences of a tool between words, and keeps what is laid out with spaces as it is', () => {
    const lines = ['Not allowed: hello.txt already has exactly this content.', 'name      size      changed'];
    const failed: TranscriptEvent = {
      ...(tool('a', 'failed') as Extract<TranscriptEvent, { type: 'tool_call' }>),
      content: [{ type: 'content', content: { type: 'text', text: lines.join('\n') } }],
    };
    expect(play([PROMPT, failed, END], { ...TEST_VIEW, width: 40 }).all).toEqual([
      '› do it',
      '✗ Tool a',
      '    Not allowed: hello.txt already has',
      '    exactly this content.',
      '    name      size      changed',
    ]);
  });

  it('prints a notice that changes once, as it was at last', () => {
    const notice = (title: string, isOpen: boolean): TranscriptEvent => ({
      type: 'notice',
      severity: 'warning',
      title,
      meta: noticeMark({ id: 'a', isOpen }),
    });
    const closed = play([PROMPT, notice('In 2 s', true), notice('In 4 s', true), notice('Twice', false), END]);
    expect(closed.printed[2]).toEqual([]);
    expect(closed.all).toEqual(['› do it', '! Twice']);
    expect(play([PROMPT, notice('In 2 s', true), notice('In 4 s', true), END]).all).toEqual(['› do it', '! In 4 s']);
    const stopped = play([PROMPT, notice('In 2 s', true), say('Words.'), { ...END, stopReason: 'cancelled' }]).all;
    expect(stopped).toEqual(['› do it', '  Words.', expect.stringContaining('Cancelled')]);
  });

  it('prints tool calls that never ended when the turn does', () => {
    const cancelled: TranscriptEvent = { type: 'turn_ended', stopReason: 'cancelled' };
    expect(play([PROMPT, tool('a', 'in_progress'), { type: 'turn_cancelling' }, cancelled]).all).toEqual([
      '› do it',
      '⊘ Tool a',
      '· Cancelled after 0.0s.',
    ]);
  });

  it('folds thoughts, or shows them', () => {
    const events = [PROMPT, think('Hmm, '), think('well.'), say('Done.'), END];
    expect(play(events).all).toEqual(['› do it', '  Thought for 2s (ctrl+t)', '  Done.']);
    expect(play(events, { ...TEST_VIEW, showsThoughts: true }).all).toEqual(['› do it', '  Hmm, well.', '  Done.']);
  });

  it('loses nothing of messages that grow out of order', () => {
    const events = [PROMPT, say('one ', 'a'), say('two ', 'b'), say('three ', 'a'), say('four', 'b'), END];
    expect(
      play(events)
        .all.slice(1)
        .map((line) => line.trim()),
    ).toEqual(['one', 'two', 'three', 'four']);
  });

  it('prints each plan once, at the end of its turn', () => {
    const plan: TranscriptEvent = {
      type: 'plan',
      entries: [{ content: 'Step', priority: 'high', status: 'completed' }],
    };
    const { all } = play([PROMPT, plan, END, PROMPT, say('x'), END]);
    expect(all.filter((line) => line.includes('Step'))).toEqual(['  ✓ Step']);
    expect(all.indexOf('  ✓ Step')).toBeLessThan(all.lastIndexOf('› do it'));
  });

  it('tells how a turn failed, and what it does not know', () => {
    const unknown: TranscriptEvent = { type: 'unknown', variant: 'novelty', raw: { sessionUpdate: 'novelty' } };
    const { all } = play([PROMPT, unknown, { type: 'turn_failed', error: 'It broke.\nTry again.' }]);
    expect(all[1]).toContain('Unknown update "novelty"');
    expect(all.slice(2)).toEqual(['! It broke.', '  Try again.']);
  });

  it('prints an old conversation that is loaded, and only the end of a long one', () => {
    const old: TranscriptEvent[] = Array.from({ length: 300 }, (_, index) => [
      {
        type: 'message_chunk' as const,
        speaker: 'user' as const,
        messageId: `u${index}`,
        content: { type: 'text' as const, text: `ask ${index}` },
      },
      say(`reply ${index}`, `a${index}`),
    ]).flat();
    let transcript = createTranscript();
    for (const event of [{ type: 'replay_started' } as const, ...old, { type: 'replay_ended' } as const]) {
      transcript = applyEvent(transcript, event);
    }
    const lines = new TranscriptPrinter().print(transcript, TEST_VIEW).map(textOfLine);
    expect(lines[0]).toBe('  … 400 earlier entries not shown');
    expect(lines.at(-1)).toBe('  reply 299');
    expect(lines.filter((line) => line.startsWith('› '))).toHaveLength(100);
  });

  it('prints each tool call of an old conversation in its turn, and how the turn ended where that is known', () => {
    const ask = (text: string): TranscriptEvent => ({
      type: 'message_chunk',
      speaker: 'user',
      content: { type: 'text', text },
    });
    let transcript = createTranscript();
    for (const event of [
      { type: 'replay_started' } as const,
      ask('first'),
      tool('a', 'completed'),
      say('Read it.'),
      ask('second'),
      tool('b', 'failed'),
      tool('c', 'failed'),
      tool('d', 'in_progress'),
      ask('third'),
      tool('e', 'completed'),
      say('The end.'),
      { type: 'replay_ended' } as const,
    ]) {
      transcript = applyEvent(transcript, event);
    }
    const past = [
      { prompt: 'first', end: { status: 'ended' as const }, cancelledCalls: new Set<string>() },
      { prompt: 'was never told again', end: { status: 'ended' as const }, cancelledCalls: new Set<string>() },
      {
        prompt: 'second',
        end: { status: 'ended' as const, stopReason: 'cancelled' as const, startedAt: 1000, endedAt: 4000 },
        cancelledCalls: new Set(['c', 'd']),
      },
      { prompt: 'third', end: { status: 'failed' as const, error: 'It broke.' }, cancelledCalls: new Set<string>() },
    ];
    const printer = new TranscriptPrinter(past);
    expect(
      printer
        .print(transcript, TEST_VIEW)
        .map(textOfLine)
        .filter((line) => line !== ''),
    ).toEqual([
      '› first',
      '✓ Tool a',
      '  Read it.',
      '› second',
      '✗ Tool b',
      '⊘ Tool c',
      '⊘ Tool d',
      '· Cancelled after 3s.',
      '› third',
      '✓ Tool e',
      '  The end.',
      '! It broke.',
    ]);
    expect(printer.floating).toEqual([]);
    transcript = applyEvent(applyEvent(transcript, PROMPT), say('Next.'));
    expect(printer.finish(transcript, TEST_VIEW).map(textOfLine).filter(Boolean)).toEqual(['› do it', '  Next.']);
  });

  it('prints every name once and no line too wide, whatever happens and however often it is drawn', () => {
    const event = fc.oneof(
      fc.constantFrom('\n', '\n\n', ' ', '\n- ', '\n```\n', ' **', '`').map((text) => ({ kind: 'say', text }) as const),
      fc.constantFrom('a', 'b', undefined).map((id) => ({ kind: 'message', id }) as const),
      fc.record({ kind: fc.constant('tool' as const), id: fc.nat({ max: 3 }), isDone: fc.boolean() }),
      fc.constant({ kind: 'think' } as const),
      fc.constant({ kind: 'turn' } as const),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), fc.array(fc.boolean(), { minLength: 1 }), (steps, draws) => {
        const printer = new TranscriptPrinter();
        let transcript = applyEvent(createTranscript(), PROMPT, 0);
        let names = 0;
        const lines: string[] = [];
        for (const [index, step] of steps.entries()) {
          const name = `n${names}z`;
          const events: TranscriptEvent[] = [];
          if (step.kind === 'say') events.push(say(`${step.text}${name} `));
          else if (step.kind === 'message') events.push(say(`${name} `, step.id));
          else if (step.kind === 'think') events.push(think('hm '));
          else if (step.kind === 'turn') events.push(END, PROMPT);
          else events.push(tool(`${step.id}`, step.isDone ? 'completed' : 'in_progress'));
          if (step.kind === 'say' || step.kind === 'message') names += 1;
          for (const each of events) transcript = applyEvent(transcript, each, 0);
          if (!draws[index % draws.length]) continue;
          const printed = printer.print(transcript, TEST_VIEW);
          for (const line of printed) expect(widthOf(line)).toBeLessThanOrEqual(TEST_VIEW.width);
          lines.push(...printed.map(textOfLine));
        }
        transcript = applyEvent(transcript, END, 0);
        lines.push(...printer.finish(transcript, TEST_VIEW).map(textOfLine));
        const found = [...lines.join('\n').matchAll(/n\d+z/g)].map(([name]) => name);
        expect(found.toSorted()).toEqual(Array.from({ length: names }, (_, index) => `n${index}z`).toSorted());
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});
