import type { InitializeResponse } from '@parley/protocol';
import type { CheckLimits } from '../../limits.ts';
import type { ClientProfile } from '../../messages/client-profile.ts';
import { describeAnswer } from '../../probe/answer.ts';
import type { Probe } from '../../probe/probe.ts';
import type { Session, Turn } from '../../probe/session.ts';
import type { Workspace } from '../../run/workspace.ts';
import { skip } from '../../verdict.ts';
import type { WireWords } from '../../versions/wire-words.ts';
import { wordsOf } from '../../versions/words.ts';
import type { AgentRun, Hearing } from './agent-run.ts';
import { converse } from './converse.ts';
import type { Prompts } from './prompts.ts';

/** Everything a check may ask for. Whatever it opens is closed for it. */
export interface CheckContext {
  readonly prompts: Prompts;
  readonly limits: CheckLimits;
  readonly workspace: Workspace;
  /** How the version that is checked says things. */
  readonly words: WireWords;
  /** The agent's answer to `initialize`, as version 1 has it. */
  readonly facts: InitializeResponse;
  readonly allowLogout: boolean;

  /** The initialized agent that gentle checks share. */
  agent(profile?: ClientProfile): Promise<Probe>;
  /** An initialized agent that may be mistreated. */
  abused(): Promise<Probe>;
  /** A new process that has been told nothing. */
  fresh(): Promise<Probe>;
  /** A new process that has been initialized. */
  freshInitialized(): Promise<Probe>;

  /** The session that gentle checks share. */
  session(profile?: ClientProfile): Promise<Session>;
  /** A session of one's own on `agent()`, or on a process of one's own. */
  newSession(probe?: Probe, params?: Readonly<Record<string, unknown>>): Promise<Session>;
  /** The first plain turn of the run, whatever came of it. */
  plainTurn(): Promise<Turn>;
  /** Goes on only if the agent can answer a plain prompt; that it cannot is reported by PROMPT-01. */
  requireTurns(): Promise<Turn>;
  /** Does something once per run, for checks that look at the same event. */
  once<Value>(key: string, make: () => Promise<Value>): Promise<Value>;
  /** Everything heard in this run, the standard conversation included. */
  hearings(): Promise<readonly Hearing[]>;
}

/** The context of one check. `facts` are those of the run. */
export function createContext(run: AgentRun, facts: InitializeResponse): CheckContext {
  const { prompts, limits, workspace, protocol, allowLogout = false } = run.options;
  const words = wordsOf(protocol);
  const agent = async (profile?: ClientProfile): Promise<Probe> => (await run.initialized('gentle', profile)).probe;
  return {
    prompts,
    limits,
    workspace,
    words,
    facts,
    allowLogout,
    agent,
    abused: async () => (await run.initialized('abused')).probe,
    fresh: () => run.open('raw'),
    async freshInitialized() {
      const probe = await run.open('raw');
      await probe.request('initialize', words.initialize('full'), { timeoutMs: limits.startMs });
      return probe;
    },
    session: (profile) => run.session(profile),
    newSession: async (probe, params) => run.newSession(probe ?? (await agent()), params),
    plainTurn: () => run.plainTurn(),
    async requireTurns() {
      const turn = await run.plainTurn();
      if (turn.answer.kind === 'result') return turn;
      return skip(`A plain prompt is not answered; see PROMPT-01. It gave ${describeAnswer(turn.answer)}.`);
    },
    once: (key, make) => run.once(key, make),
    async hearings() {
      await converse(run);
      return run.hearings;
    },
  };
}
