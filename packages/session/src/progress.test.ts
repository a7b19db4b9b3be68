import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEntry, type LogEntry, NO_PROGRESS, queuedPrompts, type SessionProgress, turnState } from './index.ts';

function fold(entries: readonly LogEntry[]): SessionProgress {
  return entries.reduce((progress, entry, index) => applyEntry(progress, entry, index + 1), NO_PROGRESS);
}

const prompt = (promptId: string): LogEntry => ({ type: 'prompt', promptId, content: [], by: 'test' });
const start = (turnId: string): LogEntry => ({ type: 'turn_started', turnId });
const end = (turnId: string): LogEntry => ({ type: 'turn_ended', turnId, stopReason: 'end_turn' });
const ask = (questionId: string, turnId = 't'): LogEntry => ({
  type: 'question_asked',
  turnId,
  question: { type: 'form', questionId, message: '', form: {} },
});
const cancel = (turnId?: string): LogEntry => ({ type: 'cancel', by: 'test', ...(turnId && { turnId }) });

describe('the progress of a session', () => {
  it('leads a prompt from waiting to its end', () => {
    const entries = [prompt('t'), start('t'), ask('q'), cancel('t'), end('t')];
    const states = entries.map((_, index) => turnState(fold(entries.slice(0, index + 1)), 't'));
    expect(states).toEqual(['queued', 'running', 'waiting', 'cancelling', 'ended']);
    expect(fold(entries)).toEqual(NO_PROGRESS);
  });

  it('keeps prompts in their order until their turns begin or end', () => {
    const waiting = fold([start('t'), prompt('a'), prompt('b'), end('t')]);
    expect(queuedPrompts(waiting).map(({ input }) => input.promptId)).toEqual(['a', 'b']);
    expect(queuedPrompts(applyEntry(waiting, end('a'), 9)).map(({ input }) => input.promptId)).toEqual(['b']);
  });

  it('has prompts for the running turn among the others, until the turn takes them', () => {
    const steered: LogEntry = { type: 'prompt', promptId: 'b', content: [], by: 'test', steers: true };
    const waiting = fold([start('t'), prompt('a'), steered]);
    expect(queuedPrompts(waiting).map(({ input }) => input.promptId)).toEqual(['a', 'b']);
    const taken: LogEntry = { type: 'input_taken', seq: 3, promptId: 'b', turnId: 't' };
    expect(queuedPrompts(applyEntry(waiting, taken, 4)).map(({ input }) => input.promptId)).toEqual(['a']);
  });

  it('has a question until it is answered, withdrawn, or its turn ends', () => {
    const open = [start('t'), ask('q'), ask('r')];
    expect(fold(open).questions).toHaveLength(2);
    expect(fold([...open, { type: 'question_withdrawn', questionId: 'q' }]).questions).toHaveLength(1);
    const answer = { type: 'form' as const, action: 'decline' as const };
    expect(fold([...open, { type: 'question_answered', questionId: 'r', answer, by: 'me' }]).questions).toHaveLength(1);
    expect(fold([...open, end('t')]).questions).toEqual([]);
  });

  it('has no input that was taken, and no answer to what is no longer asked', () => {
    const answer = { type: 'form' as const, action: 'decline' as const };
    const late = fold([
      start('t'),
      ask('q'),
      { type: 'answer', questionId: 'q', answer, by: 'me' },
      { type: 'answer', questionId: 'q', answer, by: 'you' },
      { type: 'question_answered', questionId: 'q', answer, by: 'me' },
    ]);
    expect(late.inputs).toEqual([]);
    const change: LogEntry = { type: 'change', id: 'mode', value: 'code', by: 'me' };
    expect(fold([change]).inputs).toHaveLength(1);
    expect(fold([change, { type: 'input_taken', seq: 1 }]).inputs).toEqual([]);
  });

  it('is the same when it is read from the last turn on, with the oldest input that may wait, though its writer sees inputs late', () => {
    const step = fc.oneof(
      fc.constantFrom('a', 'b', 'c').map((id) => ({ do: 'prompt' as const, id })),
      fc.constant({ do: 'see' as const }),
      fc.constant({ do: 'run' as const }),
      fc.constant({ do: 'ask' as const }),
      fc.constant({ do: 'end' as const }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const log: LogEntry[] = [];
        let names = 0;
        let whole = NO_PROGRESS;
        /** How much of the log its writer has read, and what it knows by that. */
        let seen = 0;
        let known = NO_PROGRESS;
        const add = (entry: LogEntry): void => {
          log.push(entry);
          whole = applyEntry(whole, entry, log.length);
        };
        const see = (): void => {
          for (; seen < log.length; seen++) known = applyEntry(known, log[seen] as LogEntry, seen + 1);
        };
        const oldest = (turnId: string): { oldestInput: number } => {
          const found = known.inputs.find(({ input }) => input.type !== 'prompt' || input.promptId !== turnId);
          return { oldestInput: Math.min(found?.seq ?? Number.POSITIVE_INFINITY, seen + 1) };
        };
        for (const each of steps) {
          const { turn } = whole;
          if (each.do === 'prompt') add(prompt(`${each.id}${++names}`));
          else if (each.do === 'see') see();
          else if (each.do === 'run' && !turn) {
            const turnId = queuedPrompts(known)[0]?.input.promptId ?? `own${++names}`;
            add({ type: 'turn_started', turnId, ...oldest(turnId) });
            see();
          } else if (each.do === 'ask' && turn) add(ask(`q${++names}`, turn.turnId));
          else if (each.do === 'end' && turn) {
            add({ type: 'turn_ended', turnId: turn.turnId, stopReason: 'end_turn', ...oldest(turn.turnId) });
            see();
          }
        }
        const border = log.findLastIndex(({ type }) => type === 'turn_started' || type === 'turn_ended');
        const { oldestInput = Number.POSITIVE_INFINITY } = (log[border] ?? {}) as { oldestInput?: number };
        const from = border < 0 ? 1 : Math.min(border + 1, oldestInput);
        let tail = NO_PROGRESS;
        for (let seq = from; seq <= log.length; seq++) tail = applyEntry(tail, log[seq - 1] as LogEntry, seq);
        expect(tail).toEqual(whole);
      }),
    );
  });
});
