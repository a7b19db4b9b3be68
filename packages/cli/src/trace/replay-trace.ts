import { requireChoice, usageError, watchInterruption } from '@parley/host/command-line';
import type { Transport } from '@parley/jsonrpc';
import type { MessageEntry } from '@parley/session/traces';
import { spawnProcess } from '@parley/transports/process';
import { ownStdio } from '@parley/transports/stdio';
import { resolveWords } from '../agents/resolve-words.ts';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { readTrace } from './read-trace.ts';
import { replay } from './replay.ts';

export interface ReplayRequest {
  readonly file: string;
  readonly words: readonly string[];
  readonly flags: SharedFlags & { readonly as?: string; readonly exact?: boolean; readonly stepTimeout?: string };
}

/** Most messages that are replayed. */
const MAX_MESSAGES = 1_000_000;
const DEFAULT_STEP_SECONDS = 30;

/** Plays one side of a trace; resolves to 0 when the other side said what it said then, else to 1. */
export async function replayTrace({ file, words, flags }: ReplayRequest, context: CliContext): Promise<number> {
  const role = requireChoice('--as', flags.as ?? '', ['agent', 'client'] as const);
  const seconds = Number(flags.stepTimeout ?? DEFAULT_STEP_SECONDS);
  if (!(seconds > 0)) throw usageError(`--step-timeout is a number of seconds, not "${flags.stepTimeout}".`);
  const entries: MessageEntry[] = [];
  for await (const entry of readTrace(file, context.cwd)) {
    if (entry.kind === 'message' && entries.push(entry) > MAX_MESSAGES)
      throw usageError(`${file} has more than ${MAX_MESSAGES} messages.`);
  }
  using interruption = watchInterruption(context);
  const transport = role === 'agent' ? await openOwnStdio() : await openAgent(words, flags, context);
  try {
    const { stderr } = context;
    const result = await replay({
      entries,
      role,
      transport,
      isExact: flags.exact === true,
      stepMs: seconds * 1000,
      signal: interruption.signal,
    });
    if (result.divergence === undefined) {
      stderr.write(`replayed ${result.matched} of ${result.matched} messages; no divergence\n`);
      return 0;
    }
    const { expected, got, index } = result.divergence;
    stderr.write(
      `diverged at message ${index + 1} of ${entries.length}, after ${result.matched} that agreed\n  expected  ${expected}\n  got       ${got}\n`,
    );
    return 1;
  } finally {
    await transport.close();
  }
}

async function openOwnStdio(): Promise<Transport> {
  return ownStdio();
}

async function openAgent(words: readonly string[], flags: SharedFlags, context: CliContext): Promise<Transport> {
  if (words.length === 0 && flags.agent === undefined) {
    throw usageError('Which agent should be driven?', 'parley trace replay --as client trace.ndjson -- my-agent --acp');
  }
  const { command, args, env } = await resolveWords(words, flags, context);
  return spawnProcess({ command, args, cwd: context.cwd, env: { ...context.env, ...env } });
}
