import type { DialectSetting } from '@parley/dialects';
import { type CloseReason, type Connection, createConnection, ParleyError, RpcError } from '@parley/jsonrpc';
import { sessionIdOf } from '@parley/protocol';
import type { Clock } from '../clock.ts';
import type { ClientDiagnostic } from '../diagnostics.ts';
import { type AgentEnd, AgentError } from '../errors.ts';
import type { AgentFacts, AgentPeer } from '../peer/agent-peer.ts';
import type { ClientDuties } from '../peer/client-duties.ts';
import type { ConnectedPeer, Introduction, OnInvalid, Versions } from '../peer/protocol-version.ts';
import type { Deadlines, Phase, PhaseEvent } from '../phase.ts';
import { type AgentSource, type AgentWire, describeEnd } from '../source/agent-source.ts';
import { type DialectWire, openDialectWire } from '../source/dialect-wire.ts';
import { type TraceOptions, traceConnection } from '../trace/trace.ts';
import { explain } from './explain.ts';
import { initialize } from './initialize.ts';
import { negotiate, olderOf, reportRefusal } from './negotiate.ts';
import { type PhaseContext, runPhase } from './run-phase.ts';
import { serveExtensions } from './serve-extensions.ts';

export interface LinkContext {
  readonly source: AgentSource;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly onPhase: (event: PhaseEvent) => void;
  readonly onDiagnostic: (diagnostic: ClientDiagnostic) => void;
  readonly traces: Iterable<TraceOptions>;
  readonly duties: ClientDuties;
  readonly introduction: Introduction;
  /** The versions of the protocol that may be spoken, the preferred one first. */
  readonly versions: () => Versions;
  /** Whether reading is held up by our side. */
  readonly isPaused: () => boolean;
  readonly dialect?: DialectSetting | undefined;
  /** Gives up opening. */
  readonly signal?: AbortSignal | undefined;
}

/** One open wire with an agent on it that has answered `initialize`. A connection that reconnects has several, one after the other. */
export class Link {
  readonly peer: AgentPeer;
  readonly facts: AgentFacts;
  readonly #context: LinkContext;
  readonly #wire: SpokenWire;

  private constructor(context: LinkContext, wire: SpokenWire, { peer, facts }: ConnectedPeer) {
    this.#context = context;
    this.#wire = wire;
    this.peer = peer;
    this.facts = facts;
  }

  /** Starts or dials the agent and introduces ourselves. Leaves nothing behind when it fails. */
  static async open(context: LinkContext): Promise<Link> {
    const versions = context.versions();
    return await negotiate({ ...context, versions }, (offered) => Link.#open(context, offered));
  }

  static async #open(context: LinkContext, versions: Versions): Promise<Link> {
    const { source, signal } = context;
    let wire: SpokenWire | undefined;
    const phases = { ...phaseContext(context, () => describeEnd(wire)), signal };
    wire = await openWire(context, phases);
    const unreadable = new AbortController();
    const connection = openConnection(wire, { ...context, versions }, unreadable);
    const heard = { ...phases, signal: signal ? AbortSignal.any([signal, unreadable.signal]) : unreadable.signal };
    try {
      return new Link(context, wire, await introduce(context, { versions, connection, phases: heard }));
    } catch (error) {
      const explained = explain(error, { agent: source.name, phase: 'initialize', wire });
      await connection.close();
      throw explained;
    }
  }

  /** Resolves when nothing is left of the wire and, if it is ours, of the agent's process. */
  get closed(): Promise<CloseReason> {
    return this.peer.connection.closed;
  }

  /** Calls back at once when the wire ends, before anyone who waits for an answer hears of it. */
  onEnd(listener: (error: unknown) => void): void {
    const { signal } = this.peer.connection;
    signal.addEventListener('abort', () => listener(signal.reason), { once: true });
    if (signal.aborted) listener(signal.reason);
  }

  /** Whether more than answers comes back. */
  get carriesUpdates(): boolean {
    return this.#wire.carriesUpdates?.() ?? true;
  }

  /** Whether the agent's dialect has secrets in `authenticate`. */
  get takesCredentials(): boolean {
    return this.#wire.spoken.dialect() === 'pharo';
  }

  /** Has the next `authenticate` by this method carry a secret. */
  giveCredentials(methodId: string, credentials: unknown): void {
    this.#wire.spoken.credentials.set(methodId, credentials);
  }

  /** How the agent is doing, or how it ended. */
  inspect(reason?: CloseReason): AgentEnd {
    return describeEnd(this.#wire, reason);
  }

  runPhase<Result>(phase: Phase, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const phases = phaseContext(this.#context, () => this.inspect());
    return runPhase(phase, phases, work);
  }

  /** An error as a person should read it. */
  explain(error: unknown, phase?: Phase): unknown {
    return explain(error, { agent: this.#context.source.name, phase, wire: this.#wire });
  }

  /** Records messages from now on. Returns a function that ends it. */
  trace(options: TraceOptions): () => void {
    const { clock } = this.#context;
    return traceConnection({ connection: this.peer.connection, wire: this.#wire, clock }, options);
  }

  close(): Promise<void> {
    return this.peer.connection.close();
  }
}

interface IntroductionParts {
  readonly versions: Versions;
  readonly connection: Connection;
  readonly phases: PhaseContext;
}

/** Makes the agent an offer. One that refuses it with an error, and stays, is asked again for an older version. */
async function introduce(
  context: LinkContext,
  { versions, connection, phases }: IntroductionParts,
): Promise<ConnectedPeer> {
  const initializeAs = (offered: Versions): Promise<ConnectedPeer> =>
    runPhase('initialize', phases, (signal) =>
      initialize({
        ...context,
        versions: offered,
        connection,
        agent: context.source.name,
        signal,
        onInvalid: reportInvalid(context),
      }),
    );
  const older = olderOf(versions);
  try {
    return await initializeAs(versions);
  } catch (error) {
    if (!older || connection.isClosed || !isErrorAnswer(error)) throw error;
    reportRefusal(context, versions, error);
    return await initializeAs(older);
  }
}

function isErrorAnswer(error: unknown): boolean {
  return error instanceof RpcError || (error instanceof AgentError && error.cause instanceof RpcError);
}

function phaseContext(context: LinkContext, inspect: () => AgentEnd): PhaseContext {
  const { source, clock, deadlines, onPhase, isPaused } = context;
  return { agent: source.name, clock, deadlines, onPhase, inspect, isPaused };
}

/** A wire, and how the agent at its end words ACP. */
interface SpokenWire extends AgentWire {
  readonly spoken: DialectWire;
}

async function openWire(context: LinkContext, phases: PhaseContext): Promise<SpokenWire> {
  const { source, dialect, signal } = context;
  try {
    const wire = await runPhase('spawn', phases, (phaseSignal) => openOrUndo(context, phaseSignal));
    return { ...wire, spoken: await openDialectWire(wire, dialect) };
  } catch (error) {
    if (error instanceof AgentError || signal?.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const message = error instanceof ParleyError ? why : `${source.name} could not be reached: ${why}`;
    throw new AgentError({ code: 'agent_unreachable', message, agent: source.name, phase: 'spawn', cause: error });
  }
}

/** A wire that opens after we gave up is closed again. */
async function openOrUndo({ source, onDiagnostic }: LinkContext, signal: AbortSignal): Promise<AgentWire> {
  const wire = await source.open(signal, (diagnostic) => onDiagnostic({ ...diagnostic, suppressed: 0 }));
  if (!signal.aborted) return wire;
  await wire.transport.close();
  throw signal.reason;
}

function openConnection(
  wire: SpokenWire,
  context: Omit<LinkContext, 'versions'> & { readonly versions: Versions },
  unreadable: AbortController,
): Connection {
  const { source, clock, traces, duties, versions, onDiagnostic } = context;
  const connection = createConnection(wire.spoken.transport, {
    sessionIdOf,
    strictIds: versions.every(({ hasStrictIds }) => hasStrictIds),
    onDiagnostic(diagnostic) {
      if (diagnostic.kind !== 'message_too_large') return onDiagnostic(diagnostic);
      const message = `${source.name} sent ${diagnostic.message}`;
      onDiagnostic({ ...diagnostic, message: `${message}; that message was passed over.` });
      // Output that is too large to be a message fails at once; no deadline has to pass first.
      unreadable.abort(notAnAgent(`${message}; is it an ACP agent, and does it need a flag such as --acp?`, source));
    },
  });
  for (const trace of traces) traceConnection({ connection, wire, clock }, trace);
  serveExtensions(connection, duties);
  return connection;
}

function reportInvalid({ onDiagnostic }: LinkContext): OnInvalid {
  return (message, { method, sessionId }) =>
    onDiagnostic({
      kind: 'invalid_message',
      message,
      direction: 'in',
      method,
      ...(sessionId !== undefined && { sessionId }),
      suppressed: 0,
    });
}

function notAnAgent(message: string, { name: agent }: AgentSource): AgentError {
  return new AgentError({ code: 'invalid_answer', message, agent, phase: 'initialize' });
}
