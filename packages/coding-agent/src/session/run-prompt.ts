import { type Turn, TurnError } from '@parley/agent';
import type { ContentBlock, StopReason } from '@parley/protocol';
import { isAlmostFull } from '../loop/compact.ts';
import { partsOfPrompt } from '../loop/prompt-parts.ts';
import { type LoopEvent, type LoopOptions, runLoop } from '../loop/run-loop.ts';
import { costOf } from '../models/cost.ts';
import { ModelError } from '../models/errors.ts';
import type { UserMessage } from '../models/history.ts';
import type { Model } from '../models/model.ts';
import type { ModelOffer } from '../models/offer.ts';
import { createOperations } from '../operations/create-operations.ts';
import type { WebOptions } from '../operations/web/web.ts';
import type { Operations } from '../tools/operations.ts';
import type { FileChange } from '../tools/tool.ts';
import type { CodingSession } from './coding-session.ts';
import { compactSession } from './compact-session.ts';
import { nameSession } from './name-session.ts';
import { requestFor } from './request-for.ts';
import { runToolCalls } from './run-tool.ts';
import { sessionOperations } from './session-operations.ts';
import { showModelEvent, showUsage } from './show-model-event.ts';

export interface PromptContext {
  readonly turn: Turn;
  /** What the model is asked; a slash command may put it in other words than the person did. */
  readonly content: readonly ContentBlock[];
  readonly coding: CodingSession;
  readonly model: Model;
  readonly offer: ModelOffer;
  readonly maxRequests: number;
  readonly now: () => Date;
  readonly web?: WebOptions;
}

/** Answers one prompt with the model: what streams is shown, what it calls is run, what it cost is counted. */
export async function runPrompt(context: PromptContext): Promise<StopReason> {
  const { turn, coding, model } = context;
  const prompt: UserMessage = { role: 'user', content: partsOfPrompt(context.content, turn.session) };
  const before = [...(await coding.history(turn.id))];
  coding.replaceHistory([...before, prompt]);
  nameSession(turn);

  let answer = 0;
  const changes: FileChange[] = [];
  const operations = operationsFor(context, () => answer);
  const onChange = (each: readonly FileChange[]): void => void changes.push(...each);
  const runner = { turn, tools: () => coding.tools, operations, onChange };
  const loop = runLoop({
    model,
    history: [...before, prompt],
    request: () => requestFor(context),
    runTools: (calls) => runToolCalls({ ...runner, answer: ++answer }, calls),
    makeRoom: createRoomMaker(context),
    maxRequests: context.maxRequests,
    signal: turn.signal,
  });
  try {
    for (;;) {
      const next = await loop.next();
      if (!next.done) {
        const slow = take(context, next.value);
        if (slow) await slow;
        continue;
      }
      // The protocol wants a refused prompt, and all that came of it, forgotten.
      if (next.value === 'refusal') coding.replaceHistory(before);
      return next.value;
    }
  } catch (error) {
    if (error instanceof ModelError) throw new TurnError(error.message, { cause: error, data: { kind: error.code } });
    throw error;
  } finally {
    coding.recordChanges(changes);
  }
}

function operationsFor({ turn, coding, web }: PromptContext, answer: () => number): Operations {
  return createOperations({
    client: turn.client,
    signal: turn.signal,
    files: coding.files,
    session: sessionOperations(turn, answer),
    sandbox: coding.sandbox,
    ...(web && { web }),
    onStart: (stop, options) => coding.keepRunning(stop, options),
  });
}

function take({ turn, coding, offer }: PromptContext, event: LoopEvent): void | Promise<void> {
  if (event.type === 'model') return showModelEvent(turn, event.event);
  coding.remember(event.message);
  if (!event.usage) return;
  coding.usage.add(event.usage, costOf(event.usage, offer.price));
  showUsage(turn, event.usage, coding.usage, offer);
}

/** Shortens the history where it is needed. What could not be shortened once in a turn is not tried again in it. */
function createRoomMaker(context: PromptContext): NonNullable<LoopOptions['makeRoom']> {
  const { model, offer, turn, coding } = context;
  let isHopeless = false;
  return async (history, { must }) => {
    const request = requestFor(context);
    if (!must && (isHopeless || !isAlmostFull(history, request, model.contextWindow))) return history;
    const shorter = await compactSession({ turn, coding, model, offer, history, request });
    isHopeless = shorter === history;
    return shorter;
  };
}
