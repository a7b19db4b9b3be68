import { createPromptId, type Prompt } from '../turn/prompt.ts';
import type { TurnOutcome } from '../turn/run-turn.ts';
import { isKept, outcomeOf, untilAborted } from './follow-turn.ts';
import type { LiveSession } from './live-session.ts';
import type { OwnerRequests } from './owner-requests.ts';
import type { PromptOptions } from './prompt-options.ts';
import { requireTurns } from './turns.ts';

/** A session that other processes can have too. */
export type SharedSession = LiveSession & { readonly requests: OwnerRequests };

export function isShared(session: LiveSession): session is SharedSession {
  return session.requests !== undefined;
}

/** Appends the prompt to the log; the owner of the session runs it, in this process or another. */
export async function runThroughLog(
  session: SharedSession,
  prompt: Prompt,
  options: PromptOptions,
): Promise<TurnOutcome> {
  const { requests } = session;
  const { promptId = createPromptId(), content, meta } = prompt;
  const { peer, by, signal, cancelled, whenClientLeaves, whenBusy } = options;
  const steers = whenBusy === 'steer' && session.definition.isSteerable && { steers: true };
  // One that is there already may be asked for again.
  if (!(await requests.knows(promptId))) requireTurns(session.definition);
  // What was withdrawn by now never gets into the log.
  signal.throwIfAborted();
  if (cancelled.aborted) return { stopReason: 'cancelled' };
  const withdrawal = new AbortController();
  const process = session.log.newOwner();
  const input = { type: 'prompt' as const, promptId, content, by, process, ...(meta && { meta }), ...steers };
  const withdrawHere = session.turns.asked.add(promptId, peer);
  const withdraw = (reason?: unknown): void => {
    if (steers) session.turns.waiting.refuse(promptId);
    withdrawHere();
    withdrawal.abort(reason);
    session.turns.find(promptId)?.turn.cancel();
  };
  const onCancel = (): void => withdraw();
  const onAbort = (): void => {
    if (!isKept(signal, whenClientLeaves)) withdraw(signal.reason);
  };
  signal.addEventListener('abort', onAbort);
  cancelled.addEventListener('abort', onCancel);
  try {
    const onStarted = (turnId: string): void => options.onInserted?.(promptId, turnId);
    const running = requests.prompt(input, { signal: withdrawal.signal, onStarted });
    const forget = (): void => session.turns.asked.remove(promptId);
    running.then(forget, forget);
    const end = await untilAborted(running, signal);
    await session.whenSeen(peer);
    const { tokens, ...outcome } = outcomeOf(end);
    // What a turn used is told to who began it.
    return tokens && end.turnId === promptId ? { ...outcome, tokens } : outcome;
  } finally {
    signal.removeEventListener('abort', onAbort);
    cancelled.removeEventListener('abort', onCancel);
  }
}
