import { resolve } from 'node:path';
import type { CommandAddress } from '@parley/client';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { requireUnconfined } from './agent-sandbox.ts';
import { withDialFlags } from './dial-flags.ts';
import { resolveAgent } from './resolve-agent.ts';

/**
 * An agent as the words after `--` name it: a command with its arguments, or one word that is a name or a command line.
 * An agent on the network is the command that brings it to stdio.
 */
export async function resolveWords(
  words: readonly string[],
  flags: SharedFlags,
  context: CliContext,
): Promise<CommandAddress> {
  const [command = '', ...args] = words;
  if (args.length > 0) return { kind: 'command', command, args };
  const agent = await resolveAgent(words[0] ?? flags.agent, await loadConfig(context), context);
  const { address } = requireUnconfined(withDialFlags(agent, flags, context), 'inspect');
  return address.kind === 'command' ? address : connectCommand(agent.name, flags, context);
}

/** `parley connect` with what this command line says about dialling; the settings and the environment it reads itself. */
export function connectCommand(
  name: string,
  { header = [], tokenFile, ca }: Pick<SharedFlags, 'header' | 'tokenFile' | 'ca'>,
  { self, cwd }: Pick<CliContext, 'self' | 'cwd'>,
): CommandAddress {
  const flags = [
    ...header.flatMap((field) => ['--header', field]),
    ...(tokenFile === undefined ? [] : ['--token-file', resolve(cwd, tokenFile)]),
    ...(ca === undefined ? [] : ['--ca', resolve(cwd, ca)]),
  ];
  return { kind: 'command', command: self.command, args: [...self.args, 'connect', ...flags, name] };
}
