import type { InitializeResponse } from '@parley/protocol';
import type { CheckLimits } from '../../limits.ts';
import type { ClientProfile } from '../../messages/client-profile.ts';
import { fieldsOf } from '../../messages/message.ts';
import type { Trace } from '../../messages/trace.ts';
import {
  type Answer,
  AUTH_REQUIRED,
  describeAnswer,
  requireResult,
  show,
  stopIfAuthIsNeeded,
} from '../../probe/answer.ts';
import { serveClient } from '../../probe/client-services.ts';
import { Probe } from '../../probe/probe.ts';
import { requireSession, type Session, sendNewSession, type Turn } from '../../probe/session.ts';
import type { Workspace } from '../../run/workspace.ts';
import { skip, Verdict } from '../../verdict.ts';
import type { Protocol } from '../../versions/protocol.ts';
import type { Wire } from '../../wire/wire.ts';
import type { Target } from '../agent-target.ts';
import { openWire } from './open-wire.ts';
import type { Prompts } from './prompts.ts';

export interface AgentRunOptions {
  readonly target: Target;
  readonly protocol: Protocol;
  readonly limits: CheckLimits;
  readonly prompts: Prompts;
  readonly workspace: Workspace;
  /** Called with this method after every `initialize`. */
  readonly authMethod?: string;
  /** Whether `logout` may be tried, which really logs the person out. */
  readonly allowLogout?: boolean;
}

/** `gentle`: only what the specification allows. `abused`: anything. `raw`: whatever one check does with it. */
export type Treatment = 'gentle' | 'abused' | 'raw';

/** What was heard on one wire. */
export interface Hearing {
  readonly trace: Trace;
  readonly protocol: Protocol;
  readonly treatment: Treatment;
  /** What the agent was told that the client can do, where that is known. */
  readonly profile?: ClientProfile;
  /** Which check brought which frames about: those after `from`, up to `to`. */
  readonly spans: { readonly id: string; readonly from: number; readonly to: number }[];
}

interface StartedAgent {
  readonly probe: Probe;
  readonly answer: Answer;
}

/** The agent under test during one run: its processes, what they said, and what is known about it by now. */
export class AgentRun {
  readonly options: AgentRunOptions;
  readonly hearings: Hearing[] = [];
  /** Whether the agent has refused something for lack of authentication. */
  needsAuthentication = false;
  readonly #started = new Map<string, Promise<StartedAgent>>();
  readonly #closing = new Set<Promise<void>>();
  readonly #memory = new Map<string, Promise<unknown>>();
  #onOpen: (probe: Probe) => void = () => {};
  #spare: Promise<Wire> | undefined;

  constructor(options: AgentRunOptions) {
    this.options = options;
  }

  /** Calls back with each probe that is opened or handed out from now on. */
  onUse(listener: (probe: Probe) => void): void {
    this.#onOpen = listener;
  }

  /** Does something once per run; later calls get the same outcome. */
  once<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#memory.get(key) as Promise<Value> | undefined;
    if (known) return known;
    const made = make();
    made.catch(() => {});
    this.#memory.set(key, made);
    return made;
  }

  /** A new process that has been told nothing. */
  async open(treatment: Treatment, profile: ClientProfile = 'full'): Promise<Probe> {
    const { target, protocol, limits, workspace } = this.options;
    const opening = this.#spare ?? this.#openWire();
    // Checks that want a process of their own come in rows: the next one starts while this one is looked at.
    this.#spare = treatment === 'raw' && target.kind === 'command' ? this.#openWire() : undefined;
    const wire = await opening;
    const name = `${treatment}-${this.hearings.length + 1}`;
    const probe = new Probe(wire, { name, side: 'client', limits, protocol });
    serveClient(probe, { profile, cwd: workspace.cwd });
    this.hearings.push({
      trace: probe.trace,
      protocol,
      treatment,
      spans: [],
      ...(treatment === 'raw' ? {} : { profile }),
    });
    this.#onOpen(probe);
    return probe;
  }

  /** The process of this kind that all checks share, initialized; a new one if the last has ended. */
  async initialized(treatment: Exclude<Treatment, 'raw'>, profile: ClientProfile = 'full'): Promise<StartedAgent> {
    const key = `${treatment} ${profile}`;
    const known = await this.#started.get(key);
    if (known && !known.probe.wire.isEnded) {
      this.#onOpen(known.probe);
      return known;
    }
    const starting = this.#start(treatment, profile);
    starting.catch(() => {});
    this.#started.set(key, starting);
    return starting;
  }

  /** Gives up a process whose state nobody knows any more. */
  discard(probe: Probe): void {
    for (const [key, started] of this.#started) {
      void started.then(
        (known) => known.probe === probe && this.#started.get(key) === started && this.#started.delete(key),
        () => {},
      );
    }
    this.close(probe);
  }

  /** Ends a process without waiting for it. */
  close(probe: Probe): void {
    const closing = probe.close().catch(() => {});
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }

  async closeAll(): Promise<void> {
    await this.#spare?.then((wire) => wire.close());
    for (const started of this.#started.values()) await started.then(({ probe }) => this.close(probe)).catch(() => {});
    await Promise.all(this.#closing);
  }

  /** What the agent answered to `initialize`; an earlier failure is reported by INIT-01. */
  async facts(): Promise<InitializeResponse> {
    const { answer } = await this.initialized('gentle');
    const { protocol } = this.options;
    const told = answer.kind === 'result' ? fieldsOf(answer.result).protocolVersion : protocol;
    // That version 1 is answered with another is a finding of its own.
    if (protocol > 1 && told !== protocol)
      skip(`The agent answers version ${show(told)}; check that with --protocol ${show(told)}.`);
    try {
      return requireResult(answer, 'initialize');
    } catch (error) {
      if (error instanceof Verdict)
        skip(`The agent does not initialize; see INIT-01. It gave ${describeAnswer(answer)}.`);
      throw error;
    }
  }

  async newSession(
    probe: Probe,
    params: { readonly cwd?: string; readonly [name: string]: unknown } = {},
  ): Promise<Session> {
    const answer = await sendNewSession(probe, { cwd: this.options.workspace.cwd, ...params });
    this.#stopIfAuthIsNeeded(answer);
    return requireSession(probe, answer);
  }

  /** The session that gentle checks share. */
  async session(profile: ClientProfile = 'full'): Promise<Session> {
    const { probe } = await this.initialized('gentle', profile);
    return this.once(`session ${profile} ${probe.trace.name}`, async () => {
      const answer = await sendNewSession(probe, { cwd: this.options.workspace.cwd });
      this.#stopIfAuthIsNeeded(answer);
      if (answer.kind !== 'result') skip(`No session can be opened; see SESS-01. It gave ${describeAnswer(answer)}.`);
      return requireSession(probe, answer);
    });
  }

  /** The first plain turn of the run, held once. */
  async plainTurn(): Promise<Turn> {
    const session = await this.session();
    return this.once('plain turn', async () => {
      const turn = await session.prompt(this.options.prompts.plain);
      this.#stopIfAuthIsNeeded(turn.answer);
      return turn;
    });
  }

  #openWire(): Promise<Wire> {
    const { target, limits } = this.options;
    const opening = openWire(target, { cwd: process.cwd(), exitMs: Math.min(1000, limits.exitMs) });
    opening.catch(() => {});
    return opening;
  }

  #stopIfAuthIsNeeded(answer: Answer): void {
    this.needsAuthentication ||= answer.kind === 'error' && answer.error.code === AUTH_REQUIRED;
    stopIfAuthIsNeeded(answer);
  }

  async #start(treatment: Exclude<Treatment, 'raw'>, profile: ClientProfile): Promise<StartedAgent> {
    const probe = await this.open(treatment, profile);
    const { startMs } = this.options.limits;
    const answer = await probe.request('initialize', probe.words.initialize(profile), { timeoutMs: startMs });
    const { authMethod } = this.options;
    if (authMethod !== undefined && answer.kind === 'result') {
      await probe.request(probe.words.login, { methodId: authMethod }, { timeoutMs: startMs });
    }
    return { probe, answer };
  }
}
