import { findPrompt } from '@parley/session/log';
import { createPromptId, type Prompt } from '../turn/prompt.ts';
import type { TurnOutcome } from '../turn/run-turn.ts';
import { followTurn, isKept, outcomeOf, untilAborted } from './follow-turn.ts';
import type { LiveSession } from './live-session.ts';
import type { PromptOptions } from './prompt-options.ts';
import type { StartedTurn } from './turns.ts';

/**
 * Runs a prompt when nothing runs any more, in a session that no other process can have; until then the turn that runs may take it,
 * with `steer`. The end of a turn is that of all prompts which it took. A prompt that need not wait begins before this first does.
 */
export async function waitForTurn(session: LiveSession, prompt: Prompt, options: PromptOptions): Promise<TurnOutcome> {
  const isSteered = options.whenBusy === 'steer' && session.definition.isSteerable;
  const { turns } = session;
  const { signal, cancelled, peer, whenClientLeaves } = options;
  const promptId = prompt.promptId ?? createPromptId();
  const identified = { ...prompt, promptId };
  const known = prompt.promptId === undefined ? undefined : await followKnown(session, promptId, options);
  if (known) return known.outcome;
  signal.throwIfAborted();
  if (cancelled.aborted) return { stopReason: 'cancelled' };
  if (!session.isRunning) return followTurn(turns.start({ ...identified, isSteered }, peer), options);
  const waiting = turns.waiting.find(promptId) ?? turns.waiting.add(identified, peer, isSteered);
  if (isSteered) turns.tellMessage();
  const withdraw = (): void => turns.waiting.withdraw(waiting);
  const onAbort = (): void => {
    if (!isKept(signal, whenClientLeaves)) withdraw();
  };
  cancelled.addEventListener('abort', withdraw);
  signal.addEventListener('abort', onAbort);
  if (cancelled.aborted) withdraw();
  if (signal.aborted) onAbort();
  try {
    const fate = await untilAborted(waiting.fate, signal);
    if (!fate) return { stopReason: 'cancelled' };
    const started = turns.startedOf(fate.turn);
    if (!fate.isTaken) return await followTurn(started, options);
    return await joinTurn(session, started, { ...options, promptId });
  } finally {
    cancelled.removeEventListener('abort', withdraw);
    signal.removeEventListener('abort', onAbort);
  }
}

/** A prompt that was asked for before, with the same id. */
async function followKnown(
  session: LiveSession,
  promptId: string,
  options: PromptOptions,
): Promise<{ readonly outcome: Promise<TurnOutcome> } | undefined> {
  const { turns, log } = session;
  const followRunning = (): { readonly outcome: Promise<TurnOutcome> } | undefined => {
    const own = turns.find(promptId);
    if (own) return { outcome: followTurn(own, options) };
    const taker = turns.waiting.takenBy(promptId);
    return taker && { outcome: joinTurn(session, turns.startedOf(taker), { ...options, promptId }) };
  };
  const running = followRunning();
  if (running) return running;
  if (turns.waiting.find(promptId)) return undefined;
  await session.settle();
  const { turnId, end } = await findPrompt({ log, sessionId: session.id, promptId });
  if (!end) return followRunning();
  options.onInserted?.(promptId, turnId);
  return { outcome: Promise.resolve(end).then(outcomeOf) };
}

/** The turn goes on without whoever sent something into it. What the turn used is told to who began it. */
async function joinTurn(
  session: LiveSession,
  { turn, outcome }: StartedTurn,
  { promptId, peer, signal, onInserted }: PromptOptions & { readonly promptId: string },
): Promise<TurnOutcome> {
  const seen = session.whenSeen(peer);
  if (seen) await untilAborted(seen, signal);
  onInserted?.(promptId, turn.id);
  const { tokens: _, ...ended } = await untilAborted(outcome, signal);
  return ended;
}
