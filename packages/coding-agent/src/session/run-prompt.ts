import { type Turn, TurnError } from '@parley/agent';
import { applyExitPlan, exitPlanOptions, isPermissionMode, type PermissionMode } from '@parley/policy';
import type { ContentBlock, StopReason } from '@parley/protocol';
import { compactHistory, estimateTokens, isAlmostFull } from '../loop/compact.ts';
import { partsOfContent } from '../loop/content-parts.ts';
import { runLoop } from '../loop/run-loop.ts';
import { costOf } from '../models/cost.ts';
import { ModelError } from '../models/errors.ts';
import type { History, UserMessage } from '../models/history.ts';
import type { Model, ModelEvent, ThinkingLevel } from '../models/model.ts';
import type { ModelOffer } from '../models/offer.ts';
import { createOperations } from '../operations/create-operations.ts';
import type { WebOptions } from '../operations/web.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import type { SessionOperations } from '../tools/operations.ts';
import type { FileBefore } from '../tools/tool.ts';
import type { CodingSession } from './coding-session.ts';
import { runToolCalls } from './run-tool.ts';

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
  const prompt: UserMessage = { role: 'user', content: context.content.flatMap(partsOfContent) };
  const before = await historyBefore(context);
  coding.replaceHistory([...before, prompt]);
  nameSession(turn);

  const changes: FileBefore[] = [];
  const operations = createOperations({
    client: turn.client,
    turn,
    files: coding.files,
    session: sessionOperations(context),
    ...(context.web && { web: context.web }),
    onBackground: (stop) => coding.keepRunning(stop),
  });
  const runner = {
    turn,
    tools: () => coding.tools,
    operations,
    onChange: (b: readonly FileBefore[]) => changes.push(...b),
  };
  const loop = runLoop({
    model,
    history: [...before, prompt],
    request: () => requestFor(context),
    runTools: (calls) => runToolCalls(runner, calls),
    makeRoom: (history) => makeRoom(context, history),
    maxRequests: context.maxRequests,
    signal: turn.signal,
  });
  try {
    for (;;) {
      const next = await loop.next();
      if (next.done) return next.value;
      if (next.value.type === 'message') coding.remember(next.value.message);
      else await showModelEvent(context, next.value.event);
    }
  } catch (error) {
    if (error instanceof ModelError) throw new TurnError(error.message, { cause: error, data: { kind: error.code } });
    throw error;
  } finally {
    coding.recordChanges(changes);
  }
}

/** The log already holds the current prompt, so a history that was just read from it ends with the prompt itself. */
async function historyBefore({ coding, turn }: PromptContext): Promise<History> {
  const history = await coding.history();
  const last = history.at(-1);
  const typed = turn.content.flatMap(partsOfContent);
  const isPromptLast = last?.role === 'user' && JSON.stringify(last.content) === JSON.stringify(typed);
  return isPromptLast ? history.slice(0, -1) : history;
}

function requestFor({ turn, coding, now }: PromptContext) {
  const { cwd, roots, options, id } = turn.session;
  const { thinking } = options;
  return {
    system: systemPrompt({
      cwd,
      roots,
      mode: coding.behaviour,
      platform: process.platform,
      date: now().toISOString().slice(0, 10),
      instructions: coding.instructions,
    }),
    tools: coding.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    cacheKey: id,
    ...(typeof thinking === 'string' && thinking !== 'default' && { thinking: thinking as ThinkingLevel }),
  };
}

/** A promise only when the client reads slowly or the log writes slowly. */
function showModelEvent({ turn, coding, offer }: PromptContext, event: ModelEvent): void | Promise<void> {
  switch (event.type) {
    case 'text':
      return event.text === '' ? undefined : turn.say(event.text);
    case 'thought':
      return event.text === '' ? undefined : turn.think(event.text);
    case 'retry':
      return turn.notice({
        severity: 'warning',
        title: `The model did not answer; trying again in ${(event.delayMs / 1000).toFixed(1)} s`,
        description: event.error.message,
      });
    case 'usage': {
      coding.addUsage(event.usage, costOf(event.usage, offer.price));
      const used = event.usage.inputTokens + event.usage.outputTokens;
      const cost = coding.cost > 0 ? { cost: { amount: coding.cost, currency: 'USD' } } : {};
      return turn.usage({ used, size: offer.contextWindow ?? used, ...cost });
    }
    default:
      return undefined;
  }
}

async function makeRoom(context: PromptContext, history: History): Promise<History> {
  const { model, turn, coding } = context;
  if (!isAlmostFull(history, model.contextWindow)) return history;
  return compactSession({ turn, coding, model, history });
}

/** Shortens the model's history, and tells the person that it happens. */
export async function compactSession(options: {
  readonly turn: Turn;
  readonly coding: CodingSession;
  readonly model: Model;
  readonly history: History;
}): Promise<History> {
  const { turn, coding, model, history } = options;
  const compaction = turn.compaction();
  try {
    const system = 'You summarize conversations between a person and a coding agent.';
    const compacted = await compactHistory({ model, history, system, signal: turn.signal });
    if (estimateTokens(compacted.history) >= estimateTokens(history)) {
      compaction.fail('The summary would not be shorter.');
      return history;
    }
    compaction.complete(compacted.summary);
    coding.replaceHistory(compacted.history);
    return compacted.history;
  } catch (error) {
    if (turn.signal.aborted) compaction.cancel();
    else compaction.fail(error instanceof Error ? error.message : String(error));
    turn.signal.throwIfAborted();
    return history;
  }
}

function sessionOperations({ turn, coding }: PromptContext): SessionOperations {
  return {
    plan: (entries) => void turn.plan(entries),
    think: (text) => void turn.think(text),
    async exitPlanMode(plan) {
      const call = turn.toolCall({ title: 'Carry out this plan?', kind: 'switch_mode', text: plan });
      const { allowed, optionId } = await turn.askPermission(call, { options: exitPlanOptions() });
      const state = { behaviour: coding.behaviour, permission: permissionModeOf(turn.session.options.permissions) };
      const next = optionId === undefined ? state : applyExitPlan(state, optionId);
      if (!allowed || next === state) {
        call.fail('Keep planning.');
        return false;
      }
      call.complete();
      turn.mode(next.behaviour);
      turn.option('permissions', next.permission);
      return true;
    },
  };
}

export function permissionModeOf(value: unknown): PermissionMode {
  return typeof value === 'string' && isPermissionMode(value) ? value : 'default';
}

/** A session is called what its first prompt says, until somebody calls it something else. */
function nameSession(turn: Turn): void {
  if (turn.session.title !== null) return;
  const [line = ''] = turn.text.trim().split('\n');
  if (line !== '') turn.title(line.length > 60 ? `${line.slice(0, 57).trimEnd()}...` : line);
}
