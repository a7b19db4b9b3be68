import type { Writable } from 'node:stream';
import type { AgentConnection } from '@parley/client';
import { needsRoom, untilRoom } from '@parley/host/output';
import type { RunOutput } from './run-output.ts';

export interface OutputGateOptions {
  readonly stdout: Writable;
  /** Resolves when the log has what was received so far, where there is a log; undefined when it has. Messages wait for it. */
  readonly whenSaved?: (() => Promise<unknown> | undefined) | undefined;
  /** The run is to end: nobody is waited for any longer. */
  readonly signal: AbortSignal;
}

/** An output that is told things no faster than they can be kept and read. */
export interface OutputGate extends RunOutput {
  /** The agent whose messages come; it is slowed down while we cannot keep up. */
  slowsDown(agent: Slowed): void;
  /** Resolves when everything was passed on. */
  settled(): Promise<void>;
}

type Slowed = Pick<AgentConnection, 'pause' | 'resume'>;

/** How much may wait to be passed on before the agent is slowed down. */
const MAX_WAITING = 256;

/**
 * Passes on what happens in a run, in order: each thing after it was written down, and while nobody reads stdout nothing
 * more is taken from the agent.
 */
export function createOutputGate(output: RunOutput, { stdout, whenSaved, signal }: OutputGateOptions): OutputGate {
  let waiting: (() => void)[] = [];
  let passing: Promise<void> | undefined;
  let agent: Slowed | undefined;

  const pass = (show: () => void): void => {
    if (passing || whenSaved) {
      waiting.push(show);
      if (waiting.length >= MAX_WAITING && !signal.aborted) agent?.pause();
    } else {
      show();
      if (!needsRoom(stdout)) return;
    }
    passing ??= passOn();
  };
  const passOn = async (): Promise<void> => {
    // A message is seen before it is dispatched: what it tells reaches the record only after this.
    await undefined;
    for (;;) {
      await room();
      const batch = waiting;
      waiting = [];
      if (batch.length === 0) break;
      // An error comes out at the end of the run; the person should see the answer all the same.
      await whenSaved?.()?.catch(() => {});
      for (const show of batch) {
        show();
        if (needsRoom(stdout)) await room();
      }
    }
    passing = undefined;
    agent?.resume();
  };
  const room = async (): Promise<void> => {
    if (!needsRoom(stdout)) return;
    if (!signal.aborted) agent?.pause();
    await untilRoom(stdout, signal);
  };
  // The answer to a cancel must be read, whoever does not read ours.
  signal.addEventListener('abort', () => agent?.resume());

  return {
    ...output,
    onMessage: (direction, message) => pass(() => output.onMessage(direction, message)),
    onSession: (sessionId, agent) => pass(() => output.onSession(sessionId, agent)),
    onEvent: (event, transcript) => pass(() => output.onEvent(event, transcript)),
    slowsDown(slowed) {
      agent = slowed;
    },
    async settled() {
      while (passing) await passing;
    },
  };
}
