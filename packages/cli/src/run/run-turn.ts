import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientSession, PromptContent, PromptOptions, TurnEvent, TurnResult } from '@parley/client';
import type { Interruption } from '@parley/host/command-line';
import { RpcError } from '@parley/jsonrpc';
import { backoffMs } from '@parley/jsonrpc/internal';
import { type ErrorKind, kindOfError } from '@parley/protocol';
import type { RunOutput } from '../output/run-output.ts';

export interface TurnRun {
  readonly session: ClientSession;
  readonly prompt: PromptContent;
  readonly options?: Pick<PromptOptions, 'meta' | 'whenBusy'> | undefined;
  readonly output: RunOutput;
  readonly interruption: Interruption;
  /** How often the prompt is sent again at most. */
  readonly retries: number;
  /** How many requests the agent has made of us so far. */
  readonly requestsOfAgent: () => number;
  /** An error as the agent's own connection had it. */
  readonly explain: (error: unknown) => unknown;
}

/** The first pause before a prompt is sent again; each further one is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;

/** Prompts, and prompts again where that cannot do anything twice: the agent failed, and had said and asked nothing. */
export async function runTurn(run: TurnRun): Promise<TurnResult> {
  const { interruption, output, retries, requestsOfAgent, explain } = run;
  for (let attempt = 0; ; attempt += 1) {
    const asked = requestsOfAgent();
    let hasBegun = false;
    try {
      return await runOnce(run, (event) => {
        hasBegun ||= !SETTINGS.has(event.type);
        output.onEvent(event, run.session.transcript);
      });
    } catch (thrown) {
      const error = explain(thrown);
      const isSafe = !hasBegun && requestsOfAgent() === asked && mayPass(error) && !interruption.signal.aborted;
      if (attempt >= retries || !isSafe) throw error;
      const pauseMs = backoffMs(attempt + 1, { firstMs: FIRST_PAUSE_MS, maxMs: LONGEST_PAUSE_MS });
      output.onNotice(
        `the agent failed (${(error as Error).message}); prompting again in ${pauseMs / 1000} s, ${attempt + 1} of ${retries}`,
      );
      await sleep(pauseMs, undefined, { signal: interruption.signal });
    }
  }
}

async function runOnce(
  { session, prompt, options, interruption }: TurnRun,
  onEvent: (event: TurnEvent) => void,
): Promise<TurnResult> {
  const turn = session.prompt(prompt, { ...options, signal: interruption.signal });
  const insist = (): void => void turn.cancel();
  interruption.insisted.addEventListener('abort', insist, { once: true });
  for await (const event of turn) onEvent(event);
  return turn.result;
}

/** What an agent tells of itself at any time; nothing has been done by it. */
const SETTINGS: ReadonlySet<TurnEvent['type']> = new Set(['commands', 'mode', 'config', 'info', 'usage', 'state']);

/** Agents tell a model that is overloaded or out of reach as an internal error; everything else will not pass by itself. */
function mayPass(error: unknown): boolean {
  return error instanceof RpcError && PASSING.has(kindOfError(error));
}

const PASSING: ReadonlySet<ErrorKind> = new Set(['internal_error', 'parse_error']);
