import { type ClientCapabilities, checkOutgoing, type Implementation, ValidationError, v1 } from '@parley/protocol';
import { AgentError, UsageError } from '../../errors.ts';
import type { Meta } from '../../peer/agent-peer.ts';
import type { ConnectedPeer, IntroducedAgent, ProtocolVersion } from '../../peer/protocol-version.ts';

/** How this client introduces itself. */
export interface Introduction {
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  /** `_meta` of `initialize`. */
  readonly meta: Meta | undefined;
}

export interface InitializeOptions extends Omit<IntroducedAgent, 'answer'> {
  /** The agent as a person would write it. */
  readonly agent: string;
  readonly introduction: Introduction;
  /** Those that may be spoken, the preferred one first. */
  readonly versions: readonly [ProtocolVersion, ...ProtocolVersion[]];
  readonly signal: AbortSignal;
}

/**
 * Sends `initialize`, which belongs to no version, and has the version that the agent answered with speak from there on.
 * That is done when the answer is read: what the agent sends right behind it must find its handlers.
 */
export function initialize({
  agent,
  introduction,
  versions,
  signal,
  ...context
}: InitializeOptions): Promise<ConnectedPeer> {
  const { clientInfo, capabilities, meta } = introduction;
  const params = { protocolVersion: versions[0].version, clientCapabilities: capabilities, clientInfo };
  const problem = checkOutgoing(v1.requests.initialize.params, params, 'any');
  if (problem)
    throw new UsageError('invalid_request', `initialize was not sent: ${new ValidationError(problem).message}.`);
  return context.connection.request(
    'initialize',
    { ...params, ...(meta && { _meta: meta }) },
    {
      signal,
      read: (answer) => chooseVersion(answer, versions, agent).connect({ ...context, answer }),
    },
  );
}

function chooseVersion(
  answer: unknown,
  versions: readonly [ProtocolVersion, ...ProtocolVersion[]],
  agent: string,
): ProtocolVersion {
  const { protocolVersion } = (answer ?? {}) as { readonly protocolVersion?: unknown };
  // An answer without a version is read by the preferred version, whose check says what is wrong with it.
  if (typeof protocolVersion !== 'number') return versions[0];
  const chosen = versions.find(({ version }) => version === protocolVersion);
  if (chosen) return chosen;
  const spoken = versions.map(({ version }) => version).join(' or ');
  const message = `${agent} speaks ACP version ${protocolVersion}, but this client speaks version ${spoken}. Update whichever is older.`;
  throw new AgentError({ code: 'unsupported_version', message, agent, phase: 'initialize' });
}
