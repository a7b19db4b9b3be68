import { ParleyError } from '@parley/jsonrpc';
import type { PlanEntry } from '@parley/session';
import type { Ask } from './ask.ts';

/**
 * Everything tools touch the world with. Files and commands go through the client where it offers them, else through
 * Parley's own guarded operations; tests and sandboxes bring their own.
 */
export interface Operations {
  readonly files: FileOperations;
  readonly search: SearchOperations;
  readonly commands: CommandOperations;
  readonly web: WebOperations;
  readonly person: PersonOperations;
  readonly session: SessionOperations;
  readonly sandbox: SandboxOperations;
  readonly agents: AgentOperations;
  readonly tasks: TaskOperations;
  readonly webSearch: WebSearchOperations;
  readonly seen: SeenFiles;
  readonly outputs: OutputOperations;
  readonly background: BackgroundCommands;
}

/** Paths are absolute. What lies outside the session's roots is reached only where the person was asked about it. */
export interface FileOperations {
  /** Text of a file, unsaved changes included. Throws `FileMissingError` when there is none. */
  read(path: string, options?: { readonly signal?: AbortSignal }): Promise<string>;
  /** Some lines of a file, counted from 1; undefined where they cannot be had without the rest of it. */
  readLines?(path: string, range: LineRange, options?: { readonly signal?: AbortSignal }): Promise<string> | undefined;
  /** The bytes of a file, for images. */
  readBytes(path: string, options?: { readonly signal?: AbortSignal }): Promise<Uint8Array>;
  /** Creates the file and its parents, or replaces what it holds. */
  write(path: string, content: string, options?: { readonly signal?: AbortSignal }): Promise<void>;
  remove(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  list(path: string): Promise<readonly FileEntry[]>;
  stat(path: string): Promise<FileEntry | undefined>;
}

export interface LineRange {
  readonly line: number;
  readonly limit: number;
}

export interface FileEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'link' | 'other';
  readonly bytes: number;
}

/** What files held when the model last read or wrote them, so that nobody else's change is overwritten unseen. */
export interface SeenFiles {
  note(path: string, content: string): void;
  /** False for a file that the model has not seen. */
  hasChanged(path: string, content: string): boolean;
}

/** Long outputs: the model gets their two ends, and a file with all of it. */
export interface OutputOperations {
  /** One that grows. */
  open(): KeptOutput;
  /** One that is there already; a short one as it is. */
  shorten(text: string): Promise<ShownOutput>;
}

export interface ShownOutput {
  /** For the model; of a long output it says where the whole is. */
  readonly text: string;
}

export interface KeptOutput {
  append(text: string): void;
  /** What came since it was last asked for. */
  takeNew(): Promise<string>;
  /** Nothing more comes. */
  end(): Promise<ShownOutput>;
}

/** Commands that run while the model does other things. */
export interface BackgroundCommands {
  /** Returns the name that the model knows it by. */
  add(command: Omit<BackgroundCommand, 'id' | 'exit'>): string;
  find(id: string): BackgroundCommand | undefined;
  list(): readonly BackgroundCommand[];
}

export interface BackgroundCommand {
  readonly id: string;
  readonly line: string;
  readonly output: KeptOutput;
  readonly exited: Promise<CommandExit>;
  /** Undefined while it runs. */
  readonly exit?: CommandExit;
  stop(): Promise<void>;
}

/** Searches the files on disk: text in buffers that are not saved yet is not found. */
export interface SearchOperations {
  search(query: SearchQuery): Promise<SearchResult>;
}

export interface SearchQuery {
  /** A directory or a file. */
  readonly root: string;
  /** The session's roots, whose .gitignore files count. */
  readonly roots: readonly string[];
  readonly pattern: string;
  /** The pattern is a regular expression, in JavaScript's words or as grep has them. */
  readonly isRegex: boolean;
  /** A match may go over several lines, of which each is a match of its own; a dot stands for a line end, too. */
  readonly isMultiline?: boolean;
  readonly isCaseSensitive: boolean;
  /** Only files whose path below the root fits. */
  readonly fits: (path: string) => boolean;
  readonly maxMatches: number;
  /** Of one file. Default: `maxMatches`. */
  readonly maxPerFile?: number;
  /** Larger files are left out. */
  readonly maxFileBytes: number;
  readonly signal: AbortSignal;
}

export interface SearchResult {
  /** In order of paths and lines, at most `maxMatches`. */
  readonly matches: readonly SearchMatch[];
  /** Lines that were left out, since the expression takes too long there. */
  readonly slow: readonly Omit<SearchMatch, 'text'>[];
  /** There were more files than are looked at. */
  readonly isPartial?: boolean;
}

export interface SearchMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface CommandOperations {
  start(options: StartCommandOptions): Promise<RunningCommand>;
}

export interface StartCommandOptions {
  /** A shell command line. */
  readonly command: string;
  readonly cwd: string;
  readonly maxOutputBytes: number;
  /** It outlives its turn, and ends with the session. */
  readonly isBackground?: boolean;
  readonly onOutput?: (text: string) => void;
  /** Stops it, unless it runs in the background. */
  readonly signal?: AbortSignal;
}

/** A command at work: it dies with its whole process group when stopped, and at the latest with the session. */
export interface RunningCommand {
  /** Set when the client shows it as a terminal of its own. */
  readonly terminalId?: string;
  /** Set when it runs in a sandbox. */
  readonly sandbox?: CommandSandbox;
  readonly exit: Promise<CommandExit>;
  output(): Promise<{ readonly text: string; readonly isTruncated: boolean }>;
  stop(): Promise<void>;
}

/** What a command in a sandbox may change: nothing, or the workspace except for its protected names. */
export type CommandSandbox = 'reading' | 'workspace';

export interface CommandExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface WebOperations {
  /** The text of a page. Private addresses are refused unless the person allowed them. */
  fetch(url: string, options: { readonly signal?: AbortSignal; readonly maxBytes: number }): Promise<FetchedPage>;
}

export interface FetchedPage {
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly isTruncated: boolean;
  /** Where it leads, when that is another page: nothing was asked there. */
  readonly redirect?: string;
}

export interface PersonOperations {
  /** Whether a question can be put to the person as a form. */
  readonly hasForms: boolean;
  /** Puts a question to the person; undefined when they declined. */
  ask(question: string, choices?: readonly string[]): Promise<string | undefined>;
}

/** What a tool may change about the conversation itself. */
export interface SessionOperations {
  /** Shows the plan, replacing the one before. */
  plan(entries: readonly PlanEntry[]): void;
  /** Asks whether to carry out the plan; true when the person wants that, and the mode has changed to do so. */
  exitPlanMode(ask: Ask): Promise<boolean>;
}

export interface SandboxOperations {
  /** Opens the sandbox when it is first needed. */
  enter(): Promise<EnteredSandbox>;
  /** Commands in a sandbox of their own each; or why they cannot be put in one. */
  commands(sandbox: CommandSandbox): Promise<SandboxedCommands>;
}

export type EnteredSandbox =
  | { readonly isThere: true; readonly operations: Pick<Operations, 'files' | 'search' | 'commands' | 'outputs'> }
  | { readonly isThere: false; readonly because: string };

export type SandboxedCommands =
  | { readonly isThere: true; readonly commands: CommandOperations }
  | { readonly isThere: false; readonly because: string };

/** The agents that ours may call. */
export interface AgentOperations {
  /** A failure is a result; only an abort throws. */
  call(request: AgentCallRequest): Promise<AgentCallOutcome>;
}

export interface AgentCallOutcome {
  readonly text: string;
  readonly isError: boolean;
  readonly rawOutput?: unknown;
}

export interface AgentCallRequest {
  readonly name: string;
  readonly prompt: string;
  /** The session of an earlier call to go on with. */
  readonly session: string | undefined;
  /** The shown call under which its own calls are shown. */
  readonly callId: string | undefined;
  readonly signal: AbortSignal;
  /** Hears what it says, as it says it. */
  readonly onText: (text: string) => void;
}

/** Sub-agents: the same model with a conversation of its own. */
export interface TaskOperations {
  /** A failure is a result; only an abort throws. */
  run(request: TaskRequest): Promise<AgentCallOutcome>;
}

export type TaskKind = 'explore' | 'general';

export interface TaskRequest extends Pick<AgentCallRequest, 'prompt' | 'callId' | 'signal' | 'onText'> {
  readonly kind: TaskKind;
}

/** Searches of the web by the model's provider. */
export interface WebSearchOperations {
  search(query: string, options: { readonly signal: AbortSignal }): Promise<FoundOnWeb>;
}

export interface FoundOnWeb {
  readonly text: string;
  readonly sources: readonly { readonly url: string; readonly title: string }[];
}

/** Thrown by `FileOperations` when there is no such file. */
export class FileMissingError extends ParleyError {
  override readonly name = 'FileMissingError';

  constructor(path: string) {
    super('file_not_found', `${path} does not exist.`);
  }
}

/** Whether an error says that a file is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof ParleyError && error.code === 'file_not_found';
}
