import { isNetworkAddress } from '@parley/client';
import { didYouMean } from '@parley/host/json-files';
import { shellLine } from '@parley/host/terminal';
import { COMMANDS } from '../commands/list.ts';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { usageError } from '../errors.ts';
import { findKnownAgent } from './known-agents.ts';
import { isLocalName } from './local-agent.ts';
import { listNames, OWN_AGENT } from './resolve-agent.ts';

/** Throws unless a word in the place of a command is the name of an agent, as in `parley gemini exec "..."`. */
export async function requireAgentWord(word: string, context: CliContext): Promise<void> {
  const { config } = await loadConfig(context);
  if (word === OWN_AGENT || isLocalName(word) || isNetworkAddress(word)) return;
  if (Object.hasOwn(config.agents ?? {}, word) || findKnownAgent(word)) return;
  if (/\s/.test(word))
    throw usageError('A prompt needs a command before it.', shellLine`parley exec ${word}`, 'parley --help');
  const candidates = [...COMMANDS.map(({ name }) => name), ...listNames(config.agents)];
  throw usageError(`There is no command "${word}".${didYouMean(word, candidates)}`, 'parley --help');
}
