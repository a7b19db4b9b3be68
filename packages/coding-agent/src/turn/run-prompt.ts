import { type Turn, TurnError } from '@parley/agent';
import type { ModelOffer } from '@parley/models/discovery';
import type { Model, Usage } from '@parley/models/model';
import { ModelError, type ToolCallPart, toolCallsOf, type UserMessage, withNote } from '@parley/models/model';
import type { ContentBlock } from '@parley/protocol';
import type { StopReason } from '@parley/session';
import { type RepairLevel, repairRefused } from '../loop/abridge.ts';
import { isAlmostFull } from '../loop/compact.ts';
import { answerRecord, DROPPED_MARK, repairMark, situationMark, unshownRecord } from '../loop/log-marks.ts';
import { partsOfPrompt } from '../loop/prompt-parts.ts';
import { type LoopEvent, type LoopOptions, runLoop } from '../loop/run-loop.ts';
import type { TaskOperations } from '../operations/operations.ts';
import type { WebOptions } from '../operations/web/web.ts';
import type { CodingSession } from '../session/coding-session.ts';
import { tokensOf } from '../session/usage-count.ts';
import type { FileChange } from '../tools/tool.ts';
import { AnnouncedCalls } from './announced-calls.ts';
import { compactSession } from './compact-session.ts';
import { modelRequestFor, situationFor } from './model-request.ts';
import { nameSession } from './name-session.ts';
import { notifyPerson } from './notify-person.ts';
import { operationsFor } from './operations-for.ts';
import { RetryNotice } from './retry-notice.ts';
import { runToolCalls } from './run-tool-calls.ts';
import { sessionOperations } from './session-operations.ts';
import { showModelEvent, showSilence, showUsage } from './show-model-event.ts';

export interface PromptContext {
  readonly turn: Turn;
  /** What the model is asked; a slash command may put it in other words than the person did. */
  readonly content: readonly ContentBlock[];
  readonly coding: CodingSession;
  readonly model: Model;
  readonly offer: ModelOffer;
  readonly maxRequests: number;
  readonly silenceMs?: number | undefined;
  readonly now: () => Date;
  readonly web?: WebOptions;
  /** Runs the sub-agents of the turn, and reports the files that they change. */
  readonly tasks: (onChange: (changes: readonly FileChange[]) => void) => TaskOperations;
}

/** Answers one prompt with the model: what streams is shown, what it calls is run, what it cost is counted. */
export async function runPrompt(context: PromptContext): Promise<StopReason> {
  const { turn, coding, model } = context;
  const prompt: UserMessage = { role: 'user', content: partsOfPrompt(context.content, turn.session) };
  const before = [...(await coding.history(turn.id))];
  coding.replaceHistory([...before, prompt]);
  nameSession(turn);

  const announced = new AnnouncedCalls({ turn, tools: () => coding.tools });
  const retries = new RetryNotice(turn);
  const answers: Answers = { count: 0, calls: [], shown: new Set(), announced, retries };
  const changes: FileChange[] = [];
  const onChange = (each: readonly FileChange[]): void => void changes.push(...each);
  const operations = operationsFor(context, {
    session: sessionOperations(turn, () => answers.count),
    tasks: context.tasks(onChange),
  });
  const onShown = (id: string): void => void answers.shown.add(id);
  const runner = {
    turn,
    tools: () => coding.tools,
    operations,
    onChange,
    onShown,
    hooks: coding.hooks,
    announced: (id: string) => announced.take(id),
  };
  const loop = runLoop({
    model,
    history: [...before, prompt],
    request: () => modelRequestFor(context),
    situation: () => situationFor(context),
    messages: () =>
      turn.takeMessages().map(({ content }) => ({ role: 'user', content: partsOfPrompt(content, turn.session) })),
    notes: () => coding.nested.take(),
    runTools: (calls) => runToolCalls({ ...runner, answer: answers.count }, calls),
    makeRoom: createCompaction(context),
    countedTokens: coding.countedTokens,
    maxRequests: context.maxRequests,
    onSilence: (silentMs) => showSilence(turn, silentMs),
    silenceMs: context.silenceMs,
    signal: turn.signal,
  });
  try {
    for (;;) {
      const next = await loop.next();
      if (!next.done) {
        const slow = applyLoopEvent(context, next.value, answers);
        if (slow) await slow;
        continue;
      }
      // The protocol wants a refused prompt, and all that came of it, forgotten.
      if (next.value === 'refusal') coding.replaceHistory(before);
      return next.value;
    }
  } catch (error) {
    coding.wasRefused ||= error instanceof ModelError && error.code === 'invalid_request';
    retries.close(error instanceof ModelError);
    if (error instanceof ModelError) throw new TurnError(error.message, { cause: error, data: { kind: error.code } });
    throw error;
  } finally {
    announced.close();
    retries.close();
    coding.recordChanges(changes);
  }
}

/** The answers of a turn so far: how many, and which calls of the last one the person was shown. */
interface Answers {
  count: number;
  calls: readonly ToolCallPart[];
  shown: Set<string>;
  /** The calls of the answer that is being written, as the person sees them. */
  readonly announced: AnnouncedCalls;
  /** What has kept the model from answering, as the person was told. */
  readonly retries: RetryNotice;
}

function applyLoopEvent(context: PromptContext, event: LoopEvent, answers: Answers): void | Promise<void> {
  const { turn, coding } = context;
  switch (event.type) {
    case 'model':
      answers.announced.follow(event.event);
      if (event.event.type === 'remark') return notifyPerson(turn, event.event);
      if (event.event.type !== 'retry') return showModelEvent(turn, event.event);
      // What came of the answer so far stays with the person alone.
      if (event.event.hasShown) void recordInLog(turn, { ...DROPPED_MARK });
      return answers.retries.tell(event.event);
    case 'note':
      coding.changeHistory((history) => withNote(history, event.text));
      return recordInLog(turn, situationMark(event.text));
    case 'empty':
      countUsage(context, event.usage);
      return recordInLog(turn, { ...DROPPED_MARK });
    case 'notice':
      return notifyPerson(turn, event);
    case 'repaired':
      coding.changeHistory((history) => repairRefused(history, event.level));
      void recordInLog(turn, repairMark(event.level));
      return notifyPerson(turn, {
        title: 'The model refused the conversation, and took it with something left out',
        description: LEFT_OUT[event.level],
      });
    case 'message':
      return applyMessage(context, event, answers);
  }
}

const LEFT_OUT: Readonly<Record<RepairLevel, string>> = {
  thoughts: 'Its own earlier thoughts; they no longer fit what stands before them.',
  abridged: 'Its own earlier thoughts, images and recordings, and most of each long result.',
};

function applyMessage(context: PromptContext, event: Extract<LoopEvent, { type: 'message' }>, answers: Answers): void {
  const { turn, coding } = context;
  const { message } = event;
  coding.remember(message);
  if (message.role === 'tool' || (message.role === 'assistant' && toolCallsOf(message).length === 0)) {
    answers.announced.close();
  }
  if (message.role === 'tool') {
    const record = unshownRecord(answers.calls, message.results, answers.shown);
    if (record) void recordInLog(turn, record);
  }
  if (message.role === 'assistant') {
    coding.wasRefused = false;
    const next = { count: answers.count + 1, calls: toolCallsOf(message), shown: new Set<string>() };
    Object.assign(answers, next);
    answers.retries.close();
    const record = answerRecord(message, answers.count);
    if (record) void recordInLog(turn, record);
  }
  if (event.usage) countUsage(context, event.usage);
}

function countUsage({ turn, coding, model, offer }: PromptContext, usage: Usage): void {
  coding.countedTokens = usage.inputTokens + usage.outputTokens || undefined;
  coding.usage.add(usage, offer.price);
  turn.addTokens(tokensOf(usage));
  showUsage(turn, usage, coding.usage, model.contextWindow ?? offer.contextWindow);
}

/** Writes something into the log that nobody is shown. */
function recordInLog(turn: Turn, meta: Record<string, unknown>): void | Promise<void> {
  return turn.update({ type: 'info', meta });
}

/** Shortens the history where it is needed. What could not be shortened once in a turn is not tried again in it. */
function createCompaction(context: PromptContext): NonNullable<LoopOptions['makeRoom']> {
  const { model, offer, turn, coding } = context;
  let hasFailed = false;
  return async (history, { must, counted, wasRefused }) => {
    coding.wasRefused ||= wasRefused === true;
    const request = modelRequestFor(context);
    const { contextWindow } = model;
    if (!must && (hasFailed || !isAlmostFull(history, { request, contextWindow, counted }))) return history;
    const shortened = await compactSession({ turn, coding, model, offer, history, request, isRunning: true });
    const { history: shorter, because } = shortened;
    hasFailed = because !== undefined;
    return shorter;
  };
}
