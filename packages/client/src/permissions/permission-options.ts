import type { PermissionMode, RememberedStore, RememberScope, Rule, RuleLists } from '@parley/policy';
import type { PermissionAnswer } from '@parley/policy/options';
import type { PermissionQuestion, PermissionAnswer as PermissionReply } from '@parley/session';

export type { RuleLists } from '@parley/policy';
export type { PermissionAnswer } from '@parley/policy/options';

/** How permission requests are answered: by rule where a rule decides, else by a person, else with no. */
export interface PermissionOptions {
  /** What is allowed without asking; a function is asked at each request. Default: `default`, which allows nothing by itself. */
  readonly mode?: PermissionMode | (() => PermissionMode);
  /** Rules such as `Read`, `Bash(git *)` or `deny Read(.env)`; or lists of allow, ask and deny rules. */
  readonly rules?: readonly (Rule | string)[] | RuleLists;
  /** What the person answered with "always"; such answers are kept there, and hold the next time. */
  readonly remembered?: RememberedStore;
  /** How far such an answer reaches. Default: `session`. */
  readonly rememberScope?: RememberScope;
  /** Decides before the person is asked, instead of `mode`, `rules` and `remembered`. */
  readonly decide?: (question: PermissionQuestion) => Decision | Promise<Decision>;
  /** Puts the question to the person. Without it, what no rule allows is rejected. */
  readonly ask?: PermissionHandler;
  /**
   * Answers each request in place of everything else here, as the agent put it: for who passes it on to others. What this client
   * itself asks about, such as a file that decides what may run, still goes by the rules and to `ask`.
   */
  readonly relay?: PermissionRelay;
  /** How long a question may stay open before it is rejected. Default: for ever. */
  readonly timeoutMs?: number;
  /** Hears of every answer, whoever gave it. */
  readonly onDecision?: (decision: PermissionDecision) => void;
}

/** `signal` aborts when the agent withdraws the request. */
export type PermissionRelay = (
  request: Omit<PermissionQuestion, 'questionId'> & { readonly sessionId: string },
  context: { readonly signal: AbortSignal },
) => PermissionReply | Promise<PermissionReply>;

/** Answers a question; undefined leaves it to `connection.answer`. */
export type PermissionHandler = (
  question: PermissionQuestion,
  context: { readonly signal: AbortSignal },
) => PermissionAnswer | undefined | Promise<PermissionAnswer | undefined>;

export interface Decision {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** In a sentence a person can read. */
  readonly because: string;
  /** An approval may be a lasting one where the agent offers no other. Default: false. */
  readonly isLasting?: boolean;
}

/** How a request was answered, for logs and audits. */
export interface PermissionDecision {
  readonly question: PermissionQuestion;
  /** `rule`: by mode, rule or memory. `person`: by the handler or `answer`. `nobody`: there was nobody to ask. */
  readonly by: 'rule' | 'person' | 'nobody' | 'cancelled';
  readonly outcome: 'allowed' | 'rejected' | 'cancelled';
  readonly optionId?: string;
  readonly because?: string;
}
