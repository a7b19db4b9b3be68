import { isNetworkAddress } from '@parley/client';
import { didYouMean } from '@parley/host/json-files';
import { COMMANDS } from '../commands/list.ts';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { usageError } from '../errors.ts';
import { findAdaptedAgent } from './adapted-agents.ts';
import { findKnownAgent } from './known-agents.ts';
import { isLocalName } from './local-agent.ts';
import { listNames, OWN_AGENT } from './resolve-agent.ts';

/** Whether a word in the place of a command is the name of an agent, as in `parley gemini exec "..."`. */
export async function isAgentWord(word: string, context: CliContext): Promise<boolean> {
  if (word === OWN_AGENT || isLocalName(word) || isNetworkAddress(word)) return true;
  const { config } = await loadConfig(context);
  if (Object.hasOwn(config.agents ?? {}, word) || findKnownAgent(word) !== undefined) return true;
  return (await findAdaptedAgent(word, context)) !== undefined;
}

/** Throws unless it is one. */
export async function requireAgentWord(word: string, context: CliContext): Promise<void> {
  if (await isAgentWord(word, context)) return;
  const { config } = await loadConfig(context);
  const candidates = [...COMMANDS.map(({ name }) => name), ...listNames(config.agents)];
  throw usageError(`There is no command "${word}".${didYouMean(word, candidates)}`, 'parley --help');
}
