import type { PermissionOptionKind } from '@parley/protocol';
import type { PermissionQuestion } from '../question.ts';

/** How permission requests are answered: by rule where a rule decides, else by a person, else with no. */
export interface PermissionOptions {
  /** What is allowed without asking: `default`, `acceptEdits`, `bypassPermissions` or `plan`. Default: `default`. */
  readonly mode?: string;
  /** What is allowed by rule, such as `Read` or `Bash(git *)`; or allow, ask and deny lists. */
  readonly rules?: readonly string[] | RuleLists;
  /** Decides before the person is asked, instead of `mode` and `rules`. */
  readonly decide?: (question: PermissionQuestion) => Decision | Promise<Decision>;
  /** Puts the question to the person. Without it, what no rule allows is rejected. */
  readonly ask?: PermissionHandler;
  /** How long a question may stay open before it is rejected. Default: for ever. */
  readonly timeoutMs?: number;
  /** Hears of every answer, whoever gave it. */
  readonly onDecision?: (decision: PermissionDecision) => void;
}

export interface RuleLists {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** Answers a question; undefined leaves it to `connection.answer`. */
export type PermissionHandler = (
  question: PermissionQuestion,
  context: { readonly signal: AbortSignal },
) => PermissionAnswer | undefined | Promise<PermissionAnswer | undefined>;

/** One of the agent's own options by its id, or the wish for one by its kind; `cancel` ends the whole turn for some agents. */
export type PermissionAnswer = { readonly optionId: string } | PermissionOptionKind | 'allow' | 'reject' | 'cancel';

export interface Decision {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** In a sentence a person can read. */
  readonly because: string;
}

/** How a request was answered, for logs and audits. */
export interface PermissionDecision {
  readonly question: PermissionQuestion;
  /** `rule`: by mode or rule. `person`: by the handler or `answer`. `nobody`: there was nobody to ask. `cancelled`: withdrawn. */
  readonly by: 'rule' | 'person' | 'nobody' | 'cancelled';
  readonly outcome: 'allowed' | 'rejected' | 'cancelled';
  readonly optionId?: string;
  readonly because?: string;
}
