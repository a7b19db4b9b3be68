import { queuedPrompts } from '@parley/session';
import { findPrompt } from '@parley/session/log';
import { isOwnedElsewhere } from '../refusals.ts';
import type { TurnOutcome } from '../turn/run-turn.ts';
import type { Prompt } from '../turn/running-turn.ts';
import { followTurn, isKept, outcomeOf, untilAborted } from './follow-turn.ts';
import type { LiveSession } from './live-session.ts';
import type { OwnerRequests } from './owner-requests.ts';
import type { PromptOptions } from './prompt-options.ts';
import { requireTurns } from './turns.ts';
import { waitForTurn } from './wait-for-turn.ts';

/**
 * Has a prompt run in a session, and follows its turn to the end. A plain prompt begins before this first waits, so that what
 * follows on the wire finds the turn running. A prompt with an id of its own runs once, however often it is asked for.
 */
export function runPrompt(session: LiveSession, prompt: Prompt, options: PromptOptions): Promise<TurnOutcome> {
  const { requests, turns } = session;
  // Where nobody else can have the session, what runs here is all that runs.
  if (options.whenBusy !== 'refuse' && !requests) return waitForTurn(session, prompt, options);
  if (options.whenBusy === 'steer' && requests) return runThroughLog(session, requests, withId(prompt), options);
  if (prompt.id !== undefined) return runOnce(session, withId(prompt), options);
  if (options.whenBusy === 'queue') return runWhenFree(session, prompt, options);
  // A client that was told the end of a turn may prompt at once, although the last of that turn is still being put away.
  if (turns.running?.isOver) {
    return untilAborted(turns.ended, options.signal).then(() => runPrompt(session, prompt, options));
  }
  return followTurn(turns.start(prompt, options.peer), options);
}

function withId(prompt: Prompt): Prompt & { readonly id: string } {
  return { ...prompt, id: prompt.id ?? crypto.randomUUID().slice(0, 13) };
}

async function runWhenFree(session: LiveSession, prompt: Prompt, options: PromptOptions): Promise<TurnOutcome> {
  const { signal, cancelled, peer } = options;
  for (;;) {
    signal.throwIfAborted();
    if (cancelled.aborted) return { stopReason: 'cancelled' };
    if (session.isRunning) await untilAborted(Promise.race([session.turns.ended, whenAborted(cancelled)]), signal);
    else if (session.requests && (await mustWait(session))) {
      return runThroughLog(session, session.requests, withId(prompt), options);
    } else if (!session.isRunning && !cancelled.aborted) {
      try {
        return await followTurn(session.turns.start(prompt, peer), options);
      } catch (error) {
        // Another process was faster; now the prompt waits for it.
        if (!isOwnedElsewhere(error)) throw error;
      }
    }
  }
}

/** Whether another process works in the session, or an older prompt waits in its log. */
async function mustWait({ shared }: LiveSession): Promise<boolean> {
  return ((await shared?.catchUp()) ?? false) || queuedPrompts(shared?.progress).length > 0;
}

async function runOnce(
  session: LiveSession,
  prompt: Prompt & { readonly id: string },
  options: PromptOptions,
): Promise<TurnOutcome> {
  if (session.requests) return runThroughLog(session, session.requests, prompt, options);
  const { id } = prompt;
  const running = session.turns.find(id);
  if (running) return followTurn(running, options);
  await session.settle();
  const { end, turnId } = await findPrompt({ log: session.log, sessionId: session.id, promptId: id });
  if (end) {
    options.onInserted?.(id, turnId);
    return outcomeOf(end);
  }
  if (options.cancelled.aborted) return { stopReason: 'cancelled' };
  return followTurn(session.turns.find(id) ?? session.turns.start(prompt, options.peer), options);
}

/** The prompt is an entry of the log, and whoever owns the session runs it: another process, or this one. */
async function runThroughLog(
  session: LiveSession,
  requests: OwnerRequests,
  { id, content, meta }: Prompt & { readonly id: string },
  options: PromptOptions,
): Promise<TurnOutcome> {
  const { peer, by, signal, cancelled, whenClientLeaves, whenBusy } = options;
  const steers = whenBusy === 'steer' && session.definition.isSteerable && { steers: true };
  // One that is there already may be asked for again.
  if (!(await requests.knows(id))) requireTurns(session.definition);
  // What was withdrawn by now never gets into the log.
  signal.throwIfAborted();
  if (cancelled.aborted) return { stopReason: 'cancelled' };
  const withdrawal = new AbortController();
  const process = session.log.newOwner();
  const input = { type: 'prompt' as const, promptId: id, content, by, process, ...(meta && { meta }), ...steers };
  const asked = session.turns.expect(id, peer);
  const withdraw = (reason?: unknown): void => {
    if (steers) session.turns.waiting.refuse(id);
    asked.isWithdrawn = true;
    withdrawal.abort(reason);
    session.turns.find(id)?.turn.cancel();
  };
  const onCancel = (): void => withdraw();
  const onAbort = (): void => {
    if (!isKept(signal, whenClientLeaves)) withdraw(signal.reason);
  };
  signal.addEventListener('abort', onAbort);
  cancelled.addEventListener('abort', onCancel);
  try {
    const onStarted = (turnId: string): void => options.onInserted?.(id, turnId);
    const running = requests.prompt(input, { signal: withdrawal.signal, onStarted });
    const forget = (): void => session.turns.forget(id);
    running.then(forget, forget);
    const end = await untilAborted(running, signal);
    await session.whenSeen(peer);
    const { tokens, ...outcome } = outcomeOf(end);
    // What a turn used is told to who began it.
    return tokens && end.turnId === id ? { ...outcome, tokens } : outcome;
  } finally {
    signal.removeEventListener('abort', onAbort);
    cancelled.removeEventListener('abort', onCancel);
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
