import { basename } from 'node:path';
import { formatAddress } from '@parley/client';
import type { ServedAgent, ServedAgents } from '@parley/gateway/command';
import { CliError, usageError } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';
import { findProgram } from '@parley/host/programs';
import { OWN_AGENT, resolveAgent } from '../agents/resolve-agent.ts';
import type { ResolvedAgent } from '../agents/resolved-agent.ts';
import type { CliContext } from '../context.ts';
import type { ServeFlags } from './serve-flags.ts';
import type { ServeSettings } from './serve-settings.ts';

/** An agent of the server, with the way to start it. */
export interface HostedName extends ServedAgent {
  /** Undefined for our own, which runs in this process. */
  readonly agent: ResolvedAgent | undefined;
}

export interface HostedNames extends ServedAgents {
  readonly agents: readonly HostedName[];
}

interface Wanted {
  readonly word: string;
  /** The name that was given with `name=command`. */
  readonly name?: string;
  /** Whether somebody asked for this one; else it is there because all agents of the settings are. */
  readonly isAsked: boolean;
}

/** Which agents are hosted: our own and those of the settings, or those that `serve.agents` names, and those of the command line. */
export async function chooseHosted(
  words: readonly string[],
  flags: ServeFlags,
  settings: ServeSettings,
  context: CliContext,
  onProblem: (error: CliError) => void = rethrow,
): Promise<HostedNames> {
  const { config, serve } = settings;
  const listed = serve.agents?.map((word) => ({ word, isAsked: true }));
  const all = [OWN_AGENT, ...Object.keys(config.agents ?? {})].map((word) => ({ word, isAsked: false }));
  const named = words.map(readWord);
  const agents = new Map<string, HostedName>();
  const leftOut: { name: string; problem: string }[] = [];
  let firstNamed: string | undefined;
  for (const wanted of [...(listed ?? all), ...named]) {
    try {
      const found = await findHosted(wanted, settings, context);
      requireFree(found, agents.get(found.name), wanted);
      agents.set(found.name, found);
      if (named.some((each) => each === wanted)) firstNamed ??= found.name;
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      if (wanted.isAsked) onProblem(error);
      else leftOut.push({ name: wanted.word, problem: error.message });
    }
  }
  const names = [...agents.keys()];
  const asked = flags.agent ?? firstNamed ?? serve.defaultAgent;
  const usual = config.defaultAgent !== undefined && agents.has(config.defaultAgent) ? config.defaultAgent : undefined;
  const defaultAgent = asked ?? usual ?? (agents.has(OWN_AGENT) ? OWN_AGENT : names[0]);
  if (defaultAgent === undefined) throw usageError('No agent is left to be hosted; serve.agents is empty.');
  if (!agents.has(defaultAgent))
    throw new CliError(
      'unknown_agent',
      `The default agent "${defaultAgent}" is not hosted.${didYouMean(defaultAgent, names)} Hosted are ${names.join(', ')}.`,
      { next: [`parley serve --agent ${names[0]}`, 'parley config get serve'] },
    );
  return { agents: [...agents.values()], defaultAgent, leftOut };
}

function rethrow(error: CliError): never {
  throw error;
}

/** `gemini`, `./my-agent --acp`, or `reviewer=./my-agent --acp`. */
function readWord(text: string): Wanted {
  const [, name, word] = /^([A-Za-z0-9][\w.-]*)=(.+)$/s.exec(text) ?? [];
  return name === undefined || word === undefined ? { word: text, isAsked: true } : { name, word, isAsked: true };
}

async function findHosted(
  { word, name, isAsked }: Wanted,
  { config, places }: ServeSettings,
  context: CliContext,
): Promise<HostedName> {
  if (word === OWN_AGENT && !Object.hasOwn(config.agents ?? {}, OWN_AGENT))
    return { name: requirePathName(name ?? OWN_AGENT), agent: undefined };
  const agent = await resolveAgent(word, { config, places }, context);
  if (agent.origin === 'local') throw usageError(`"${word}" is a server that runs already; name an agent.`);
  const path = requirePathName(name ?? (agent.origin === 'command' ? shortName(agent) : agent.name));
  const { address } = agent;
  if (address.kind !== 'command' || findProgram(address.command, { ...context, cwd: address.cwd ?? context.cwd }))
    return { name: path, agent };
  const problem = `there is no program "${address.command}"`;
  if (!isAsked) return { name: path, agent, problem };
  throw new CliError('agent_not_installed', `The agent "${path}" cannot be hosted: ${problem}.`, {
    next: ['parley agents list --all', `parley agents show ${path}`],
  });
}

/** A command line has no name: it gets that of its program, or of its server. */
function shortName({ address }: ResolvedAgent): string {
  if (address.kind !== 'command') return new URL(address.url).hostname.replaceAll(/[[\]:]/g, '');
  const program = /^(node|deno|bun|python3?|npx|uvx|tsx)(\.exe)?$/.test(basename(address.command))
    ? (address.args.find((word) => !word.startsWith('-')) ?? address.command)
    : address.command;
  return basename(program).replace(/\.(exe|cmd|[cm]?[jt]s|py)$/, '');
}

/** The wires have paths of their own below `/acp`. */
const TAKEN = ['rpc', 'sse', 'post'];

function requirePathName(name: string): string {
  if (/^[A-Za-z0-9][\w.~-]*$/.test(name) && !TAKEN.includes(name)) return name;
  throw usageError(
    `"${name}" cannot be the path of an agent; letters, digits, ".", "_" and "-" can, except ${TAKEN.join(', ')}.`,
    "parley serve my-name='<its command>'",
  );
}

function requireFree(found: HostedName, taken: HostedName | undefined, { word }: Wanted): void {
  if (!taken) return;
  const lineOf = ({ agent }: HostedName): string => (agent ? formatAddress(agent.address) : OWN_AGENT);
  if (lineOf(found) === lineOf(taken)) return;
  throw usageError(
    `Two agents would be at /acp/${found.name}: ${lineOf(taken)}, and ${lineOf(found)}.`,
    `parley serve ${found.name}-2='${word}'`,
  );
}
