import type { Extra, Question, SessionState, TokenUsage, Transcript, TranscriptEvent } from '@parley/session';
import type { McpServerInput } from '../mcp-servers/mcp-servers.ts';
import type { Meta, SystemPrompt } from '../peer/agent-peer.ts';
import type { PromptContent } from '../turn/prompt-content.ts';
import type { CancelOptions, Turn } from '../turn/turn.ts';

/** One conversation with the agent. Made by `connection.newSession` and its siblings. */
export interface ClientSession extends AsyncDisposable {
  /** The agent's name for it. It changes only with `onSessionLost: 'new'`, when the agent has lost the session. */
  readonly id: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** `_meta` of the agent's answer that opened it, the last time it was opened. */
  readonly meta: Meta | undefined;
  /** What that answer says beside the fields of the specification. */
  readonly extra: Extra | undefined;
  /** Everything said and done so far; a new object after each event. */
  readonly transcript: Transcript;
  /** Whether the agent is telling an old conversation again: `transcript.isReplaying`, for whoever asks at every event. */
  readonly isReplaying: boolean;
  /** Whether the transcript was cleared. */
  readonly isCleared: boolean;
  /** The tokens that the turns of this connection have used together; undefined when the agent tells none. */
  readonly tokens: TokenUsage | undefined;
  readonly state: SessionState;
  /** The turn that runs, if one does. */
  readonly turn: Turn | undefined;
  /** Prompts that wait: first those on their way into the running turn, then those for their own. `turn.cancel()` takes one out. */
  readonly queue: readonly Turn[];
  readonly isClosed: boolean;

  /** Follows the session. Returns a function that ends it. */
  on<Name extends keyof SessionEvents>(name: Name, listener: (value: SessionEvents[Name]) => void): () => void;

  /**
   * Calls a function before each prompt is sent, when its `turn_started` has been told already: for who must write the
   * prompt down first. The prompt waits for its promise; a rejection fails the turn. Returns a function that ends it.
   */
  beforePrompt(prepare: () => void | Promise<void>): () => void;

  /**
   * Sends a prompt. Throws at once, before anything is sent, when the agent does not take this kind of content or still
   * works on the last prompt.
   */
  prompt(content: PromptContent, options?: PromptOptions): Turn;

  /**
   * Ends the running turn and drops queued prompts. Asks the agent first; when called again, or when the agent takes
   * too long, the turn ends without it. Resolves when the turn has ended; does nothing when none runs. A turn that another
   * client began is only asked to end; the transcript tells when it has.
   */
  cancel(options?: CancelOptions): Promise<void>;

  /** Puts the session into a mode, by the agent's modes or, where it has none, by its `mode` option. */
  setMode(modeId: string, options?: MetaOptions): Promise<void>;

  /** Changes one of the session's options. */
  setOption(optionId: string, value: string | boolean, options?: MetaOptions): Promise<void>;

  /**
   * Asks the agent to end one tool call while the turn goes on. Only for a call whose `canCancel` is true, and that has not
   * ended. Resolves when the agent has taken it; the call's status tells what became of it.
   */
  cancelToolCall(toolCallId: string, options?: MetaOptions): Promise<void>;

  /** Asks the agent to end the command in one of its terminals, as `cancelToolCall` does. The terminal's `exit` tells that it ended. */
  cancelTerminal(terminalId: string, options?: MetaOptions): Promise<void>;

  /**
   * Takes the conversation out of the transcript: entries, turns, terminals, plan and usage. Only here: the agent is not
   * told and still knows what was said. Followers get the event `cleared`. Not while a turn runs, whose result needs it.
   */
  clearTranscript(): void;

  /** Puts the session away: it is closed, and no longer listed until `connection.unarchiveSession`. Unstable. */
  archive(): Promise<void>;

  /** Gives the session a title; resolves with it as the agent has kept it. Unstable. */
  setTitle(title: string): Promise<string>;

  /** Ends the session: cancels what runs and frees what it holds, on both sides. */
  close(options?: MetaOptions): Promise<void>;
}

export interface SessionEvents {
  /** The transcript is another one now. Comes once for a whole chunk of events. */
  change: Transcript;
  /** Each event by itself, after it was folded. */
  event: TranscriptEvent;
  /** The agent asks something; see `connection.answer`. */
  question: Question;
  closed: undefined;
}

export interface SessionOptions {
  /** Where the session works; absolute. */
  readonly cwd: string;
  /** Further directories that belong to its workspace; absolute. */
  readonly additionalDirectories?: readonly string[];
  /** Servers for the agent to use, as a list or as the map that `.mcp.json` has. */
  readonly mcpServers?: McpServerInput;
  /** MCP servers that whoever we act for provides; `answerMcp` of the connection answers for them. Unstable. */
  readonly relayedServers?: readonly { readonly name: string; readonly serverId: string }[];
  /** Instructions for the model; a string is added to the agent's own. Unstable. */
  readonly systemPrompt?: string | SystemPrompt;
  /** `_meta` of the request that opens the session, for what an agent takes besides the specification. */
  readonly meta?: Meta;
  /** Follows the session as `on('event')` does, from its very first event on: those too that come before it is open. */
  readonly follow?: (event: TranscriptEvent) => void;
  /**
   * Of a stored session: gets it before it is open, while its conversation is told, to be shown as far as it has come
   * (`transcript.isReplaying`). Nothing may be asked of it yet; when it cannot be opened, the call says so.
   */
  readonly onOpening?: (session: ClientSession) => void;
}

export interface PromptOptions {
  /**
   * What becomes of the prompt while a turn runs. `refuse`: an error. `queue`: it waits for the turns before it. `steer`: it is sent
   * into the running turn, which takes it when it can; where the agent does not offer that (`connection.offers.steer`), it waits
   * as with `queue`. Default: `refuse`.
   */
  readonly whenBusy?: 'refuse' | 'queue' | 'steer';
  /** Cancels the turn. */
  readonly signal?: AbortSignal;
  /** `_meta` of the request, for what an agent takes besides the specification. The answer's is `turn.result`'s `meta`. */
  readonly meta?: Meta;
}

/** What every call in a session can take. */
export interface MetaOptions {
  /** `_meta` of the request. */
  readonly meta?: Meta;
}

/**
 * What becomes of a session that the agent says it no longer has. `load`: it is opened again, with its conversation where
 * the agent can. `new`: where that fails, the session goes on as a new one, which knows nothing of what was said; its
 * `id` is another one then. `fail`: the call fails.
 */
export type OnSessionLost = 'load' | 'new' | 'fail';
