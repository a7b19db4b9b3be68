import type { Model, ModelEvent, ModelRequest, Usage } from '@parley/models/model';
import {
  type Answer,
  applyModelEvent,
  EMPTY_ANSWER,
  type History,
  type HistoryMessage,
  lastSituation,
  ModelError,
  messageOf,
  repairHistory,
  type ToolCallPart,
  type ToolResult,
  toolCallsOf,
  type UserMessage,
  withNote,
} from '@parley/models/model';
import type { StopReason } from '@parley/session';
import { type RepairLevel, repairRefused, repairsFor } from './abridge.ts';
import { type CountedTokens, estimateTokens } from './compact.ts';
import { REPEATED, REPEATED_NOTICE, RepeatedCalls } from './repeated-calls.ts';
import { SilenceWatch } from './silence-watch.ts';
import { GO_ON, MAX_CONTINUATIONS, notRun, type UnfinishedAnswer, unfinished } from './unfinished-answer.ts';

/** One piece of what happens while the loop runs. */
export type LoopEvent =
  /** A piece of the model's answer, as it streams. */
  | { readonly type: 'model'; readonly event: ModelEvent }
  /** A message that is now part of the history; an answer comes with what it cost. */
  | { readonly type: 'message'; readonly message: HistoryMessage; readonly usage?: Usage }
  /** Something was added to the last message of the history, for the model to know: what holds now, or that it is to go on. */
  | { readonly type: 'note'; readonly text: string }
  /** An answer without words and calls; it is no part of the history. */
  | { readonly type: 'empty'; readonly usage: Usage }
  /** Something for the person. */
  | { readonly type: 'notice'; readonly title: string; readonly description?: string }
  /** The provider refused the history, and took it with something left out; from now on that is the history. */
  | { readonly type: 'repaired'; readonly level: RepairLevel };

export interface MakeRoomOptions {
  readonly must: boolean;
  readonly counted?: CountedTokens | undefined;
  /** The provider has refused it as it is, so that it is not sent again to be summarized. */
  readonly wasRefused?: boolean;
}

export interface LoopOptions {
  readonly model: Model;
  /** The history so far, the person's prompt last. */
  readonly history: History;
  /** What each request says besides the history; the same all along, unless the person changes it. */
  readonly request: () => Omit<ModelRequest, 'messages'>;
  /** What holds now: the mode, the date. It is told when it changes, and a tool may change it. */
  readonly situation?: () => string;
  /** What the person has said since the turn began, each taken once. */
  readonly messages?: () => readonly UserMessage[];
  /** What the model should know besides, each told once. */
  readonly notes?: () => Promise<readonly string[]>;
  /** Runs the calls of one answer and returns a result for each, in their order. Aborted calls have a result, too. */
  readonly runTools: (calls: readonly ToolCallPart[]) => Promise<readonly ToolResult[]>;
  /** Shortens the history when the window fills up, or in any case when it must; returns it as it is when it need not. */
  readonly makeRoom?: (history: History, options: MakeRoomOptions) => Promise<History>;
  /** What the provider has counted for the history without its last message, in the turn before. */
  readonly countedTokens?: number | undefined;
  /** How many requests one turn may make. */
  readonly maxRequests: number;
  /** Told when nothing has come from the model for `silenceMs` (default: 20 s), and again when that has doubled. */
  readonly onSilence?: (silentMs: number) => void;
  readonly silenceMs?: number | undefined;
  readonly signal: AbortSignal;
}

const DEFAULT_SILENCE_MS = 20_000;

/**
 * History to model to tool calls to history, until no tool call is pending or a limit is reached. Whatever ends it, the
 * messages it has yielded, repaired, are a history that the model accepts.
 */
export async function* runLoop(options: LoopOptions): AsyncGenerator<LoopEvent, StopReason> {
  const { runTools, makeRoom, maxRequests, signal } = options;
  const repeated = new RepeatedCalls();
  let history = repairHistory(options.history);
  let counted = countedBefore(options);
  let continuations = 0;
  let must = false;
  for (let requests = 0; requests < maxRequests; requests++) {
    signal.throwIfAborted();
    // Behind the results of tools; the first request is about the prompt alone.
    if (requests > 0) history = yield* hear(options, history);
    if (makeRoom) history = await makeRoom(history, { must, counted });
    for (const text of (await options.notes?.()) ?? []) history = yield* tell(history, text);
    history = yield* tellSituation(options, history);
    const { answer, history: asked } = yield* askModel(options, history);
    if (answer.stopReason === 'refusal') return 'refusal';
    counted = countedIn(answer, asked);
    must = answer.stopReason === 'context_full';
    const gap = unfinished(answer);
    if (gap !== undefined) {
      if (++continuations > MAX_CONTINUATIONS) return gap === 'cut' ? 'max_tokens' : yield* endEmpty();
      history = yield* goOn(asked, answer, gap);
      continue;
    }
    continuations = 0;
    const message = messageOf(answer);
    const calls = toolCallsOf(message);
    if (calls.length === 0) {
      const ended: History = [...asked, message];
      // What the person said meanwhile is for this turn, as long as it may ask the model once more.
      history = requests + 1 < maxRequests ? yield* hear(options, ended) : ended;
      if (history === ended) return 'end_turn';
      continue;
    }
    const results = await runTools(calls);
    history = yield* addResults([...asked, message], results);
    const verdict = repeated.judge(calls, results);
    if (verdict === 'stop') {
      yield { type: 'notice', ...REPEATED_NOTICE };
      return 'max_turn_requests';
    }
    if (verdict === 'tell') history = yield* tell(history, REPEATED);
  }
  signal.throwIfAborted();
  yield {
    type: 'notice',
    title: `The turn was ended after ${maxRequests} requests to the model`,
    description: 'That is the limit (`maxRequests`). Say "go on" to go on.',
  };
  return 'max_turn_requests';
}

function countedBefore({ countedTokens, history }: LoopOptions): CountedTokens | undefined {
  return countedTokens === undefined ? undefined : { tokens: countedTokens, messages: history.length - 1 };
}

/** The answer has been counted as well. */
function countedIn({ usage }: Answer, asked: History): CountedTokens | undefined {
  const tokens = usage.inputTokens + usage.outputTokens;
  return tokens === 0 ? undefined : { tokens, messages: asked.length + 1 };
}

/** The history with what the person has said meanwhile; the same when that is nothing. */
async function* hear({ messages }: LoopOptions, history: History): AsyncGenerator<LoopEvent, History> {
  const heard = messages?.() ?? [];
  for (const message of heard) yield { type: 'message', message };
  return heard.length === 0 ? history : [...history, ...heard];
}

/** The history with which a model goes on that has not come to an end. */
async function* goOn(asked: History, answer: Answer, gap: UnfinishedAnswer): AsyncGenerator<LoopEvent, History> {
  if (gap === 'empty') return yield* tell(asked, GO_ON.empty);
  const message = messageOf(answer);
  const calls = toolCallsOf(message);
  if (calls.length > 0) return yield* addResults([...asked, message], notRun(calls));
  return yield* tell([...asked, message], GO_ON.cut);
}

async function* addResults(history: History, results: readonly ToolResult[]): AsyncGenerator<LoopEvent, History> {
  const message: HistoryMessage = { role: 'tool', results };
  yield { type: 'message', message };
  return [...history, message];
}

async function* endEmpty(): AsyncGenerator<LoopEvent, StopReason> {
  yield { type: 'notice', title: 'The model said nothing', description: 'It was asked to go on, and did not.' };
  return 'end_turn';
}

/** Tells the model something that nobody said. */
async function* tell(history: History, text: string): AsyncGenerator<LoopEvent, History> {
  yield { type: 'note', text };
  return withNote(history, text);
}

async function* tellSituation({ situation }: LoopOptions, history: History): AsyncGenerator<LoopEvent, History> {
  const text = situation?.();
  if (text === undefined || text === lastSituation(history)) return history;
  return yield* tell(history, text);
}

interface Asked {
  readonly answer: Answer;
  /** What the answer was given to: the same, or less where the model found it too long or refused it. */
  readonly history: History;
}

async function* askModel(options: LoopOptions, history: History): AsyncGenerator<LoopEvent, Asked> {
  const { request, makeRoom } = options;
  try {
    return { answer: yield* streamAnswer(options, { ...request(), messages: history }), history };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (error.code !== 'context_too_long') return yield* askRepaired(options, history, error);
    // Nobody knows every window, and providers count differently: what they refuse as too long is shortened once.
    const shorter = (await makeRoom?.(history, { must: true })) ?? history;
    if (shorter === history) throw error;
    const messages = yield* tellSituation(options, shorter);
    return { answer: yield* streamAnswer(options, { ...request(), messages }), history: messages };
  }
}

/** A refused history would be refused for ever, so it is tried once more with what may be the reason left out. */
async function* askRepaired(
  options: LoopOptions,
  history: History,
  refusal: ModelError,
): AsyncGenerator<LoopEvent, Asked> {
  for (const level of repairsFor(refusal, history)) {
    const messages = repairRefused(history, level);
    const answer = streamAnswer(options, { ...options.request(), messages });
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
  return yield* askShortened(options, history, refusal);
}

/** More than this may be what was refused, in words that nobody knows yet. */
const LONG_TOKENS = 20_000;

/** A long conversation that is refused however it is put may just be too long. */
async function* askShortened(
  options: LoopOptions,
  history: History,
  refusal: ModelError,
): AsyncGenerator<LoopEvent, Asked> {
  const isLong = refusal.code === 'invalid_request' && estimateTokens(history) > LONG_TOKENS;
  const shorter = isLong ? await options.makeRoom?.(history, { must: true, wasRefused: true }) : undefined;
  if (shorter === undefined || shorter === history) throw refusal;
  const messages = yield* tellSituation(options, shorter);
  return { answer: yield* streamAnswer(options, { ...options.request(), messages }), history: messages };
}

function isRetry(event: LoopEvent): boolean {
  return event.type === 'model' && event.event.type === 'retry';
}

/** Streams one answer. What has arrived becomes part of the history even when the stream breaks or is aborted. */
async function* streamAnswer(
  { model, signal, onSilence, silenceMs = DEFAULT_SILENCE_MS }: LoopOptions,
  request: ModelRequest,
): AsyncGenerator<LoopEvent, Answer> {
  let answer = EMPTY_ANSWER;
  using watch = onSilence && new SilenceWatch({ silenceMs, onSilence });
  try {
    for await (const event of model.stream(request, { signal })) {
      watch?.heard();
      if (event.type === 'retry') watch?.expectNothing();
      answer = applyModelEvent(answer, event);
      yield { type: 'model', event };
    }
  } catch (error) {
    if (answer.content.length > 0) yield { type: 'message', message: messageOf(answer), usage: answer.usage };
    throw error;
  }
  const { usage } = answer;
  if (unfinished(answer) === 'empty') yield { type: 'empty', usage };
  else yield { type: 'message', message: messageOf(answer), usage };
  return answer;
}
