import type {
  Decision,
  FolderEntry,
  PermissionMode,
  RememberedStore,
  RememberScope,
  Rule,
  Shell,
  ToolRequest,
  ToolSet,
} from '@parley/policy';
import type { PermissionOption } from '@parley/protocol';

/** What may happen without asking the person. Unknown always means: ask. */
export interface PermissionSettings {
  /** In modes that say nothing about it. Default: `default`, which asks for everything that no rule allows. */
  readonly mode?: PermissionMode;
  /** Such as `Bash(git *)`, `Read`, `deny Read(.env)`. */
  readonly rules?: readonly (Rule | string)[];
  readonly toolSets?: readonly ToolSet[];
  /** Where answers with "always" are kept. Default: in memory, and then only for the session. */
  readonly remembered?: RememberedStore;
  /** What `~` stands for. Without it every path under `~` is asked for. */
  readonly home?: string;
  /** Follows symbolic links. Without it paths are compared as they are written. */
  readonly realPath?: (path: string) => string;
  /** What is in a folder, so that rules hold for everything a pattern meets. Without it patterns are asked about. */
  readonly listFolder?: (path: string, limit: number) => readonly FolderEntry[] | undefined;
  /** How long a question waits for an answer; then the answer is no. Default: as long as its turn. */
  readonly timeoutMs?: number;
  /** The shell that runs command lines. Without it, what shells read differently is asked about. */
  readonly shell?: Shell;
}

export interface AskPermissionOptions {
  /** What the tool call does, where it cannot be told from the call itself: its command, its level, how to undo it. */
  readonly request?: Partial<ToolRequest>;
  /** Asks even where a rule, the mode or an earlier answer allows it; what is denied stays denied. Default: false. */
  readonly alwaysAsks?: boolean;
  /** What is asked, in words of its own. Clients of version 1 show the title of the call. Default: that title. */
  readonly title?: string;
  /** Why it is asked. Clients of version 1 do not see it. */
  readonly description?: string;
  /** What the person can choose from. Default: once and always, of which "always" says what it covers and is remembered. */
  readonly options?: readonly PermissionOption[];
  /** How far an "always" may reach. Default: the session, and the project where answers are stored. */
  readonly scopes?: readonly RememberScope[];
  /** How long the question waits for an answer; then the answer is no. Default: what the settings say. */
  readonly timeoutMs?: number;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Whether a tool call may run, and why. */
export interface PermissionDecision {
  readonly allowed: boolean;
  /** One sentence for a person. */
  readonly because: string;
  /** Whether the person was asked. */
  readonly asked: boolean;
  /** The decision of the rules and the mode; undefined when the user was asked. */
  readonly decision?: Decision;
  /** The option that the person chose. */
  readonly optionId?: string;
  /** The answer holds from now on, as far as the option said. */
  readonly remembered?: boolean;
}
