import { tmpdir } from 'node:os';
import { type AgentConnection, AgentError, AuthRequiredError, connect, formatAddress } from '@parley/client';
import type { DialectChoice } from '@parley/dialects';
import { CliError, type Finding, fail, note, ok, warn } from '@parley/host/command-line';
import { findProgram } from '@parley/host/programs';
import { quoteWord } from '@parley/host/terminal';
import { shortLine } from '@parley/terminal';
import { withDialFlags } from '../agents/dial-flags.ts';
import { openSource } from '../agents/open-source.ts';
import { resolveAgent, withOwnFlags } from '../agents/resolve-agent.ts';
import type { ResolvedAgent } from '../agents/resolved-agent.ts';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { explainError } from '../output/explain-error.ts';
import { createProgress } from '../output/progress.ts';

/** Is it found, does it start, does it speak ACP and nothing else, how long does it take, does it want a login? */
export async function checkAgent(
  words: readonly string[],
  flags: Pick<SharedFlags, 'header' | 'tokenFile' | 'ca'>,
  context: CliContext,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const named = await resolve(words, context);
  if ('verdict' in named) return [named];
  const found = withDialFlags(named, flags, context);
  const { address } = found;
  const line = formatAddress(address);
  if (address.kind !== 'command')
    return [
      ok('agent', found.origin === 'command' ? line : `${found.name}: ${line}`),
      ...(await start(found, context, signal)),
    ];
  const path = findProgram(address.command, context);
  if (path === undefined)
    return [fail('agent', `${line}: there is no program "${address.command}"`, 'parley agents list --all')];
  return [
    ok('agent', found.origin === 'own' ? `${found.name}: parley agent` : `${found.name}: ${line}`),
    ...(await start(found, context, signal)),
  ];
}

async function resolve(words: readonly string[], context: CliContext): Promise<ResolvedAgent | Finding> {
  const [command, ...args] = words;
  if (command !== undefined && args.length > 0) {
    const address = { kind: 'command', command, args } as const;
    return { name: formatAddress(address), title: command, origin: 'command', address };
  }
  try {
    return await resolveAgent(command, await loadConfig(context).catch(() => NO_SETTINGS), context);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return fail('agent', error.message, error.next[0] ?? 'parley agents list');
  }
}

const NO_SETTINGS = { config: {}, places: { config: '', state: '' } };

/** The doctor waits less long than others do. */
const DEADLINE_MS = 30_000;

async function start(agent: ResolvedAgent, context: CliContext, signal: AbortSignal): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const source = openSource(withOwnFlags(agent, ['--no-store']), { cwd: context.cwd, env: context.env });
  const startedAt = performance.now();
  const deadlines = { spawn: DEADLINE_MS, initialize: DEADLINE_MS, 'session/new': DEADLINE_MS };
  const progress = createProgress(context);
  let connection: AgentConnection;
  try {
    const onDialect = ({ dialect, because }: DialectChoice): unknown =>
      findings.push(note('dialect', `${dialect}: ${because}; Parley translates`));
    connection = await connect(source, {
      deadlines,
      dialect: { dialect: 'auto', onDialect },
      onPhase: progress.onPhase,
      signal,
    });
  } catch (error) {
    return [explainStart(error, agent)];
  }
  await using open = connection;
  const { agentInfo, protocolVersion } = open;
  const tookMs = Math.round(performance.now() - startedAt);
  const who = agentInfo ? `${agentInfo.name} ${agentInfo.version}` : 'it does not say who it is';
  findings.push(ok('initialize', `${who}, ACP ${protocolVersion}, in ${tookMs} ms`));
  findings.push(note('can', listAbilities(open).join(', ') || 'nothing beyond prompts'));
  findings.push(await openSession(open, agent));
  if (agent.address.kind !== 'command') return findings;
  const { noiseLines } = open.counts;
  findings.push(
    noiseLines === 0
      ? ok('stdout', 'nothing but messages')
      : warn(
          'stdout',
          `${noiseLines} lines that are no messages; they belong on stderr`,
          `parley inspect -- ${formatAddress(agent.address)}`,
        ),
  );
  return findings;
}

/** What the agent offers: in its own words where they are those of version 1, which people know from its documentation. */
function listAbilities({ protocolVersion, capabilities, offers }: AgentConnection): string[] {
  const { authMethods: _, ...others } = offers;
  const { loadSession: load, sessionCapabilities, promptCapabilities } = capabilities;
  const named = protocolVersion === 1 ? { load, ...sessionCapabilities, ...promptCapabilities } : others;
  return Object.entries(named).flatMap(([name, value]) => (value && name !== '_meta' ? [name] : []));
}

/** In a folder where there is nothing to read. */
async function openSession(connection: AgentConnection, agent: ResolvedAgent): Promise<Finding> {
  const startedAt = performance.now();
  try {
    const session = await connection.newSession({ cwd: tmpdir() });
    const { mode, options } = session.transcript;
    await session.close();
    const modes = mode ? `, modes ${mode.availableModes.map(({ id }) => id).join(' ')}` : '';
    const settings = options.length > 0 ? `, options ${options.map(({ id }) => id).join(' ')}` : '';
    return ok('session', `in ${Math.round(performance.now() - startedAt)} ms${modes}${settings}`);
  } catch (error) {
    if (error instanceof AuthRequiredError) {
      const [method] = error.methods;
      return warn(
        'session',
        'it wants you to log in first',
        method
          ? `parley --agent ${quoteWord(agent.name)} --auth ${quoteWord(method.id)}`
          : `log in with its own command`,
      );
    }
    return fail('session', shortLine((error as Error).message), `parley inspect -- ${formatAddress(agent.address)}`);
  }
}

function explainStart(error: unknown, agent: ResolvedAgent): Finding {
  const line = formatAddress(agent.address);
  const message = error instanceof Error ? error.message : String(error);
  if (agent.address.kind !== 'command')
    return fail('initialize', message, explainError(error, { agent: line }).next[0] ?? '');
  const isSilent = error instanceof AgentError && error.code === 'deadline_passed';
  const fix = isSilent
    ? `${line} --help   (does it need a flag such as --acp?)`
    : `${line} < /dev/null   (see what it says)`;
  return fail('initialize', message.replaceAll('\n', '\n        '), fix);
}
