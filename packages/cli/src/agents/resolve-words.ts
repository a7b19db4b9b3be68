import { type CommandAddress, formatAddress } from '@parley/client';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { usageError } from '../errors.ts';
import { resolveAgent } from './resolve-agent.ts';

/** An agent as the words after `--` name it: a command with its arguments, or one word that is a name or a command line. */
export async function resolveWords(
  words: readonly string[],
  agent: string | undefined,
  context: CliContext,
): Promise<CommandAddress> {
  const [command = '', ...args] = words;
  if (args.length > 0) return { kind: 'command', command, args };
  const { address } = await resolveAgent(words[0] ?? agent, await loadConfig(context), context);
  if (address.kind === 'command') return address;
  throw usageError(`${formatAddress(address)} is an address; this needs a command.`);
}
