import { RpcError } from '@parley/jsonrpc';
import { type AgentCapabilities, type ClientCapabilities, type ContentBlock, errorOfKind, v1 } from '@parley/protocol';
import { v2 } from '@parley/protocol/v2';
import { type Fields, fieldsOf } from '../../messages/message.ts';
import type { Answer } from '../../probe/answer.ts';
import { type Probe, sleep } from '../../probe/probe.ts';
import type { Protocol } from '../../versions/protocol.ts';

/** One way for an agent to treat the client under test. */
export interface Scenario {
  readonly name: string;
  readonly capabilities?: AgentCapabilities;
  /** The answer to `initialize`. Default: version 1 with the capabilities above. */
  initialize?(agent: ScriptedAgent): Fields;
  /** What comes right after a prompt, before it is answered where the version answers it at once. */
  prompted?(agent: ScriptedAgent): void;
  /** Replaces the answer to `session/new`; may throw an `RpcError`. */
  newSession?(agent: ScriptedAgent): Fields | undefined;
  /** What happens in a turn; the stop reason if it is not `end_turn`. */
  turn(agent: ScriptedAgent): Promise<string | undefined> | string | undefined | Promise<void> | void;
  /** Sent to the client's process when the turn says that it is time. */
  readonly signal?: NodeJS.Signals;
  /** Answers methods that others refuse. */
  readonly responders?: Readonly<Record<string, (params: Fields, agent: ScriptedAgent) => unknown>>;
}

/** Something that happened besides frames. */
export type Mark = 'turn' | 'signal' | 'done' | 'input ended';

export interface ScriptedAgentOptions {
  readonly onMark: (mark: Mark) => void;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** The agent that a client under test talks to. It follows a scenario, and everything is on record. */
export class ScriptedAgent {
  readonly probe: Probe;
  readonly sessionId = 'parley-session-1';
  readonly #options: ScriptedAgentOptions;
  cwd = '';
  client: ClientCapabilities = {};
  /** The id of the prompt that is being answered. */
  promptId: unknown;
  isAuthenticated = false;
  #cancelled: () => void = () => {};
  /** Resolves when the client has sent `session/cancel`. */
  readonly cancelled: Promise<void> = new Promise((resolve) => {
    this.#cancelled = resolve;
  });

  constructor(probe: Probe, options: ScriptedAgentOptions) {
    this.probe = probe;
    this.#options = options;
  }

  mark(mark: Mark): void {
    this.#options.onMark(mark);
  }

  /** Goes down in the middle of everything. */
  die(): void {
    this.#options.exit(1);
  }

  noteCancel(): void {
    this.#cancelled();
  }

  get protocol(): Protocol {
    return this.probe.words.version;
  }

  update(update: Fields, sessionId: string = this.sessionId): void {
    this.probe.notify('session/update', { sessionId, update });
  }

  say(text: string): void {
    const messageId = this.protocol === 1 ? {} : { messageId: 'parley-answer' };
    const content = { type: 'text', text } satisfies ContentBlock;
    this.update({ sessionUpdate: 'agent_message_chunk', ...messageId, content });
  }

  /** Announces a tool call. */
  announce(toolCall: Fields): void {
    this.update({ sessionUpdate: this.protocol === 1 ? 'tool_call' : 'tool_call_update', ...toolCall });
  }

  /** Asks the client for something, under an id by which the checks find it again. */
  ask(id: string | number, method: string, params: Fields): Promise<Answer> {
    return this.probe.request(method, params, { id });
  }
}

/** Lets the scenario play on a probe. */
export function playScenario(scenario: Scenario, agent: ScriptedAgent): void {
  const { probe } = agent;
  probe.respond('initialize', (params) => {
    agent.client = readClient(agent.protocol, params);
    if (scenario.initialize) return scenario.initialize(agent);
    return agent.protocol === 1 ? defaultInitialize(scenario.capabilities) : defaultInitialize2();
  });
  probe.respond('session/new', (params) => {
    agent.cwd = String(fieldsOf(params).cwd ?? '');
    return scenario.newSession?.(agent) ?? { sessionId: agent.sessionId };
  });
  probe.respond('session/prompt', async (params, { id }) => {
    agent.promptId = id;
    agent.mark('turn');
    scenario.prompted?.(agent);
    if (agent.protocol === 2) return insertPrompt(scenario, agent, params);
    return { stopReason: await takeTurn(scenario, agent) };
  });
  for (const [method, answer] of Object.entries(scenario.responders ?? {})) {
    probe.respond(method, (params) => answer(fieldsOf(params), agent));
  }
  void probe
    .waitFor(({ value }) => fieldsOf(value).method === 'session/cancel', { timeoutMs: MAX_SCENARIO_MS })
    .then((frame) => frame && agent.noteCancel());
}

async function takeTurn(scenario: Scenario, agent: ScriptedAgent): Promise<string> {
  const stopReason = await scenario.turn(agent);
  // To a client that has left, nothing is done.
  if (!agent.probe.wire.isEnded) agent.mark('done');
  return stopReason ?? 'end_turn';
}

/** A prompt of version 2 is answered when it is part of the conversation; its turn goes on, and ends with an idle state. */
function insertPrompt(scenario: Scenario, agent: ScriptedAgent, params: unknown): Fields {
  const messageId = 'parley-prompt';
  const work = async (): Promise<void> => {
    // Until the answer has left.
    await sleep(1);
    agent.update({ sessionUpdate: 'user_message', messageId, content: fieldsOf(params).prompt });
    agent.update({ sessionUpdate: 'state_update', state: 'running' });
    const stopReason = await takeTurn(scenario, agent);
    agent.update({ sessionUpdate: 'state_update', state: 'idle', stopReason });
  };
  void work();
  return { messageId };
}

/** What the client can do. One that does not speak the version of the scenario is told so. */
function readClient(protocol: Protocol, params: unknown): ClientCapabilities {
  if (protocol === 1) return v1.parseParams('initialize', params).clientCapabilities ?? {};
  const requested = fieldsOf(params).protocolVersion;
  if (Number(requested) < protocol) throw errorOfKind('unsupported_version', { data: { requested, supported: [2] } });
  return fieldsOf(v2.parseParams('initialize', params).capabilities) as ClientCapabilities;
}

/** No scenario lasts longer. */
export const MAX_SCENARIO_MS = 60_000;

export const AGENT_INFO = { name: 'parley-check', title: 'Parley scripted agent', version: '0.1.0' } as const;

/** Every marker that is not set is null, which means the same as if it were missing. */
function defaultInitialize(capabilities: AgentCapabilities = {}): Fields {
  return {
    protocolVersion: 1,
    agentInfo: AGENT_INFO,
    authMethods: [],
    agentCapabilities: {
      loadSession: false,
      sessionCapabilities: { list: null, delete: null, resume: null, close: null, additionalDirectories: null },
      auth: { logout: null },
      ...capabilities,
    },
  };
}

function defaultInitialize2(): Fields {
  return {
    protocolVersion: 2,
    info: AGENT_INFO,
    authMethods: [],
    capabilities: { session: { delete: null, mcp: null } },
  };
}

export function authRequired(): RpcError {
  return new RpcError(-32000, 'Authentication required');
}
