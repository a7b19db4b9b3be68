import type { AgentSource } from '@parley/client';
import { agentAt, environmentAuth } from '@parley/client/node';
import type { ResolvedAgent } from '../chat-options.ts';
import { didYouMean } from '../closest.ts';
import { usageError } from '../errors.ts';

export interface OpenSourceOptions {
  /** Where the agent is started, unless its settings say otherwise. */
  readonly cwd: string;
  readonly dialect?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The agent as something to connect to, in the dialect that was asked for. */
export async function openSource(
  agent: ResolvedAgent,
  { cwd, env, dialect = 'canonical' }: OpenSourceOptions,
): Promise<AgentSource> {
  const { address, origin, name, title } = agent;
  const place = address.kind === 'command' && address.cwd !== undefined ? address.cwd : cwd;
  const source = {
    ...agentAt(address, { cwd: place, env: environmentAuth(env).env }),
    name: origin === 'command' ? title : name,
  };
  if (dialect === 'canonical') return source;
  const { DIALECT_NAMES, isDialectName, withDialect } = await import('@parley/protocol/dialects');
  if (dialect !== 'auto' && !isDialectName(dialect)) {
    throw usageError(
      `There is no dialect "${dialect}".${didYouMean(dialect, DIALECT_NAMES)} There are ${DIALECT_NAMES.join(', ')} and auto.`,
    );
  }
  return {
    ...source,
    async open(signal) {
      const wire = await source.open(signal);
      return { ...wire, transport: withDialect(wire.transport, dialect) };
    },
  };
}
