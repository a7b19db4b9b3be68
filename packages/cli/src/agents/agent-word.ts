import { isNetworkAddress } from '@parley/client';
import { usageError } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
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

/** What people try who know it from elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  version: 'parley --version',
  resume: 'parley --resume',
  continue: 'parley --continue',
  run: 'parley exec "..."',
  init: 'parley "/init"',
  mcp: 'parley config edit   (mcpServers; or .mcp.json in the project)',
  ...Object.fromEntries(
    ['history', 'watch', 'fork', 'export', 'import', 'show', 'list', 'delete', 'prune'].map((name) => [
      name,
      `parley sessions ${name}`,
    ]),
  ),
};

/** Throws unless it is one; `commands` may be meant instead. */
export async function requireAgentWord(word: string, commands: readonly string[], context: CliContext): Promise<void> {
  if (await isAgentWord(word, context)) return;
  const { config } = await loadConfig(context);
  const candidates = [...commands, ...listNames(config.agents)];
  const elsewhere = ELSEWHERE[word];
  if (elsewhere !== undefined) throw usageError(`There is no command "${word}" here.`, elsewhere);
  throw usageError(`There is no command "${word}".${didYouMean(word, candidates)}`, 'parley --help');
}
