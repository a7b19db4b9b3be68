import type { StopReason, ToolKind } from '@parley/session';

/**
 * How a command-line agent is started, spoken to and understood. `version` to `passthroughTypeMap` are the format as it was
 * first published; what follows is ours, in the same file. `description-fields.ts` says in words what each field is for.
 */
export interface Description {
  readonly $schema?: string;
  readonly version: 1;
  readonly name: string;
  readonly command: readonly string[];
  readonly sessionMode: SessionMode;
  readonly prompt: PromptDescription;
  readonly output: { readonly flag: string; readonly value: string };
  readonly autoApprove?: readonly string[];
  readonly resume?: ResumeDescription;
  readonly cwdFlag?: string;
  readonly outputEvents?: readonly EventMapping[];
  readonly result?: ResultDescription | readonly ResultDescription[];
  readonly historyTemplate?: string | HistoryTemplate;
  /** Milliseconds that a whole turn may take. Default: any number. */
  readonly timeout?: number;
  readonly outputMode?: 'jsonpath' | 'passthrough' | 'text';
  readonly passthroughTypeMap?: PassthroughTypeMap;

  readonly title?: string;
  readonly about?: string;
  readonly homepage?: string;
  readonly tools?: Readonly<Record<string, ToolDescription>>;
  readonly models?: ModelsDescription;
  readonly modes?: readonly ModeDescription[];
  readonly images?: ImagesDescription;
  readonly stopReasons?: Readonly<Record<string, StopReason>>;
  readonly env?: Readonly<Record<string, string | null>>;
  readonly login?: LoginDescription;
  readonly mcp?: { readonly flag: string };
  readonly directoryFlag?: string;
  readonly interrupt?: unknown;
  /** Milliseconds that the command may be silent. Default: ten minutes. */
  readonly idleTimeout?: number;
}

/** `stream`: a process for each turn, which resumes; `iterative`: the same with the history in the prompt; `persistent`: one process, open. */
export type SessionMode = 'stream' | 'iterative' | 'persistent';

export interface PromptDescription {
  readonly flag?: string;
  readonly stdin?: boolean;
  readonly stdinFormat?: 'text' | 'json';
  readonly message?: unknown;
  readonly first?: unknown;
  readonly separator?: string;
}

export interface ResumeDescription {
  readonly flag?: string;
  readonly sessionIdPath?: string;
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly newIdFlag?: string;
}

/** What becomes of lines of the output. */
export interface EventMapping {
  readonly match: Condition | readonly Condition[];
  readonly emitAs: EmittedAs;
  readonly extract?: ExtractDescription;
  readonly answer?: PermissionAnswers;
}

export interface Condition {
  readonly path: string;
  readonly value?: string | readonly string[];
  readonly not?: string | readonly string[];
}

export const EMITTED_AS = [
  'thought',
  'tool_call',
  'message',
  'plan',
  'tool_result',
  'message_delta',
  'thought_delta',
  'usage',
  'error',
  'permission',
  'session',
  'model',
  'title',
  'notice',
  'ignore',
] as const;

export type EmittedAs = (typeof EMITTED_AS)[number];

/** Paths in the line, or `'literal'` texts. */
export interface ExtractDescription {
  readonly content?: string;
  readonly title?: string;
  readonly status?: string;
  readonly input?: string;
  readonly output?: string;
  readonly id?: string;
  readonly name?: string;
  readonly kind?: string;
  readonly isError?: string;
  readonly locations?: string;
  readonly diff?: DiffDescription;
  readonly toolCallId?: string;
  readonly entries?: string;
  readonly entry?: { readonly content?: string; readonly status?: string; readonly priority?: string };
  readonly severity?: string;
  readonly used?: string;
  readonly size?: string;
  readonly cost?: string;
  readonly inputTokens?: string;
  readonly outputTokens?: string;
  readonly thoughtTokens?: string;
  readonly cachedReadTokens?: string;
  readonly cachedWriteTokens?: string;
  readonly since?: string;
  readonly [other: string]: unknown;
}

export interface DiffDescription {
  readonly path: string;
  readonly old?: string;
  readonly new: string;
}

/** What is written to stdin when the person has answered. `{{id}}`, `{{input}}`, `{{message}}` and what `extract` names stand for values. */
export interface PermissionAnswers {
  readonly allow: unknown;
  readonly allowAlways?: unknown;
  readonly reject: unknown;
  readonly rejectAlways?: unknown;
}

export interface ResultDescription {
  readonly matchPath: string;
  readonly matchValue: string;
  readonly contentPath: string;
  readonly isErrorPath?: string;
  readonly stopReasonPath?: string;
}

export interface HistoryTemplate {
  readonly system?: string;
  readonly turnFormat: string;
}

export interface PassthroughTypeMap {
  readonly typeField?: string;
  readonly typeValues?: Readonly<Record<string, EmittedAs>>;
}

/** What is known of a tool by its name. Paths start at what the tool is given. */
export interface ToolDescription {
  readonly kind?: ToolKind;
  readonly title?: string;
  readonly locations?: string;
  readonly diff?: DiffDescription;
  readonly plan?: string;
}

export interface ModelsDescription {
  readonly flag: string;
  readonly values: readonly (
    | string
    | { readonly value: string; readonly name?: string; readonly description?: string }
  )[];
  readonly default?: string;
}

export interface ModeDescription {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  readonly args?: readonly string[];
  readonly autoApprove?: boolean;
}

export interface ImagesDescription {
  readonly flag?: string;
  readonly mention?: string;
  readonly block?: unknown;
  readonly mimeTypes?: readonly string[];
}

export interface LoginDescription {
  readonly hint: string;
  readonly when?: readonly string[];
  readonly command?: readonly string[];
}
