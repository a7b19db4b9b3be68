import type { PermissionMode, ToolSet } from '@parley/policy';
import type {
  AvailableCommand,
  SessionConfigOption,
  SessionConfigSelectGroup,
  SessionConfigSelectOption,
  SessionMode,
} from '@parley/protocol';
import type { Extra } from '@parley/session';

/** A way of working that the person can switch to. The first one registered is the one sessions begin with. */
export interface ModeDefinition {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** What may happen without asking while in this mode. Default: what the agent's `permissions` say. */
  readonly permissions?: PermissionMode;
  /** The tools that exist in this mode, as far as `askPermission` is concerned. Default: all. */
  readonly tools?: ToolSet;
}

interface OptionFacts {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** What the option is about: `model`, `thought_level`, or a word of your own that begins with `_`. */
  readonly category?: string;
}

/** A choice among values; a plain string stands for a value that is its own name. */
export interface SelectDefinition extends OptionFacts {
  readonly values: readonly (string | SessionConfigSelectOption)[] | readonly SessionConfigSelectGroup[];
  /** Default: the first value. */
  readonly default?: string;
  /** Which of the values there are, as long as the other options are set like this. Default: all of them. */
  readonly offered?: (chosen: Readonly<Record<string, OptionValue>>) => readonly string[];
  /**
   * Lets a client that knows no options set it by `session/set_mode` with one of the values. It stays an option: a mode of
   * the same name wins, and the modes that are offered are the agent's own. Default: false.
   */
  readonly setByMode?: boolean;
}

/** A switch. Clients that know no switches do not see it; for them it keeps its default. */
export interface SwitchDefinition extends OptionFacts {
  readonly default: boolean;
}

export type OptionDefinition = SelectDefinition | SwitchDefinition;
export type OptionValue = string | boolean;

/** What can be set in a session of an agent. */
export interface SettingDefinitions {
  readonly modes: readonly ModeDefinition[];
  readonly options: readonly OptionDefinition[];
  /** Whether sessions may have settings of their own. */
  readonly hasOwnSettings: boolean;
}

/**
 * What can be set in one session, and how it is set. It takes the place of the agent's modes and options there, and clients are
 * told of it as it stands.
 */
export interface OwnSettings {
  readonly modes?: readonly SessionMode[];
  /** The mode that the session is in. */
  readonly mode?: string;
  readonly options?: readonly SessionConfigOption[];
  readonly commands?: readonly AvailableCommand[];
  /** `_meta` of the answers that open the session, and what they say beside the fields of the specification. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly extra?: Extra;
}

/** What is set in one session. */
export interface Settings {
  readonly modeId: string | undefined;
  readonly values: Readonly<Record<string, OptionValue>>;
  /** What the session has in place of the agent's modes and options. */
  readonly own?: OwnSettings;
}
