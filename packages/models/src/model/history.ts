/** Any JSON value; what a provider hands us to keep is stored as it came. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * Something a provider wants back unchanged with a thought or a tool call (Anthropic's signature, Gemini's
 * thoughtSignature, OpenAI's encrypted reasoning). Opaque, and shown only to the model that made it.
 */
export interface ProviderSignature {
  readonly modelId: string;
  readonly value: JsonValue;
}

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly signature?: ProviderSignature;
}

export interface ImagePart {
  readonly type: 'image';
  readonly mimeType: string;
  /** Base64, without a `data:` prefix. */
  readonly data: string;
}

export interface AudioPart {
  readonly type: 'audio';
  readonly mimeType: string;
  /** Base64, without a `data:` prefix. */
  readonly data: string;
}

/** A PDF. */
export interface DocumentPart {
  readonly type: 'document';
  readonly mimeType: 'application/pdf';
  /** Base64, without a `data:` prefix. */
  readonly data: string;
  /** What it is called, for the model. */
  readonly name: string;
}

/** The text of something the person attached or a tool returned: a file, a page, a selection. */
export interface ResourcePart {
  readonly type: 'resource';
  readonly uri: string;
  readonly text: string;
  readonly mimeType?: string;
}

export type ContentPart = TextPart | ImagePart | AudioPart | DocumentPart | ResourcePart;

export interface ThoughtPart {
  readonly type: 'thought';
  readonly text: string;
  readonly signature?: ProviderSignature;
}

export interface ToolCallPart {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Set when the model's arguments were no JSON object; `input` is then empty and the call must be answered with it. */
  readonly inputError?: string;
  readonly signature?: ProviderSignature;
}

export type AssistantPart = TextPart | ThoughtPart | ToolCallPart;

export interface ToolResult {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly ContentPart[];
  readonly isError: boolean;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly ContentPart[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantPart[];
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly results: readonly ToolResult[];
}

/** What was said so far, in no provider's words: plain data that survives JSON. */
export type HistoryMessage = UserMessage | AssistantMessage | ToolMessage;

export type History = readonly HistoryMessage[];

/** The text of content parts, joined; images, audio and documents are left out. */
export function textOf(parts: readonly (ContentPart | AssistantPart)[]): string {
  return parts
    .map((part) => (part.type === 'text' || part.type === 'resource' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}

/** The tool calls of one assistant message, in order. */
export function toolCallsOf(message: AssistantMessage): readonly ToolCallPart[] {
  return message.content.filter((part) => part.type === 'tool_call');
}
