import type { AvailableCommand, ContentBlock } from '@parley/protocol';
import type { Extra, NoticeEvent, PlanEntry, SessionEvent, StopReason, UsageEvent } from '@parley/session';
import type { Client } from './client.ts';
import type { AskPermissionOptions, PermissionDecision } from './permission-settings.ts';
import type { Meta, Session } from './session.ts';
import type { OptionValue } from './settings.ts';
import type { NewToolCall, ToolCallHandle } from './tool-call.ts';

/**
 * One prompt's life: everything from what the person sent to the stop reason.
 *
 * What a turn says is shown in the order in which it was said, all of it before the prompt is answered. Each of these
 * calls returns a promise only when it is better to wait, because a client reads slowly or the log writes slowly.
 * When the turn is over, what it says is dropped; `session.update` speaks outside of turns.
 */
export interface Turn {
  readonly id: string;
  readonly session: Session;
  readonly client: Client;
  readonly content: readonly ContentBlock[];
  /** The text of the prompt; other content is left out. */
  readonly text: string;
  /** The slash command that the prompt begins with, if it is one of the session's. */
  readonly command: InvokedCommand | undefined;
  /** What came with the prompt as `_meta`. */
  readonly meta: Meta | undefined;
  /** Aborts when the turn is cancelled, and at the latest when it has ended. */
  readonly signal: AbortSignal;

  /** What the person sent into this turn and the turn has not taken yet. */
  readonly messages: readonly UserMessage[];
  /**
   * What the person sent into this turn since it was last asked, for agents made with `steering`. A message that is taken is part
   * of the conversation from then on, and shown to everybody at this place. What is not taken when the turn ends is the next turn.
   */
  takeMessages(): readonly UserMessage[];
  /** Calls whenever something was sent into this turn. Returns a function that ends it. */
  onMessage(listener: () => void): () => void;

  update(event: SessionEvent): void | Promise<void>;
  say(content: string | ContentBlock): void | Promise<void>;
  think(content: string | ContentBlock): void | Promise<void>;
  toolCall(call: NewToolCall): ToolCallHandle;
  /** Shows a command that the agent runs itself, as it runs. Put it into a tool call: `call.update({ terminal })`. */
  showTerminal(terminal: NewShownTerminal): ShownTerminal;
  plan(entries: readonly PlanEntry[]): void | Promise<void>;
  commands(commands: readonly AvailableCommand[]): void;
  mode(modeId: string): void;
  option(optionId: string, value: OptionValue): void;
  usage(usage: Omit<UsageEvent, 'type'>): void | Promise<void>;
  /**
   * Adds to the tokens that this turn has used; the answer to its prompt tells their sum, however the turn ends. Still
   * unstable in the protocol, so only agents made with `unstable` tell it.
   */
  addTokens(tokens: TokenCount): void;
  title(title: string | null): void;
  /** Something the person should know beside the conversation. Clients that know no notices are not told. */
  notice(notice: Omit<NoticeEvent, 'type'>): void | Promise<void>;
  compaction(): Compaction;
  /** May this tool call run? The agent's rules answer first, then what was remembered, then the person. */
  askPermission(call: ToolCallHandle, options?: AskPermissionOptions): Promise<PermissionDecision>;
}

/** What the person said while a turn ran. */
export interface UserMessage {
  readonly id: string;
  readonly content: readonly ContentBlock[];
  /** The text of it; other content is left out. */
  readonly text: string;
  /** What came with it as `_meta`. */
  readonly meta: Meta | undefined;
}

/** Tokens of one request to a model, or of several. */
export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of `outputTokens` that was spent on thoughts. */
  readonly thoughtTokens?: number;
  /** The part of `inputTokens` that came from a cache. */
  readonly cachedReadTokens?: number;
  /** The part of `inputTokens` that was written to a cache. */
  readonly cachedWriteTokens?: number;
  /** Default: the sum of `inputTokens` and `outputTokens`. */
  readonly totalTokens?: number;
}

export interface InvokedCommand {
  readonly name: string;
  /** What follows the name. */
  readonly input: string;
}

/** What a prompt handler returns; nothing stands for `end_turn`. */
export type TurnResult =
  | StopReason
  /** `tokens` as `turn.addTokens` counts them, for who knows them only at the end. */
  | {
      readonly stopReason: StopReason;
      readonly meta?: Meta;
      readonly tokens?: TokenCount;
      /** What the answer to the prompt says beside the fields of the specification. */
      readonly extra?: Extra;
    }
  | undefined;

/** Always async: TypeScript would take the `'end_turn'` that an async function returns for any string otherwise. */
export type PromptHandler = (turn: Turn) => Promise<TurnResult> | Promise<void>;

/**
 * The conversation being shortened: begun, told piece by piece if at all, and ended once. Clients whose version
 * has no such update receive nothing.
 */
export interface Compaction {
  readonly id: string;
  readonly isFinal: boolean;
  /** A piece of the summary, as it is written. */
  chunk(content: string | ContentBlock): void;
  /** The whole summary, or nothing when it was told in pieces or is not for the person. */
  complete(summary?: string | readonly ContentBlock[]): void;
  fail(error?: string): void;
  cancel(): void;
}

/** A command that the agent runs itself, and shows while it runs. */
export interface NewShownTerminal {
  readonly command: string;
  /** Default: the session's cwd. A relative path starts there. */
  readonly cwd?: string;
  readonly size?: TerminalSize;
  /** A client may ask that the command ends, which `signal` tells. Default: false. */
  readonly cancellable?: boolean;
}

export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

/** How a command ended; both are absent when nobody knows. */
export interface TerminalExit {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}

/**
 * A terminal of the agent's own, as clients see it. Put it into a tool call (`terminal`) to say where it is shown. It runs nothing:
 * write to it what the command writes, and say how the command ended. At the latest it ends with its turn.
 */
export interface ShownTerminal {
  readonly id: string;
  readonly hasExited: boolean;
  /** Aborts when a client has cancelled the command, and when the turn is over. */
  readonly signal: AbortSignal;
  /** Adds to the output. Returns a promise only when it is better to wait. */
  write(text: string): void | Promise<void>;
  resize(size: TerminalSize): void;
  /** The command has ended. What is written after that is dropped. */
  exit(exit?: TerminalExit): void;
}
