import type { PermissionSettings, Session, Turn } from '@parley/agent';
import {
  type AgentConnection,
  type AgentSource,
  type ConnectOptions,
  connect,
  type ElicitationHandler,
  type FormQuestion,
  type PageQuestion,
} from '@parley/client';
import { nodeHost } from '@parley/client/node';
import { createMemoryRemembered, type RememberedStore } from '@parley/policy';
import type { AgentCallOutcome, AgentCallRequest } from '../operations/operations.ts';
import { untilAborted } from '../until-aborted.ts';
import { VERSION } from '../version.ts';
import { AgentCall } from './agent-call.ts';
import { nextDepth } from './call-depth.ts';
import { summarizeCall } from './call-summary.ts';
import {
  type CalledAgent,
  type CalledAgents,
  DEFAULT_MAX_DURATION_MS,
  DEFAULT_MAX_TOOL_CALLS,
  toCalledAgent,
} from './called-agent.ts';
import { openCalledSession } from './called-session.ts';

export interface AgentPoolOptions {
  readonly agents: CalledAgents;
  /** The session of ours whose model calls them. */
  readonly session: Session;
  /** How many agents have called each other to get to that session. */
  readonly depth: number;
  /** What may happen in that session without asking; it holds for what the agents do through us, too. */
  readonly permissions: () => PermissionSettings;
}

/** An agent that was asked to stop, and has not, is ended after this. */
const CANCEL_GRACE_MS = 2000;
/** The sessions of an agent that can be gone on with. */
const MAX_KNOWN_SESSIONS = 50;

/** The agents that one session of ours has called: started with their first call, and ended with the session. */
export class AgentPool implements AsyncDisposable {
  readonly #options: AgentPoolOptions;
  readonly #connections = new Map<string, Promise<AgentConnection>>();
  /** The calls under way, by agent and session. */
  readonly #calls = new Map<string, AgentCall>();
  readonly #closing = new AbortController();
  readonly #remembered: RememberedStore = createMemoryRemembered();

  constructor(options: AgentPoolOptions) {
    this.#options = options;
  }

  /** A failure is a result, for the model to read; only an abort throws. */
  async call(turn: Turn, request: AgentCallRequest): Promise<AgentCallOutcome> {
    const { name, signal } = request;
    const found = Object.hasOwn(this.#options.agents, name) ? this.#options.agents[name] : undefined;
    if (!found) return failure(`There is no agent "${name}".`);
    try {
      return await this.#run(turn, request, toCalledAgent(found));
    } catch (error) {
      signal.throwIfAborted();
      return failure(`${name} could not do it: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    const open = await Promise.allSettled(this.#connections.values());
    await Promise.allSettled(open.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)));
  }

  async #run(turn: Turn, request: AgentCallRequest, agent: CalledAgent): Promise<AgentCallOutcome> {
    const { name, signal } = request;
    const { session: own, depth } = this.#options;
    const connection = await untilAborted(this.#connect(name, agent, turn), signal);
    const { session, notes } = await untilAborted(
      openCalledSession(connection, {
        name,
        agent,
        roots: own.roots,
        meta: nextDepth(depth).meta,
        wanted: request.session,
        isKnown: (sessionId) => this.#knownSessions(name).includes(sessionId),
      }),
      signal,
    );
    this.#know(name, session.id);
    const { maxToolCalls = DEFAULT_MAX_TOOL_CALLS, maxDurationMs = DEFAULT_MAX_DURATION_MS } = agent;
    const onStuck = (): void => void connection.close();
    const call = new AgentCall({ turn, request, session, maxToolCalls, maxDurationMs, onStuck });
    const key = keyOf(name, session.id);
    this.#calls.set(key, call);
    try {
      const end = await call.run();
      return summarizeCall({ agent: name, sessionId: session.id, cwd: own.cwd, notes, ...end });
    } finally {
      this.#calls.delete(key);
    }
  }

  /** The agent as it runs, or started now; one that has ended is started again. */
  #connect(name: string, agent: CalledAgent, turn: Turn): Promise<AgentConnection> {
    const running = this.#connections.get(name);
    if (running) return running;
    const starting = this.#start(name, agent, turn);
    this.#connections.set(name, starting);
    const forget = (): void => {
      if (this.#connections.get(name) === starting) this.#connections.delete(name);
    };
    starting.then(({ closed }) => closed.then(forget, forget), forget);
    return starting;
  }

  async #start(name: string, { source, connect: how }: CalledAgent, turn: Turn): Promise<AgentConnection> {
    const { env, meta } = nextDepth(this.#options.depth);
    const found = typeof source === 'function' ? await source(env) : source;
    return connect(withHost(found), {
      clientInfo: { name: 'parley', title: 'Parley', version: VERSION },
      workspace: {},
      // One on another machine would get commands of this one thereby, which it could not run by itself.
      terminals: found.redial === undefined,
      meta,
      limits: { cancelGraceMs: CANCEL_GRACE_MS },
      ...how,
      permissions: this.#permissionsOf(name),
      elicitation: this.#elicitationOf(name, turn),
      signal: this.#closing.signal,
    });
  }

  /** The rules of our session, as they are when they are asked; what they leave open is for our person. */
  #permissionsOf(name: string): NonNullable<ConnectOptions['permissions']> {
    const { permissions } = this.#options;
    return {
      get mode() {
        return permissions().mode ?? 'default';
      },
      get rules() {
        return permissions().rules ?? [];
      },
      remembered: permissions().remembered ?? this.#remembered,
      ask: async (question, { signal }) => {
        const call = this.#calls.get(keyOf(name, question.sessionId ?? ''));
        return call ? await call.askPermission(question, signal) : 'reject';
      },
    };
  }

  #elicitationOf(name: string, { client: { offers } }: Turn): NonNullable<ConnectOptions['elicitation']> {
    const ask: ElicitationHandler<FormQuestion | PageQuestion> = async (question, { signal }) => {
      const call = this.#calls.get(keyOf(name, question.sessionId ?? ''));
      return (await call?.elicit(question, signal)) ?? { action: 'cancel' };
    };
    return { ...(offers.elicitForm && { form: ask }), ...(offers.elicitUrl && { url: ask }) };
  }

  #knownSessions(name: string): readonly string[] {
    const { calledSessions } = this.#options.session.state as { calledSessions?: Record<string, readonly string[]> };
    return calledSessions?.[name] ?? [];
  }

  /** Kept with our session, so that its model finds them again when it is loaded. */
  #know(name: string, sessionId: string): void {
    const { state } = this.#options.session;
    const others = this.#knownSessions(name).filter((each) => each !== sessionId);
    const known = [...others, sessionId].slice(-MAX_KNOWN_SESSIONS);
    state.calledSessions = { ...(state.calledSessions as object | undefined), [name]: known };
  }
}

function failure(text: string): AgentCallOutcome {
  return { text, isError: true };
}

function keyOf(name: string, sessionId: string): string {
  return `${name}\n${sessionId}`;
}

/** Files and terminals are those of this machine, however the agent is reached. */
function withHost(source: AgentSource): AgentSource {
  return source.host ? source : { ...source, open: (signal) => source.open(signal), host: nodeHost };
}
