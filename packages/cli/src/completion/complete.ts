import { permissionModeIds } from '@parley/policy/modes';
import type { Command, Option } from 'commander';
import { LOCAL_AGENT } from '../agents/local-agent.ts';
import { listNames } from '../agents/resolve-agent.ts';
import { COMMANDS } from '../commands/list.ts';
import { loadCommand } from '../commands/load-command.ts';
import { CONFIG_KEYS } from '../config/config-keys.ts';
import { loadConfig } from '../config/load-config.ts';
import { LOG_LEVELS } from '../config/serve-config.ts';
import type { CliContext } from '../context.ts';
import { LANGUAGES, SCAFFOLD_KINDS } from '../new/scaffolds.ts';
import { findPlaces } from '../places.ts';
import { createProgram } from '../program.ts';
import { PROTOCOL_CHOICES } from '../run/settings/protocol.ts';

/** What may stand in the place of the last word, one a line. The words before it tell where we are. */
export async function complete(words: readonly string[], context: CliContext): Promise<readonly string[]> {
  const begun = words.at(-1) ?? '';
  const program = createProgram(context, loadCommand);
  const { command, depth } = await findCommand(program, words.slice(0, -1), context);
  const before = words.at(-2) ?? '';
  const option = [...command.options, ...program.options].find((each) => each.long === before || each.short === before);
  const candidates = option?.required
    ? await valuesOf(option, context)
    : begun.startsWith('-')
      ? flagsOf([...command.options, ...program.options])
      : await wordsFor(command, depth, context);
  return [...new Set(candidates)].filter((candidate) => candidate.startsWith(begun));
}

/** The command that the words lead to; its file is loaded. */
async function findCommand(
  program: Command,
  words: readonly string[],
  context: CliContext,
): Promise<{ command: Command; depth: number }> {
  let command = program;
  let depth = 0;
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (!next) continue;
    const entry = command === program ? COMMANDS.find(({ name }) => name === next.name()) : undefined;
    if (entry) (await loadCommand(entry.name)).configure(next, context);
    if (command.name() === 'eval') await configureEvalCommand(next, context);
    command = next;
    depth += 1;
  }
  return { command, depth };
}

/** The commands of `parley eval` are loaded one by one, too. */
async function configureEvalCommand(command: Command, context: CliContext): Promise<void> {
  const { EVAL_COMMANDS } = await import('@parley/harness/command');
  const entry = EVAL_COMMANDS.find(({ name }) => name === command.name());
  if (!entry) return;
  const { evalContext } = await import('../eval/eval-context.ts');
  (await entry.load()).configure(command, evalContext(context));
}

function flagsOf(options: readonly Option[]): readonly string[] {
  return options.filter(({ hidden }) => !hidden).flatMap(({ long }) => (long ? [long] : []));
}

async function wordsFor(command: Command, depth: number, context: CliContext): Promise<readonly string[]> {
  const [first] = command.registeredArguments;
  const name = first?.name() ?? '';
  const own = command.commands.map((each) => each.name());
  if (own.length > 0) return name === 'description' ? [...own, ...(await descriptionNames())] : own;
  if (['session', 'sessions'].includes(name)) return sessionNames(context);
  if (['agent', 'agents', 'name'].includes(name) && depth > 0) return agentNames(context);
  if (name === 'description') return descriptionNames();
  if (name === 'key') return Object.keys(CONFIG_KEYS);
  if (name === 'kind') return SCAFFOLD_KINDS;
  if (name === 'shell') return ['bash', 'zsh', 'fish'];
  return [];
}

async function valuesOf({ long }: Option, context: CliContext): Promise<readonly string[]> {
  switch (long) {
    case '--agent':
      return agentNames(context);
    case '--session':
      return sessionNames(context);
    case '--format':
      return ['text', 'json', 'quiet'];
    case '--permission-mode':
      return permissionModeIds();
    case '--non-interactive-permissions':
      return ['deny', 'fail'];
    case '--auth-policy':
      return ['skip', 'fail'];
    case '--exit-codes':
      return ['distinct', 'acpx'];
    case '--language':
      return LANGUAGES;
    case '--as':
      return ['agent', 'client'];
    case '--protocol':
      return PROTOCOL_CHOICES;
    case '--log-level':
      return LOG_LEVELS;
    case '--dialect':
      return ['auto', 'none', ...(await import('@parley/dialects')).DIALECT_NAMES];
    default:
      return [];
  }
}

async function agentNames(context: CliContext): Promise<readonly string[]> {
  const [{ config }, { findServers }, { listAdaptedAgents }] = await Promise.all([
    loadConfig(context),
    import('@parley/host/servers'),
    import('../agents/adapted-agents.ts'),
  ]);
  const [[server], adapted] = await Promise.all([findServers(context.env), listAdaptedAgents(context)]);
  const hosted = server?.agents?.map((name) => `${LOCAL_AGENT}/${name}`) ?? [];
  return [...listNames(config.agents), ...hosted, ...adapted.map(({ name }) => name)];
}

async function descriptionNames(): Promise<readonly string[]> {
  const { listReadyDescriptions } = await import('@parley/adapters/ready');
  return (await listReadyDescriptions()).map(({ name }) => name);
}

async function sessionNames(context: CliContext): Promise<readonly string[]> {
  const { SessionRecords } = await import('../sessions/records/session-records.ts');
  await using records = new SessionRecords(findPlaces(context.env));
  return (await records.list()).flatMap(({ id, name }) => (name === undefined ? [id] : [name, id]));
}
