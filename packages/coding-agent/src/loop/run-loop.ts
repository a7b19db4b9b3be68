import type { StopReason } from '@parley/protocol';
import { type Answer, applyModelEvent, EMPTY_ANSWER, messageOf } from '../models/answer.ts';
import { ModelError } from '../models/errors.ts';
import {
  type History,
  type HistoryMessage,
  type ToolCallPart,
  type ToolResult,
  toolCallsOf,
} from '../models/history.ts';
import type { Model, ModelEvent, ModelRequest, ModelStopReason, Usage } from '../models/model.ts';
import { repairHistory } from '../models/repair-history.ts';

/** One piece of what happens while the loop runs. */
export type LoopEvent =
  /** A piece of the model's answer, as it streams. */
  | { readonly type: 'model'; readonly event: ModelEvent }
  /** A message that is now part of the history; an answer comes with what it cost. */
  | { readonly type: 'message'; readonly message: HistoryMessage; readonly usage?: Usage };

export interface LoopOptions {
  readonly model: Model;
  /** The history so far, the person's prompt last. */
  readonly history: History;
  /** What each request says besides the history; asked anew for each, since a tool may change the mode. */
  readonly request: () => Omit<ModelRequest, 'messages'>;
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

/** One answer, and the history it was given to: the same, or a shorter one where the model found it too long. */
async function* askModel(
  { model, request, makeRoom, signal }: LoopOptions,
  history: History,
): AsyncGenerator<LoopEvent, { readonly answer: Answer; readonly history: History }> {
  try {
    return { answer: yield* streamAnswer(model, { ...request(), messages: history }, signal), history };
  } catch (error) {
    // Nobody knows every window, and providers count differently: what they refuse as too long is shortened once.
    if (!(error instanceof ModelError) || error.code !== 'context_too_long' || !makeRoom) throw error;
    const shorter = await makeRoom(history, { must: true });
    if (shorter === history) throw error;
    return { answer: yield* streamAnswer(model, { ...request(), messages: shorter }, signal), history: shorter };
  }
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
