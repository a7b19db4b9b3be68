import { connect, formatAddress } from '@parley/client';
import { watchInterruption } from '@parley/host/command-line';
import { findProgram } from '@parley/host/programs';
import { formatTable } from '@parley/terminal';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { createProgress } from '../output/progress.ts';
import { openSource } from './open-source.ts';
import { resolveAgent } from './resolve-agent.ts';

export interface ShowAgentFlags {
  readonly json?: boolean;
  readonly connect?: boolean;
}

/** Prints how an agent is started and, when asked to, what it says of itself. */
export async function showAgent(name: string, flags: ShowAgentFlags, context: CliContext): Promise<void> {
  const loaded = await loadConfig(context);
  const agent = await resolveAgent(name, loaded, context);
  const { address } = agent;
  const facts = {
    name: agent.name,
    title: agent.title,
    origin: agent.origin,
    command: formatAddress(address),
    ...(address.kind === 'command' && { program: findProgram(address.command, context) ?? null }),
    ...(address.kind === 'command' && address.env && { env: Object.keys(address.env) }),
    ...(flags.connect && (await introduce(agent, context))),
  };
  if (flags.json) return void context.stdout.write(`${JSON.stringify({ schema: 1, ...facts })}\n`);
  const rows = Object.entries(facts).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  context.stdout.write(formatTable(rows));
}

async function introduce(agent: Awaited<ReturnType<typeof resolveAgent>>, context: CliContext): Promise<object> {
  using interruption = watchInterruption(context);
  const progress = createProgress(context);
  const source = openSource(agent, { cwd: context.cwd, env: context.env });
  await using connection = await connect(source, {
    dialect: 'auto',
    onPhase: progress.onPhase,
    signal: interruption.signal,
  });
  const { agentInfo, protocolVersion, capabilities, authMethods } = connection;
  return { agentInfo, protocolVersion, capabilities, authMethods };
}
