import { fitMedia } from '../media/fit-media.ts';
import { ModelError } from '../model/errors.ts';
import type { History } from '../model/history.ts';
import type { AcceptedContent, Model, ModelEvent, ModelRequest, StreamOptions, ThinkingLevel } from '../model/model.ts';
import { type HttpRequest, openEventStream, type StreamLimits } from './event-stream.ts';
import type { Fetch } from './http-answer.ts';
import { errorFromAnswer } from './http-error.ts';
import { asObject } from './json.ts';
import { addMerged } from './merge-events.ts';
import type { AnswerEvent } from './read-events.ts';

/** What every driver needs to know about the model it speaks for. */
export interface HttpModelOptions extends StreamLimits {
  /** The name the provider knows: `claude-opus-5-5`, `qwen3:8b`. */
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** The id we offer it under. Default: the provider's name for it. */
  readonly id?: string;
  readonly name?: string;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly accepts?: AcceptedContent;
  readonly thinkingLevels?: readonly ThinkingLevel[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to the address of every request. */
  readonly query?: Readonly<Record<string, string>>;
  readonly fetch?: Fetch;
  /** What to do when nothing listens at its address on this machine, as a sentence. */
  readonly whenDown?: string;
}

/** Turns the events of one answer, in one provider's words, into ours. */
export interface WireReader {
  read(data: unknown, eventName: string): readonly ModelEvent[];
  /**
   * The stream is over, with `[DONE]` or without: what is still open, and the stop. Undefined when the answer was cut off.
   */
  end(sawDone: boolean): readonly ModelEvent[] | undefined;
}

/** One wire format: how a request is written and how its answer is read. */
export interface Wire {
  buildRequest(request: ModelRequest): HttpRequest;
  createReader(): WireReader;
  /** Set when a server that ignores `stream: true` is understood as well. */
  readonly readsPlainJson?: boolean;
  /** Set when the provider can be asked to search the web. */
  readonly hasWebSearch?: boolean;
}

/** A model reached over HTTP: everything the four wire formats have in common. */
export function createHttpModel(options: HttpModelOptions, wire: Wire): Model {
  const { model, id = model, name = model, contextWindow } = options;
  const { accepts = { images: true, audio: false }, thinkingLevels = [] } = options;
  return {
    id,
    name,
    contextWindow,
    accepts,
    thinkingLevels,
    hasWebSearch: wire.hasWebSearch ?? false,
    stream: (request, streamOptions) => streamAnswer(options, wire, { request, name, accepts, ...streamOptions }),
  };
}

/** The wire's own sentinel for the end of a stream, sent by OpenAI and everyone who copied it. */
const DONE = '[DONE]';

interface AnswerContext {
  readonly request: ModelRequest;
  readonly name: string;
  readonly accepts: AcceptedContent;
}

function hasMedia(messages: History): boolean {
  const isMedium = ({ type }: { readonly type: string }): boolean => type === 'image' || type === 'document';
  return messages.some((message) =>
    message.role === 'tool'
      ? message.results.some(({ content }) => content.some(isMedium))
      : message.content.some(isMedium),
  );
}

async function* streamAnswer(
  options: HttpModelOptions,
  wire: Wire,
  { request, name, accepts, signal }: StreamOptions & AnswerContext,
): AsyncGenerator<ModelEvent, void, undefined> {
  const reader = wire.createReader();
  const { fetch, firstByteTimeoutMs, stallTimeoutMs, query, whenDown } = options;
  if (hasMedia(request.messages)) {
    await fitMedia(request.messages, accepts);
    signal?.throwIfAborted();
  }
  const written = wire.buildRequest(request);
  const events = openEventStream({
    modelName: name,
    request: query ? { ...written, url: withQuery(written.url, query) } : written,
    signal,
    ...(fetch === undefined ? {} : { fetch }),
    ...(whenDown === undefined ? {} : { whenDown }),
    ...(firstByteTimeoutMs === undefined ? {} : { firstByteTimeoutMs }),
    ...(stallTimeoutMs === undefined ? {} : { stallTimeoutMs }),
  });
  let sawDone = false;
  let hasRead = false;
  for await (const arrived of events) {
    const said: ModelEvent[] = [];
    try {
      for (const event of arrived) {
        sawDone = event.data.trim() === DONE;
        if (sawDone) break;
        const data = parseData(event, name, hasRead);
        hasRead = true;
        if (event.type === 'json' && wire.readsPlainJson !== true) throw notStreamed(name, data);
        for (const each of reader.read(data, event.type)) addMerged(said, each);
      }
    } finally {
      // What came before a mistake was said all the same.
      yield* said;
    }
    if (sawDone) break;
  }
  const rest = reader.end(sawDone);
  if (rest === undefined) {
    throw new ModelError('network', `The answer of ${name} was cut off before it was complete.`);
  }
  yield* rest;
}

/** A stream that was understood so far has been damaged on its way, and is worth another try; another is no answer of a model. */
function parseData(event: AnswerEvent, modelName: string, isRetryable: boolean): unknown {
  try {
    return JSON.parse(event.data) as unknown;
  } catch (cause) {
    const excerpt = JSON.stringify(event.data.slice(0, 80));
    throw new ModelError('protocol', `${modelName} sent an event that is no JSON: ${excerpt}.`, { cause, isRetryable });
  }
}

function notStreamed(modelName: string, data: unknown): ModelError {
  if (asObject(data)?.error) return errorInStream(modelName, data);
  return new ModelError('protocol', `${modelName} answered without streaming; check the base URL of the model.`);
}

/** An error reported inside a stream that began well; the name is put in by the caller's reader. */
export function errorInStream(modelName: string, body: unknown): ModelError {
  return errorFromAnswer({ modelName, status: undefined, body: JSON.stringify(body) });
}

/** An address with parameters; those that it has already stay. */
export function withQuery(address: string, query: Readonly<Record<string, string>> | undefined): string {
  if (query === undefined || Object.keys(query).length === 0) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`;
}

/** Joins a base URL and a path without doubling the slash or the version: `…/v1/` + `/v1/messages`. */
export function joinUrl(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  const version = /^\/(v\d\w*)\//.exec(path)?.[1];
  return version !== undefined && base.endsWith(`/${version}`) ? base + path.slice(version.length + 1) : base + path;
}
