import type { Turn } from '@parley/agent';
import type { ModelOffer } from '@parley/models/discovery';
import type { Model, ModelRequest, Usage } from '@parley/models/model';
import { ModelError, textOf, toolCallsOf } from '@parley/models/model';
import type { StopReason } from '@parley/session';
import { compactHistory, estimateTokens, isAlmostFull } from '../loop/compact.ts';
import { type LoopEvent, type LoopOptions, runLoop } from '../loop/run-loop.ts';
import type { AgentCallOutcome, Operations, TaskRequest } from '../operations/operations.ts';
import type { NestedInstructions } from '../prompt/nested-instructions.ts';
import type { CodingSession } from '../session/coding-session.ts';
import { tokensOf } from '../session/usage-count.ts';
import type { FileChange } from '../tools/tool.ts';
import { runToolCalls } from '../turn/run-tool-calls.ts';
import { NestedTurn } from './nested-turn.ts';
import { taskTools } from './task-kinds.ts';
import { taskRequestFor, taskSituationFor } from './task-request.ts';

export interface TaskContext {
  readonly turn: Turn;
  readonly coding: CodingSession;
  readonly model: Model;
  readonly offer: ModelOffer;
  readonly maxRequests: number;
  readonly now: () => Date;
  /** What its tools touch the world with; it has seen no file yet. */
  readonly operations: Operations;
  /** What the project says about the folders that it sees. */
  readonly nested: NestedInstructions;
  /** Told what became of a file. */
  readonly onChange: (changes: readonly FileChange[]) => void;
}

/** What a sub-agent has done so far. */
interface TaskProgress {
  requests: number;
  toolCalls: number;
  /** Its last words. */
  said: string;
  /** Its model is asked once more for the same answer. */
  isTrying: boolean;
}

/** Runs one sub-agent to its end: its words go into the parent's call, its calls below it, what it costs is the parent's. */
export async function runTask(context: TaskContext, task: TaskRequest): Promise<AgentCallOutcome> {
  const { turn, coding, model, maxRequests, operations, onChange } = context;
  const { kind, prompt, callId, signal } = task;
  using nested = new NestedTurn(turn, { name: kind, parentId: callId, signal });
  const tools = () => taskTools(kind, coding.tools);
  const request = taskRequestFor({ turn, coding, kind, tools: tools(), callId });
  const progress: TaskProgress = { requests: 0, toolCalls: 0, said: '', isTrying: false };
  const { hooks } = coding;
  const runner = { turn: nested, tools, operations, answer: 0, onChange, onShown: () => {}, hooks };
  const loop = runLoop({
    model,
    history: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
    request: () => request,
    situation: () => taskSituationFor(context),
    notes: () => context.nested.take(),
    runTools: (calls) => runToolCalls(runner, calls),
    makeRoom: createTaskCompaction(context, request, signal),
    maxRequests,
    signal,
  });
  try {
    for (;;) {
      const next = await loop.next();
      if (next.done) return describeEnd(task, progress, next.value);
      applyTaskEvent(context, task, progress, next.value);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    const words = progress.said === '' ? '' : `${progress.said}\n\n`;
    return { text: `${words}[${kind} could not go on: ${error.message}]`, isError: true };
  }
}

function applyTaskEvent(context: TaskContext, task: TaskRequest, progress: TaskProgress, event: LoopEvent): void {
  if (event.type === 'model') {
    if (event.event.type === 'text') task.onText(event.event.text);
    if (event.event.type === 'retry' && !progress.isTrying)
      task.onText('\n[The model did not answer; trying again.]\n');
    progress.isTrying = event.event.type === 'retry' || (progress.isTrying && event.event.type !== 'stop');
  }
  if (event.type === 'empty') countUsage(context, event.usage);
  if (event.type !== 'message') return;
  const { message, usage } = event;
  if (usage) countUsage(context, usage);
  if (message.role !== 'assistant') return;
  progress.requests++;
  progress.toolCalls += toolCallsOf(message).length;
  const said = textOf(message.content).trim();
  if (said === '') return;
  progress.said = said;
  task.onText('\n\n');
}

function describeEnd({ kind }: TaskRequest, progress: TaskProgress, stopReason: StopReason): AgentCallOutcome {
  const { requests, toolCalls, said } = progress;
  const isWhole = stopReason === 'end_turn';
  const end = isWhole
    ? `${kind} ended after ${requests} requests and ${toolCalls} tool calls.`
    : `${kind} was ended (${stopReason}) after ${requests} requests and ${toolCalls} tool calls; what it said may be incomplete.`;
  return {
    text: `${said === '' ? `${kind} said nothing.` : said}\n\n[${end}]`,
    isError: !isWhole,
    rawOutput: { kind, stopReason, requests, toolCalls },
  };
}

/** The window of the parent is no fuller by it, but the person pays for it. */
function countUsage({ turn, coding, offer }: TaskContext, usage: Usage): void {
  coding.usage.add(usage, offer.price);
  turn.addTokens(tokensOf(usage));
}

/** Shortens the sub-agent's history when its window fills up. Nobody is shown it; what cannot be shortened stays. */
function createTaskCompaction(
  context: TaskContext,
  request: Omit<ModelRequest, 'messages'>,
  signal: AbortSignal,
): NonNullable<LoopOptions['makeRoom']> {
  const { model } = context;
  let hasFailed = false;
  return async (history, { must, counted, wasRefused = false }) => {
    const { contextWindow } = model;
    if (!must && (hasFailed || !isAlmostFull(history, { request, contextWindow, counted }))) return history;
    try {
      const shorter = await compactHistory({ model, history, request, signal, wasRefused, isRunning: true });
      countUsage(context, shorter.usage);
      hasFailed = shorter.summary === '' || estimateTokens(shorter.history) >= estimateTokens(history);
      return hasFailed ? history : shorter.history;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError)) throw error;
      hasFailed = true;
      return history;
    }
  };
}
