import { isNetworkAddress } from '@parley/client';
import type { Command } from 'commander';
import { resolveAgent } from '../agents/resolve-agent.ts';
import { connectCommand } from '../agents/resolve-words.ts';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { usageError } from '../errors.ts';
import { watchInterruption } from '../run/interruption.ts';

/** `parley check` has its own arguments and help, which the conformance package reads. */
export function configure(_command: Command, _context: CliContext): void {}

/**
 * Checks an agent or a client against the specification. `--agent gemini` stands for the command of that agent; an agent on the
 * network is checked through `parley connect`, which takes its token from `PARLEY_TOKEN` or the settings.
 */
export async function runRaw(args: readonly string[], context: CliContext): Promise<number> {
  const { runCommand } = await import('@parley/conformance');
  using interruption = watchInterruption(context);
  const { stdout, stderr } = context;
  const words = withConnect(await withAgentCommand(args, context), context);
  return runCommand(words, { stdout, stderr, command: 'parley check', signal: interruption.signal });
}

async function withAgentCommand(args: readonly string[], context: CliContext): Promise<readonly string[]> {
  const dashes = args.indexOf('--');
  const index = args.indexOf('--agent');
  if (index < 0 || (dashes >= 0 && dashes < index)) return args;
  const name = args[index + 1];
  if (name === undefined) throw usageError('--agent needs a name.', 'parley check --agent gemini');
  const { address } = await resolveAgent(name, await loadConfig(context), context);
  const { command, args: rest } = address.kind === 'command' ? address : connectCommand(name, {}, context);
  const target = [command, ...rest];
  return [...args.toSpliced(index, 2), '--', ...target];
}

/** `parley check wss://host/acp`, with or without dashes before the address. */
function withConnect(args: readonly string[], context: CliContext): readonly string[] {
  const last = args.at(-1) ?? '';
  const isAlone = args.at(-2) === '--' || !args.includes('--');
  if (!isAlone || !isNetworkAddress(last)) return args;
  const { command, args: rest } = connectCommand(last, {}, context);
  const before = args.slice(0, args.at(-2) === '--' ? -2 : -1);
  return [...before, '--', command, ...rest];
}
