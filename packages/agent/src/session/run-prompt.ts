import { queuedPrompts } from '@parley/session';
import { findPrompt } from '@parley/session/log';
import { isOwnedElsewhere } from '../refusals.ts';
import { hasPromptId, type IdentifiedPrompt, type Prompt } from '../turn/prompt.ts';
import type { TurnOutcome } from '../turn/run-turn.ts';
import { followTurn, outcomeOf, untilAborted } from './follow-turn.ts';
import type { LiveSession } from './live-session.ts';
import type { PromptOptions, WhenBusy } from './prompt-options.ts';
import { isShared, runThroughLog, type SharedSession } from './run-through-log.ts';
import { waitForTurn } from './wait-for-turn.ts';

/** One way in which a prompt gets its turn. */
type Way<Session, Given extends Prompt> = (
  session: Session,
  prompt: Given,
  options: PromptOptions,
) => Promise<TurnOutcome>;

/** The ways of prompts in a session, by what becomes of a prompt while a turn runs. */
type Ways<Session> = {
  readonly [Busy in WhenBusy]: {
    readonly withoutId: Way<Session, Prompt>;
    /** A prompt with an id of its own runs once, however often it is asked for. */
    readonly withId: Way<Session, IdentifiedPrompt>;
  };
};

/** Where no other process can have the session, all that runs in it runs here. */
const ALONE: Ways<LiveSession> = {
  refuse: { withoutId: runAtOnce, withId: runOnce },
  queue: { withoutId: waitForTurn, withId: waitForTurn },
  steer: { withoutId: waitForTurn, withId: waitForTurn },
};

const SHARED: Ways<SharedSession> = {
  refuse: { withoutId: runAtOnce, withId: runThroughLog },
  queue: { withoutId: runWhenFree, withId: runThroughLog },
  steer: { withoutId: runThroughLog, withId: runThroughLog },
};

/**
 * Has a prompt run in a session, and follows its turn to the end. A plain prompt begins before this first waits, so that what
 * follows on the wire finds the turn running.
 */
export function runPrompt(session: LiveSession, prompt: Prompt, options: PromptOptions): Promise<TurnOutcome> {
  return isShared(session) ? runIn(SHARED, session, prompt, options) : runIn(ALONE, session, prompt, options);
}

function runIn<Session>(
  ways: Ways<Session>,
  session: Session,
  prompt: Prompt,
  options: PromptOptions,
): Promise<TurnOutcome> {
  const { withoutId, withId } = ways[options.whenBusy];
  return hasPromptId(prompt) ? withId(session, prompt, options) : withoutId(session, prompt, options);
}

/** Begins a turn; refused while another one runs. */
function runAtOnce(session: LiveSession, prompt: Prompt, options: PromptOptions): Promise<TurnOutcome> {
  const { turns } = session;
  // A client that was told the end of a turn may prompt at once, although the last of that turn is still being put away.
  if (turns.running?.isOver) {
    return untilAborted(turns.ended, options.signal).then(() => runAtOnce(session, prompt, options));
  }
  return followTurn(turns.start(prompt, options.peer), options);
}

/** As `runAtOnce`; a prompt that ran before is answered from the log, and one that runs is followed. */
async function runOnce(session: LiveSession, prompt: IdentifiedPrompt, options: PromptOptions): Promise<TurnOutcome> {
  const { promptId } = prompt;
  const running = session.turns.find(promptId);
  if (running) return followTurn(running, options);
  await session.settle();
  const { end, turnId } = await findPrompt({ log: session.log, sessionId: session.id, promptId });
  if (end) {
    options.onInserted?.(promptId, turnId);
    return outcomeOf(end);
  }
  if (options.cancelled.aborted) return { stopReason: 'cancelled' };
  return followTurn(session.turns.find(promptId) ?? session.turns.start(prompt, options.peer), options);
}

/** Begins a turn as soon as none runs here; through the log where another process works in the session. */
async function runWhenFree(session: SharedSession, prompt: Prompt, options: PromptOptions): Promise<TurnOutcome> {
  const { signal, cancelled, peer } = options;
  for (;;) {
    signal.throwIfAborted();
    if (cancelled.aborted) return { stopReason: 'cancelled' };
    if (session.isRunning) await untilAborted(Promise.race([session.turns.ended, whenAborted(cancelled)]), signal);
    else if (await mustWait(session)) return runThroughLog(session, prompt, options);
    else if (!session.isRunning && !cancelled.aborted) {
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

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
