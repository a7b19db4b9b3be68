import { tellLosses } from '@parley/chat/view';
import { type AgentConnection, AgentError, type AgentSource, type ConnectOptions, connect } from '@parley/client';
import { type HostedAgent, hostAgent } from '@parley/gateway/host';
import { RpcError, type Transport } from '@parley/jsonrpc';
import { type ClientOffers, clientOffersFromV1 } from '@parley/session';
import { createMemoryPair } from '@parley/transports/memory';
import type { ConnectAgentOptions, ConnectedAgent, Hosting } from './hosting.ts';

/** Whose the logs of hosted agents are in the store. */
export const HOSTED = 'hosted';

type Diagnostic = Parameters<NonNullable<ConnectOptions['onDiagnostic']>>[0];

/** Each part of the way waits for the one behind it. */
const GRACE_STEP_MS = 500;
/** How long a turn may take to end when the connection is closed. */
const CLOSE_GRACE_MS = 300;
/** The longest time that a timer can wait for: the agent runs as long as its client. */
const NEVER_MS = 2_147_483_647;

/**
 * Hosts an agent in this process, over a memory pair: an agent of ours on the store, whose turns the agent carries out. Phases, traces,
 * silence and faults are those of the agent; permissions, files, terminals and logins are answered by the client, as without a host.
 */
export async function hostInProcess(
  request: ConnectAgentOptions & { readonly hosting: Hosting },
): Promise<ConnectedAgent> {
  const { source, options, hosting, say } = request;
  const faults = new Faults(options.onDiagnostic);
  let host = createHost(request, faults);
  let agent: AgentConnection;
  const start = async (): Promise<void> => {
    try {
      agent = await host.start(offersOf(options), HOSTED);
    } catch (error) {
      await host.close({ graceMs: 0 });
      throw error;
    }
    tellLosses(agent, say);
  };
  // The agent's own connection says best why it does not start.
  await start();
  let isStarted = true;
  const { name, host: platform, authenticateInTerminal } = source;
  const hosted: AgentSource = {
    name,
    ...(platform && { host: platform }),
    ...(authenticateInTerminal && {
      authenticateInTerminal: (login, loginSignal) => authenticateInTerminal.call(source, login, loginSignal),
    }),
    async open() {
      // A link is opened again after a login in the terminal: the agent must read its credentials anew.
      if (!isStarted) {
        host = createHost(request, faults);
        await start();
      }
      isStarted = false;
      const [near, far] = createMemoryPair();
      const whenClientLeaves = hosting.reserves === 'open' ? 'keep' : 'cancel';
      void host.serve(far, { principal: HOSTED, whenClientLeaves });
      return { transport: closesHost(near, host), carriesUpdates: () => agent.carriesUpdates };
    },
  };
  const connection = await connect(hosted, clientOptions(options));
  return {
    connection,
    whenSaved: () => host.whenSaved(),
    explain: (error) => faults.explain(error),
    pause: () => connection.pause(),
    resume: () => connection.resume(),
  };
}

function createHost(
  { source, options, hosting }: ConnectAgentOptions & { readonly hosting: Hosting },
  faults: Faults,
): HostedAgent {
  const { clientInfo, deadlines, dialect, protocol, trace, watchdog, onPhase, reconnect, signal, auth, extensions } =
    options;
  const cancelGraceMs = options.limits?.cancelGraceMs;
  return hostAgent(source, {
    store: hosting.store,
    processes: 'shared',
    idleMs: NEVER_MS,
    rememberBy: 'nothing',
    unstable: false,
    embedded: { reserves: hosting.reserves },
    connect: {
      ...(clientInfo && { clientInfo }),
      ...(deadlines && { deadlines }),
      ...(dialect && { dialect }),
      ...(protocol !== undefined && { protocol }),
      ...(trace && { trace }),
      ...(watchdog && { watchdog }),
      ...(onPhase && { onPhase }),
      ...(reconnect !== undefined && { reconnect }),
      ...(signal && { signal }),
      ...(auth?.credentials && { auth: { credentials: auth.credentials } }),
      ...(extensions && { extensions }),
      ...(cancelGraceMs !== undefined && { limits: { cancelGraceMs } }),
    },
    limits: { ...(cancelGraceMs !== undefined && { cancelGraceMs: cancelGraceMs + GRACE_STEP_MS }) },
    onDiagnostic: (diagnostic) => faults.take(diagnostic as Diagnostic),
  });
}

/** The options of the client's end of the memory pair: what belongs to the agent's own connection is left out. */
function clientOptions(options: ConnectOptions): ConnectOptions {
  const { deadlines: _deadlines, dialect: _dialect, protocol: _protocol, trace: _trace, ...others } = options;
  const { watchdog: _watchdog, onPhase: _onPhase, reconnect: _reconnect, extensions: _extensions, ...rest } = others;
  const cancelGraceMs = options.limits?.cancelGraceMs;
  return {
    ...rest,
    protocol: 'auto',
    deadlines: ENDLESS,
    limits: {
      ...options.limits,
      ...(cancelGraceMs !== undefined && { cancelGraceMs: cancelGraceMs + 2 * GRACE_STEP_MS }),
    },
  };
}

/** The agent's own connection keeps the deadlines. */
const ENDLESS: NonNullable<ConnectOptions['deadlines']> = {
  spawn: Number.POSITIVE_INFINITY,
  initialize: Number.POSITIVE_INFINITY,
  authenticate: Number.POSITIVE_INFINITY,
  'session/new': Number.POSITIVE_INFINITY,
  'session/load': Number.POSITIVE_INFINITY,
  'session/resume': Number.POSITIVE_INFINITY,
  'session/fork': Number.POSITIVE_INFINITY,
};

function offersOf({ workspace, terminals, elicitation, auth }: ConnectOptions): ClientOffers {
  return {
    ...clientOffersFromV1({}, false),
    readTextFile: workspace !== undefined,
    writeTextFile: workspace !== undefined,
    terminals: Boolean(terminals),
    elicitForm: elicitation?.form !== undefined,
    elicitUrl: elicitation?.url !== undefined,
    terminalAuth: auth?.terminal === true,
  };
}

/** The end of the connection is the end of the agent. */
function closesHost(near: Transport, host: HostedAgent): Transport {
  let makeRoom: (() => void) | undefined;
  return {
    send: (message) => near.send(message),
    ...(near.whenSent && { whenSent: () => near.whenSent?.() ?? Promise.resolve() }),
    onMessage: (listener) => near.onMessage(listener),
    onFault: (listener) => near.onFault(listener),
    onClose: (listener) => near.onClose(listener),
    // The host reads on for other clients; here is none, and what the agent sends would only pile up.
    pause() {
      near.pause();
      if (makeRoom) return;
      host.pauseUntil(
        new Promise((resolve) => {
          makeRoom = resolve;
        }),
      );
    },
    resume() {
      near.resume();
      makeRoom?.();
      makeRoom = undefined;
    },
    async close() {
      await near.close();
      await host.close({ graceMs: CLOSE_GRACE_MS });
    },
  };
}

/** Kinds of diagnostics that our own side of the host reports of itself; the client hears of them by answers. */
const OWN_KINDS: ReadonlySet<string> = new Set([
  'turn_failed',
  'turn_abandoned',
  'handler_failed',
  'log_failed',
  'session_over',
]);

/** Faults of the agent, which reach the client as answers of the host. */
class Faults {
  readonly #onDiagnostic: ConnectOptions['onDiagnostic'];
  #last: AgentError | undefined;

  constructor(onDiagnostic: ConnectOptions['onDiagnostic']) {
    this.#onDiagnostic = onDiagnostic;
  }

  take(diagnostic: Diagnostic): void {
    const { cause } = (diagnostic.error ?? {}) as { readonly cause?: unknown };
    if (cause instanceof AgentError) this.#last = cause;
    if (!OWN_KINDS.has(diagnostic.kind)) this.#onDiagnostic?.(diagnostic);
  }

  /** The fault behind an answer of the host. */
  explain(error: unknown): unknown {
    return error instanceof RpcError && error.message === this.#last?.message ? this.#last : error;
  }
}
