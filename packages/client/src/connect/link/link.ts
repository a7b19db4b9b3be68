import type { DialectSetting } from '@parley/dialects';
import {
  type CloseReason,
  ConnectionClosedError,
  createConnection,
  ParleyError,
  RequestTimeoutError,
} from '@parley/jsonrpc';
import { sessionIdOf, ValidationError, v1 } from '@parley/protocol';
import type { Clock } from '../../clock.ts';
import type { ClientDiagnostic } from '../../diagnostics.ts';
import { AgentError, UsageError } from '../../errors.ts';
import type { AgentFacts, AgentPeer, ClientDuties, ClientOffer } from '../../peer/agent-peer.ts';
import { createV1Peer } from '../../peer/v1/v1-peer.ts';
import { type TraceOptions, traceConnection } from '../../trace/trace.ts';
import { type AgentEnd, type AgentSource, type AgentWire, describeEnd } from '../source/agent-source.ts';
import { type DialectWire, openDialectWire } from '../source/dialect-wire.ts';
import { type Deadlines, type Phase, type PhaseContext, type PhaseEvent, runPhase } from './phases.ts';

export interface LinkContext {
  readonly source: AgentSource;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly onPhase: (event: PhaseEvent) => void;
  readonly onDiagnostic: (diagnostic: ClientDiagnostic) => void;
  readonly traces: Iterable<TraceOptions>;
  readonly duties: ClientDuties;
  readonly offer: ClientOffer;
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

  private constructor(context: LinkContext, wire: SpokenWire, peer: AgentPeer, facts: AgentFacts) {
    this.#context = context;
    this.#wire = wire;
    this.peer = peer;
    this.facts = facts;
  }

  /** Starts or dials the agent and introduces ourselves. Leaves nothing behind when it fails. */
  static async open(context: LinkContext): Promise<Link> {
    const { source, signal } = context;
    let wire: SpokenWire | undefined;
    const phases = { ...phaseContext(context, () => describeEnd(wire)), signal };
    wire = await openWire(context, phases);
    const unreadable = new AbortController();
    const { peer, close } = putPeerOn(wire, context, unreadable);
    try {
      const heard = { ...phases, signal: signal ? AbortSignal.any([signal, unreadable.signal]) : unreadable.signal };
      const facts = await runPhase('initialize', heard, (phaseSignal) =>
        peer.initialize(context.offer, { signal: phaseSignal, meta: context.offer.meta }),
      );
      requireVersion(facts, source.name);
      return new Link(context, wire, peer, facts);
    } catch (error) {
      const explained = explain(error, { agent: source.name, phase: 'initialize', wire });
      await close();
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

  close(): Promise<void> {
    return this.peer.connection.close();
  }
}

function phaseContext(context: LinkContext, inspect: () => AgentEnd): PhaseContext {
  const { source, clock, deadlines, onPhase, isPaused } = context;
  return { agent: source.name, clock, deadlines, onPhase, inspect, isPaused };
}

/** A wire, and how the agent at its end words ACP. */
interface SpokenWire extends AgentWire {
  readonly spoken: DialectWire;
}

async function openWire({ source, dialect, signal }: LinkContext, phases: PhaseContext): Promise<SpokenWire> {
  try {
    const wire = await runPhase('spawn', phases, (phaseSignal) => openOrUndo(source, phaseSignal));
    return { ...wire, spoken: await openDialectWire(wire.transport, dialect) };
  } catch (error) {
    if (error instanceof AgentError || signal?.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const message = error instanceof ParleyError ? why : `${source.name} could not be reached: ${why}`;
    throw new AgentError({ code: 'agent_unreachable', message, agent: source.name, phase: 'spawn', cause: error });
  }
}

/** A wire that opens after we gave up is closed again. */
async function openOrUndo(source: AgentSource, signal: AbortSignal): Promise<AgentWire> {
  const wire = await source.open(signal);
  if (!signal.aborted) return wire;
  await wire.transport.close();
  throw signal.reason;
}

function putPeerOn(
  wire: SpokenWire,
  context: LinkContext,
  unreadable: AbortController,
): { peer: AgentPeer; close: () => Promise<void> } {
  const { source, clock, traces, duties, onDiagnostic } = context;
  const connection = createConnection(wire.spoken.transport, {
    sessionIdOf,
    onDiagnostic(diagnostic) {
      if (diagnostic.kind !== 'message_too_large') return onDiagnostic(diagnostic);
      const message = `${source.name} sent ${diagnostic.message}`;
      onDiagnostic({ ...diagnostic, message: `${message}; that message was passed over.` });
      // What cannot be a message is noticed by its size: no deadline has to pass first.
      unreadable.abort(notAnAgent(`${message}; is it an ACP agent, and does it need a flag such as --acp?`, source));
    },
  });
  for (const trace of traces) traceConnection(connection, trace, clock);
  const peer = createV1Peer(connection, duties, (message, { method, sessionId }) =>
    onDiagnostic({
      kind: 'invalid_message',
      message,
      direction: 'in',
      method,
      ...(sessionId !== undefined && { sessionId }),
      suppressed: 0,
    }),
  );
  return { peer, close: () => connection.close() };
}

function notAnAgent(message: string, { name: agent }: AgentSource): AgentError {
  return new AgentError({ code: 'invalid_answer', message, agent, phase: 'initialize' });
}

function requireVersion({ protocolVersion }: AgentFacts, agent: string): void {
  if (protocolVersion === v1.version) return;
  const message = `${agent} speaks ACP version ${protocolVersion}, but this client speaks version ${v1.version}. Update whichever is older.`;
  throw new AgentError({ code: 'unsupported_version', message, agent, phase: 'initialize' });
}

interface Explanation {
  readonly agent: string;
  readonly phase: Phase | undefined;
  readonly wire: AgentWire;
}

/** Names agent, phase, exit code and last words where an error is about the agent itself; other errors pass unchanged. */
function explain(error: unknown, { agent, phase, wire }: Explanation): unknown {
  const during = phase === undefined ? '' : ` during ${phase}`;
  if (error instanceof ConnectionClosedError && error.reason.kind === 'closed') {
    return new UsageError('connection_closed', `The connection to ${agent} was closed on this side.`, { cause: error });
  }
  if (error instanceof ConnectionClosedError) {
    const end = describeEnd(wire, error.reason);
    const hasExited = end.exitCode !== undefined || end.signal !== undefined;
    const message = hasExited
      ? `${agent} ${howItEnded(end)}${during}.`
      : `The connection to ${agent} was lost${during}.`;
    return new AgentError({
      code: hasExited ? 'agent_exited' : 'connection_lost',
      message,
      agent,
      phase,
      end,
      cause: error,
    });
  }
  if (error instanceof RequestTimeoutError) {
    return new AgentError({
      code: 'deadline_passed',
      message: `${agent}: ${error.message}`,
      agent,
      phase,
      end: describeEnd(wire),
      cause: error,
    });
  }
  if (error instanceof ValidationError) {
    const message = `${agent} gave an answer that ACP does not allow${during}: ${error.message}.`;
    return new AgentError({ code: 'invalid_answer', message, agent, phase, cause: error });
  }
  return error;
}

function howItEnded({ exitCode, signal }: AgentEnd): string {
  if (signal != null) return `was killed by ${signal}`;
  return exitCode == null ? 'ended' : `exited with code ${exitCode}`;
}
