import { RpcError } from '@parley/jsonrpc';
import type { Clock } from '../clock.ts';
import type { ClientDiagnostic } from '../diagnostics.ts';
import { AgentError } from '../errors.ts';
import type { Versions } from '../peer/protocol-version.ts';
import type { AgentSource } from '../source/agent-source.ts';

export interface NegotiationContext {
  readonly source: AgentSource;
  readonly clock: Clock;
  /** The versions that may be spoken, the preferred one first. */
  readonly versions: Versions;
  readonly onDiagnostic: (diagnostic: ClientDiagnostic) => void;
  readonly signal?: AbortSignal | undefined;
}

/** For how long an agent that did not survive an offer is not made it again. It may have been updated since. */
const REFUSAL_HOLDS_MS = 10 * 60_000;

/**
 * What is known of the agent behind a source. An agent that refuses with an error is not remembered: to ask it again costs one
 * message. One that ended at the preferred version, and then spoke an older one, is, for a while. One that has
 * spoken the preferred version and ends while it is offered again has crashed, and refused nothing.
 */
const known = new WeakMap<AgentSource, { readonly spoken: number } | { readonly refusedAtMs: number }>();

/**
 * Opens an agent with the best version that it speaks. `open` starts it and makes it an offer. Where the agent does not survive
 * the offer of several versions, it is opened once more and offered only the older ones; a source that opens once is not. Silence
 * refuses nothing: agents that are installed by their first start take long.
 */
export async function negotiate<Link extends { readonly facts: { readonly protocolVersion: number } }>(
  context: NegotiationContext,
  open: (versions: Versions) => Promise<Link>,
): Promise<Link> {
  const { source, clock, versions, signal } = context;
  const older = olderOf(versions);
  if (!older) return await open(versions);
  const before = known.get(source);
  if (before && 'refusedAtMs' in before && clock.now() - before.refusedAtMs < REFUSAL_HOLDS_MS) {
    return await openOlder(source, () => open(older));
  }
  const mayOpenAgain = !('isOnce' in source) && !(before && 'spoken' in before);
  try {
    const link = await open(versions);
    if (link.facts.protocolVersion === versions[0].version) known.set(source, { spoken: versions[0].version });
    return link;
  } catch (error) {
    if (!mayOpenAgain || signal?.aborted || !isRefusal(error)) throw error;
    reportRefusal(context, versions, error);
    const link = await openOlder(source, () => open(older));
    known.set(source, { refusedAtMs: clock.now() });
    return link;
  }
}

/** The versions that are left when the preferred one is refused; undefined when there are none. */
export function olderOf([, next, ...rest]: Versions): Versions | undefined {
  return next && [next, ...rest];
}

export function reportRefusal(
  { source, onDiagnostic }: Pick<NegotiationContext, 'source' | 'onDiagnostic'>,
  [refused, next]: Versions,
  error: unknown,
): void {
  const message = `${source.name} refused ACP version ${refused.version}; trying version ${next?.version}.`;
  onDiagnostic({ kind: 'version_refused', message, direction: 'out', method: 'initialize', error, suppressed: 0 });
}

/** An agent that fails with an older version as well has refused none. */
async function openOlder<Link>(source: AgentSource, open: () => Promise<Link>): Promise<Link> {
  try {
    return await open();
  } catch (error) {
    known.delete(source);
    throw error;
  }
}

const REFUSALS: ReadonlySet<string> = new Set([
  'agent_exited',
  'connection_lost',
  'invalid_answer',
] satisfies AgentError['code'][]);

/** Whether an agent may have failed because of what it was offered. */
function isRefusal(error: unknown): boolean {
  if (error instanceof RpcError || (error instanceof AgentError && error.cause instanceof RpcError)) return true;
  return error instanceof AgentError && error.phase === 'initialize' && REFUSALS.has(error.code);
}
