import type { Command } from 'commander';
import { resolveAgent } from '../agents/resolve-agent.ts';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { usageError } from '../errors.ts';
import { watchInterruption } from '../run/interruption.ts';

/** `parley check` has its own arguments and help, which the conformance package reads. */
export function configure(_command: Command, _context: CliContext): void {}

/** Checks an agent or a client against the specification. `--agent gemini` stands for the command of that agent. */
export async function runRaw(args: readonly string[], context: CliContext): Promise<number> {
  const { runCommand } = await import('@parley/conformance');
  using interruption = watchInterruption(context);
  const { stdout, stderr } = context;
  const words = await withAgentCommand(args, context);
  return runCommand(words, { stdout, stderr, command: 'parley check', signal: interruption.signal });
}

async function withAgentCommand(args: readonly string[], context: CliContext): Promise<readonly string[]> {
  const dashes = args.indexOf('--');
  const index = args.indexOf('--agent');
  if (index < 0 || (dashes >= 0 && dashes < index)) return args;
  const name = args[index + 1];
  if (name === undefined) throw usageError('--agent needs a name.', 'parley check --agent gemini');
  const { address } = await resolveAgent(name, await loadConfig(context), context);
  const target = address.kind === 'command' ? [address.command, ...address.args] : [address.url];
  return [...args.toSpliced(index, 2), '--', ...target];
}
