import { RpcError } from '@parley/jsonrpc';
import { kindOfError } from '@parley/protocol';
import { AgentError } from '../errors.ts';
import type {
  ConnectedPeer,
  IntroducedAgent,
  Introduction,
  ProtocolVersion,
  Versions,
} from '../peer/protocol-version.ts';

export interface InitializeOptions extends Omit<IntroducedAgent, 'answer'> {
  /** The agent as a person would write it. */
  readonly agent: string;
  readonly introduction: Introduction;
  /** Those that may be spoken, the preferred one first. */
  readonly versions: Versions;
  readonly signal: AbortSignal;
}

/**
 * Sends `initialize`, which belongs to no version, and has the version that the agent answered with speak from there on.
 * That is done when the answer is read: what the agent sends right behind it must find its handlers. Where the agent may
 * choose, the request has the words of every version.
 */
export async function initialize({
  agent,
  introduction,
  versions,
  signal,
  ...context
}: InitializeOptions): Promise<ConnectedPeer> {
  const { meta } = introduction;
  const words = versions.map((version) => version.introduce(introduction));
  const params = { protocolVersion: versions[0].version, ...Object.assign({}, ...words), ...(meta && { _meta: meta }) };
  try {
    return await context.connection.request('initialize', params, {
      signal,
      read: (answer) => chooseVersion(answer, versions, agent).connect({ ...context, answer }),
    });
  } catch (error) {
    if (!(error instanceof RpcError) || kindOfError(error) !== 'unsupported_version') throw error;
    throw unsupported(`${agent} does not speak ACP version ${versions[0].version}`, versions, agent, error);
  }
}

function chooseVersion(answer: unknown, versions: Versions, agent: string): ProtocolVersion {
  const { protocolVersion } = (answer ?? {}) as { readonly protocolVersion?: unknown };
  // An answer without a version is read by the preferred version, whose check says what is wrong with it.
  if (typeof protocolVersion !== 'number') return versions[0];
  const chosen = versions.find(({ version }) => version === protocolVersion);
  if (chosen) return chosen;
  throw unsupported(`${agent} speaks ACP version ${protocolVersion}`, versions, agent);
}

function unsupported(what: string, versions: Versions, agent: string, cause?: RpcError): AgentError {
  const spoken = versions.map(({ version }) => version);
  const advice = spoken.includes(1) ? 'Update whichever is older.' : 'Connect with protocol 1 or auto.';
  const message = `${what}, but this client speaks version ${spoken.join(' or ')}. ${advice}`;
  return new AgentError({ code: 'unsupported_version', message, agent, phase: 'initialize', cause });
}
