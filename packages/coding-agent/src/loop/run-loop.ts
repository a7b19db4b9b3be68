import type { StopReason } from '@parley/session';
import { type Answer, applyModelEvent, EMPTY_ANSWER, messageOf } from '../models/answer.ts';
import { ModelError } from '../models/errors.ts';
import {
  type History,
  type HistoryMessage,
  type ToolCallPart,
  type ToolResult,
  toolCallsOf,
} from '../models/history/history.ts';
import { repairHistory } from '../models/history/repair-history.ts';
import { lastSituation, withNote } from '../models/history/situation.ts';
import type { Model, ModelEvent, ModelRequest, ModelStopReason, Usage } from '../models/model.ts';
import { type RepairLevel, repairRefused, repairsFor } from './abridge.ts';

/** One piece of what happens while the loop runs. */
export type LoopEvent =
  /** A piece of the model's answer, as it streams. */
  | { readonly type: 'model'; readonly event: ModelEvent }
  /** A message that is now part of the history; an answer comes with what it cost. */
  | { readonly type: 'message'; readonly message: HistoryMessage; readonly usage?: Usage }
  /** What holds now was added to the last message of the history, for the model to know. */
  | { readonly type: 'situation'; readonly text: string }
  /** The provider refused the history, and took it with something left out; from now on that is the history. */
  | { readonly type: 'repaired'; readonly level: RepairLevel };

export interface LoopOptions {
  readonly model: Model;
  /** The history so far, the person's prompt last. */
  readonly history: History;
  /** What each request says besides the history; the same all along, unless the person changes it. */
  readonly request: () => Omit<ModelRequest, 'messages'>;
  /** What holds now: the mode, the date. It is told when it changes, and a tool may change it. */
  readonly situation?: () => string;
  /** Runs the calls of one answer and returns a result for each, in their order. Aborted calls have a result, too. */
  readonly runTools: (calls: readonly ToolCallPart[]) => Promise<readonly ToolResult[]>;
  /** Shortens the history when the window fills up, or in any case when it must; returns it as it is when it need not. */
  readonly makeRoom?: (history: History, options: { readonly must: boolean }) => Promise<History>;
  /** How many requests one turn may make. */
  readonly maxRequests: number;
  readonly signal: AbortSignal;
}

/**
 * History to model to tool calls to history, until no tool call is pending or a limit is reached. Whatever ends it, the
 * messages it has yielded, repaired, are a history that the model accepts.
 */
export async function* runLoop(options: LoopOptions): AsyncGenerator<LoopEvent, StopReason> {
  const { runTools, makeRoom, maxRequests, signal } = options;
  let history = repairHistory(options.history);
  for (let requests = 0; requests < maxRequests; requests++) {
    signal.throwIfAborted();
    if (makeRoom) history = await makeRoom(history, { must: false });
    history = yield* tellSituation(options, history);
    const { answer, history: asked } = yield* askModel(options, history);
    const message = messageOf(answer);
    const calls = toolCallsOf(message);
    const stopReason = stopReasonOf(answer.stopReason, calls.length > 0);
    if (stopReason) return stopReason;
    const results: HistoryMessage = { role: 'tool', results: await runTools(calls) };
    history = [...asked, message, results];
    yield { type: 'message', message: results };
  }
  signal.throwIfAborted();
  return 'max_turn_requests';
}

async function* tellSituation({ situation }: LoopOptions, history: History): AsyncGenerator<LoopEvent, History> {
  const text = situation?.();
  if (text === undefined || text === lastSituation(history)) return history;
  yield { type: 'situation', text };
  return withNote(history, text);
}

interface Asked {
  readonly answer: Answer;
  /** What the answer was given to: the same, or less where the model found it too long or refused it. */
  readonly history: History;
}

async function* askModel(options: LoopOptions, history: History): AsyncGenerator<LoopEvent, Asked> {
  const { model, request, makeRoom, signal } = options;
  try {
    return { answer: yield* streamAnswer(model, { ...request(), messages: history }, signal), history };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (error.code !== 'context_too_long') return yield* askRepaired(options, history, error);
    // Nobody knows every window, and providers count differently: what they refuse as too long is shortened once.
    const shorter = (await makeRoom?.(history, { must: true })) ?? history;
    if (shorter === history) throw error;
    const messages = yield* tellSituation(options, shorter);
    return { answer: yield* streamAnswer(model, { ...request(), messages }, signal), history: messages };
  }
}

/** A refused history would be refused for ever, so it is tried once more with what may be the reason left out. */
async function* askRepaired(
  { model, request, signal }: LoopOptions,
  history: History,
  refusal: ModelError,
): AsyncGenerator<LoopEvent, Asked> {
  for (const level of repairsFor(refusal, history)) {
    const messages = repairRefused(history, level);
    const answer = streamAnswer(model, { ...request(), messages }, signal);
    let isTaken = false;
    try {
      for (;;) {
        const next = await answer.next();
        if (next.done) return { answer: next.value, history: messages };
        const event: LoopEvent = next.value;
        if (!isTaken && !isRetry(event)) {
          isTaken = true;
          yield { type: 'repaired', level };
        }
        yield event;
      }
    } catch (error) {
      if (isTaken || !(error instanceof ModelError) || error.code !== 'invalid_request') throw error;
    } finally {
      await answer.return(EMPTY_ANSWER);
    }
  }
  throw refusal;
}

function isRetry(event: LoopEvent): boolean {
  return event.type === 'model' && event.event.type === 'retry';
}

/** Streams one answer. What has arrived becomes part of the history even when the stream breaks or is aborted. */
async function* streamAnswer(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<LoopEvent, Answer> {
  let answer = EMPTY_ANSWER;
  try {
    for await (const event of model.stream(request, { signal })) {
      answer = applyModelEvent(answer, event);
      yield { type: 'model', event };
    }
  } catch (error) {
    if (answer.content.length > 0) yield { type: 'message', message: messageOf(answer), usage: answer.usage };
    throw error;
  }
  yield { type: 'message', message: messageOf(answer), usage: answer.usage };
  return answer;
}

/** Undefined: the loop goes on with the tool calls. An answer that was cut off may hold half a plan, so its calls do not run. */
function stopReasonOf(reason: ModelStopReason | undefined, hasCalls: boolean): StopReason | undefined {
  if (reason === 'refusal') return 'refusal';
  if (reason === 'max_tokens' || reason === 'context_full') return 'max_tokens';
  return hasCalls ? undefined : 'end_turn';
}
