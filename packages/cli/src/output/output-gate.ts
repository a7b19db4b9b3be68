import type { Writable } from 'node:stream';
import type { AgentConnection } from '@parley/client';
import { needsRoom, untilRoom } from '@parley/host/output';
import type { RunOutput } from './run-output.ts';

export interface OutputGateOptions {
  readonly stdout: Writable;
  /** Writes down what was told so far, where a run is kept; undefined when all of it is. What is shown waits for it. */
  readonly save?: (() => Promise<void> | undefined) | undefined;
  /** The run is to end: nobody is waited for any longer. */
  readonly signal: AbortSignal;
}

/** An output that is told things no faster than they can be kept and read. */
export interface OutputGate extends RunOutput {
  /** The agent whose messages come; it is slowed down while we cannot keep up. */
  slowsDown(connection: AgentConnection): void;
  /** Resolves when everything was passed on. */
  settled(): Promise<void>;
}

/** How much may wait to be passed on before the agent is slowed down. */
const MAX_WAITING = 256;

/**
 * Passes on what happens in a run, in order: each thing after it was written down, and while nobody reads stdout nothing
 * more is taken from the agent.
 */
export function createOutputGate(output: RunOutput, { stdout, save, signal }: OutputGateOptions): OutputGate {
  let waiting: (() => void)[] = [];
  let passing: Promise<void> | undefined;
  let connection: AgentConnection | undefined;

  const pass = (show: () => void): void => {
    if (passing || save) {
      waiting.push(show);
      if (waiting.length >= MAX_WAITING && !signal.aborted) connection?.pause();
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
      await save?.()?.catch(() => {});
      for (const show of batch) {
        show();
        if (needsRoom(stdout)) await room();
      }
    }
    passing = undefined;
    connection?.resume();
  };
  const room = async (): Promise<void> => {
    if (!needsRoom(stdout)) return;
    if (!signal.aborted) connection?.pause();
    await untilRoom(stdout, signal);
  };
  // The answer to a cancel must be read, whoever does not read ours.
  signal.addEventListener('abort', () => connection?.resume());

  return {
    ...output,
    onMessage: (direction, message) => pass(() => output.onMessage(direction, message)),
    onSession: (sessionId, agent) => pass(() => output.onSession(sessionId, agent)),
    onEvent: (event, transcript) => pass(() => output.onEvent(event, transcript)),
    slowsDown(agent) {
      connection = agent;
    },
    async settled() {
      while (passing) await passing;
    },
  };
}
