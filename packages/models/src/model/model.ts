import type { ModelError } from './errors.ts';
import type { History, ProviderSignature } from './history.ts';

/** How long a model should think before it answers; a model maps a level it lacks to the nearest one it has. */
export type ThinkingLevel = 'off' | 'low' | 'medium' | 'high' | 'max';

/** A tool as the model sees it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input; always of type object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly system?: string;
  readonly messages: History;
  readonly tools?: readonly ToolDefinition[];
  /** Tools of the list that would be refused now. Models read of it in the history; only rules look here. */
  readonly unusableTools?: readonly string[];
  readonly maxOutputTokens?: number;
  /** The provider may search the web for this answer, where its wire has that. It then has no tools of ours. */
  readonly webSearch?: boolean;
  /** Left out: the provider's own default. */
  readonly thinking?: ThinkingLevel;
  /** Names the conversation, so that providers which cache by key find its prefix again. */
  readonly cacheKey?: string;
}

/** Tokens of one request. `inputTokens` counts everything read, cached or not. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of `inputTokens` that came from a cache. */
  readonly cachedInputTokens: number;
  /** The part of `inputTokens` that was written to a cache. */
  readonly cacheWriteTokens: number;
  /** The part of `outputTokens` spent on thoughts, where the provider says. */
  readonly thoughtTokens: number;
}

/** `context_full`: the window ran out while the model was writing; `refusal`: the provider's safety said no. */
export type ModelStopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'context_full' | 'refusal';

/**
 * One piece of a streamed answer. Text and thoughts are deltas; a signature closes the part it comes with.
 * Usage is cumulative, so the last one counts.
 */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string; readonly signature?: ProviderSignature }
  | { readonly type: 'thought'; readonly text: string; readonly signature?: ProviderSignature }
  | { readonly type: 'tool_call_start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool_call_delta'; readonly id: string; readonly delta: string }
  | {
      readonly type: 'tool_call_end';
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly inputError?: string;
      readonly signature?: ProviderSignature;
    }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** Something that the person should know of the request, and the model not. */
  | { readonly type: 'remark'; readonly title: string; readonly description: string }
  /** A page that the provider found on the web. */
  | { readonly type: 'source'; readonly url: string; readonly title: string }
  /** An attempt failed, and another follows after the wait; what came before in this stream is no part of the answer. */
  | {
      readonly type: 'retry';
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: ModelError;
      /** Words or thoughts of it went out. */
      readonly hasShown: boolean;
    }
  | { readonly type: 'stop'; readonly reason: ModelStopReason };

export interface StreamOptions {
  readonly signal?: AbortSignal;
}

/** What a person may attach; other content reaches the model as a note that it was left out. */
export interface AcceptedContent {
  readonly images: boolean;
  readonly audio: boolean;
  /** PDF, as it is. Default: false, it is told as text. */
  readonly documents?: boolean;
  /** The kinds of images. Default: PNG, JPEG, WebP and GIF. */
  readonly imageTypes?: readonly string[];
}

/** A language model, whatever stands behind it. */
export interface Model {
  /** Unique among the models offered, and stable: `anthropic/claude-opus-5-5`, `ollama/qwen3:8b`, `offline`. */
  readonly id: string;
  readonly name: string;
  /** In tokens; undefined when nobody told us. */
  readonly contextWindow: number | undefined;
  readonly accepts: AcceptedContent;
  /** The levels worth offering; empty when thinking cannot be chosen. */
  readonly thinkingLevels: readonly ThinkingLevel[];
  /** Its provider can search the web. */
  readonly hasWebSearch?: boolean;
  /**
   * Streams one answer. Ends after exactly one `stop`, or throws a `ModelError`, or, when the signal fires, throws the
   * signal's reason at once. Leaving the loop early cancels the request as well.
   */
  stream(request: ModelRequest, options?: StreamOptions): AsyncIterable<ModelEvent>;
}

export const ZERO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  thoughtTokens: 0,
};
