import { isNetworkAddress } from '@parley/client';
import { usageError, watchInterruption } from '@parley/host/command-line';
import type { Command } from 'commander';
import { requireUnconfined } from '../agents/agent-sandbox.ts';
import { resolveAgent } from '../agents/resolve-agent.ts';
import { connectCommand } from '../agents/resolve-words.ts';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';

/** `parley check` has its own arguments and help, which the conformance package reads. */
export function configure(_command: Command, _context: CliContext): void {}

/**
 * Checks an agent or a client against the specification. `--agent gemini` stands for the command of that agent; an agent on the
 * network is checked through `parley connect`, which takes its token from `--token-file`, `PARLEY_TOKEN` or the settings.
 */
export async function runRaw(args: readonly string[], context: CliContext): Promise<number> {
  const { runCommand } = await import('@parley/conformance');
  using interruption = watchInterruption(context);
  const { stdout, stderr } = context;
  const { dial, others } = takeDialFlags(args);
  const words = withConnect(await withAgentCommand(others, dial, context), dial, context);
  return runCommand(words, { stdout, stderr, command: 'parley check', signal: interruption.signal });
}

async function withAgentCommand(
  args: readonly string[],
  dial: DialFlags,
  context: CliContext,
): Promise<readonly string[]> {
  const dashes = args.indexOf('--');
  const index = args.indexOf('--agent');
  if (index < 0 || (dashes >= 0 && dashes < index)) return args;
  const name = args[index + 1];
  if (name === undefined) throw usageError('--agent needs a name.', 'parley check --agent gemini');
  const { address } = requireUnconfined(await resolveAgent(name, await loadConfig(context), context), 'check');
  const { command, args: rest } = address.kind === 'command' ? address : connectCommand(name, dial, context);
  return [...args.toSpliced(index, 2), '--', command, ...rest];
}

/** `parley check wss://host/acp`, with or without dashes before the address. */
function withConnect(args: readonly string[], dial: DialFlags, context: CliContext): readonly string[] {
  const last = args.at(-1) ?? '';
  const isAlone = args.at(-2) === '--' || !args.includes('--');
  if (!isAlone || !isNetworkAddress(last)) return args;
  const { command, args: rest } = connectCommand(last, dial, context);
  return [...args.slice(0, args.at(-2) === '--' ? -2 : -1), '--', command, ...rest];
}

type DialFlags = Pick<SharedFlags, 'header' | 'tokenFile' | 'ca'>;

/** Takes out what is said about dialling, which the checker knows nothing of. */
function takeDialFlags(args: readonly string[]): { readonly dial: DialFlags; readonly others: readonly string[] } {
  const header: string[] = [];
  const others: string[] = [];
  let [tokenFile, ca]: (string | undefined)[] = [];
  const dashes = args.includes('--') ? args.indexOf('--') : args.length;
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    const value = args[index + 1];
    if (index >= dashes || !['--header', '--token-file', '--ca'].includes(word)) {
      others.push(word);
      continue;
    }
    if (value === undefined) throw usageError(`${word} is given without its value.`);
    if (word === '--header') header.push(value);
    else if (word === '--ca') ca = value;
    else tokenFile = value;
    index += 1;
  }
  return { dial: { header, ...(tokenFile !== undefined && { tokenFile }), ...(ca !== undefined && { ca }) }, others };
}
