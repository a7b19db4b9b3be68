import type { Clock } from '../clock.ts';
import type { AgentEnd } from '../errors.ts';
import { AgentError } from '../errors.ts';
import type { Deadlines, Phase, PhaseEvent } from '../phase.ts';

export interface PhaseContext {
  readonly agent: string;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly onPhase: (event: PhaseEvent) => void;
  readonly inspect: () => AgentEnd;
  /** Whether we do not read from the agent: its deadline does not pass meanwhile. */
  readonly isPaused?: () => boolean;
  /** Gives the phase up before its deadline. */
  readonly signal?: AbortSignal | undefined;
}

/** Does the work of a phase, tells how it goes, and gives up at the deadline. The work must end when its signal aborts. */
export async function runPhase<Result>(
  phase: Phase,
  context: PhaseContext,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { agent, clock, onPhase, inspect, isPaused = () => false, signal } = context;
  signal?.throwIfAborted();
  const deadlineMs = context.deadlines[phase];
  const startedAt = clock.now();
  const controller = new AbortController();
  const report = (status: PhaseEvent['status'], extra: Partial<PhaseEvent> = {}): void =>
    onPhase({ phase, status, agent, deadlineMs, elapsedMs: clock.now() - startedAt, ...extra });

  let cancelTick = (): void => {};
  const tick = (delayMs: number): void => {
    cancelTick = clock.after(delayMs, () => {
      const { stderrTail } = inspect();
      report('waiting', stderrTail === undefined ? {} : { stderrTail });
      tick(WAITING_EVERY_MS);
    });
  };
  let giveUp = (_reason: unknown): void => {};
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = (reason) => {
      controller.abort(reason);
      reject(reason);
    };
  });
  const onAbort = (): void => giveUp(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  let cancelDeadline = (): void => {};
  const setDeadline = (): void => {
    cancelDeadline = clock.after(deadlineMs, () => {
      if (isPaused()) setDeadline();
      else giveUp(deadlineError(phase, agent, deadlineMs, inspect()));
    });
  };

  report('started');
  if (deadlineMs !== Number.POSITIVE_INFINITY) setDeadline();
  tick(FIRST_WAITING_MS);
  try {
    const result = await Promise.race([work(controller.signal), givenUp]);
    report('done');
    return result;
  } catch (error) {
    report('failed', { error });
    throw error;
  } finally {
    cancelTick();
    cancelDeadline();
    signal?.removeEventListener('abort', onAbort);
  }
}

const FIRST_WAITING_MS = 1000;
const WAITING_EVERY_MS = 5000;

function deadlineError(phase: Phase, agent: string, deadlineMs: number, end: AgentEnd): AgentError {
  const what = phase === 'spawn' ? 'did not start' : `did not answer ${phase}`;
  const noise = end.noiseLines
    ? ` It wrote ${end.noiseLines} lines that are not ACP messages; is it an ACP agent, and does it need a flag such as --acp?`
    : '';
  const message = `${agent} ${what} within ${deadlineMs / 1000} s. Raise the deadline if it is only slow.${noise}`;
  return new AgentError({ code: 'deadline_passed', message, agent, phase, end });
}
