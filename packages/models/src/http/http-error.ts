import { ModelError, type ModelErrorCode } from '../model/errors.ts';
import { asObject, type JsonObject, numberAt, objectAt, objectsAt, stringAt, tryParseJson } from './json.ts';

/** What a failed request looked like, before it has a name. */
export interface FailedAnswer {
  /** The name of the model, for the message. */
  readonly modelName: string;
  /** The HTTP status; undefined when the error came inside a stream that began well. */
  readonly status: number | undefined;
  readonly body: string;
  readonly retryAfter?: string | undefined;
  readonly now?: () => number;
}

/** The providers' words for the same few troubles; the first hit decides. */
const WORDS: readonly (readonly [RegExp, ModelErrorCode])[] = [
  [/insufficient_quota|credit balance|billing|payment required/i, 'quota'],
  [
    new RegExp(
      [
        /context_length_exceeded|exceed_context_size|request_too_large|model_max_prompt_tokens_exceeded/,
        /context (length|window|size|limit)|prompt is too long|input token count|too many (input )?tokens/,
        /maximum.{0,20}tokens/,
        // xAI; Groq; Kimi; Copilot; Bedrock; GLM.
        /maximum prompt length/,
        /reduce the length of the messages/,
        /exceeded (the )?model token limit/,
        /(prompt )?token count.{0,40}exceeds the limit/,
        /input is too long for/,
        /prompt exceeds max length|tokens in request more than max/,
      ]
        .map(({ source }) => source)
        .join('|'),
      'i',
    ),
    'context_too_long',
  ],
  [/overloaded|UNAVAILABLE|server_is_overloaded|at capacity|model is loading/i, 'overloaded'],
  [/rate.?limit|RESOURCE_EXHAUSTED|too many requests/i, 'rate_limited'],
  [/authentication|api.?key|permission_error|PERMISSION_DENIED|UNAUTHENTICATED/i, 'auth'],
  [/model_not_found|not_found_error|does not exist|no such model|model .{0,80}not found/i, 'unknown_model'],
  [/invalid_request|INVALID_ARGUMENT/i, 'invalid_request'],
  [/api_error|server_error|INTERNAL/i, 'server'],
];

const MAX_MESSAGE_CHARS = 600;

/** Gives a provider's refusal one of our codes and a sentence for a person. */
export function errorFromAnswer(answer: FailedAnswer): ModelError {
  const { modelName, status, body } = answer;
  const details = errorObject(tryParseJson(body));
  const said = sentenceFrom(details, body);
  const code = codeFor(status, `${described(details)} ${said}`);
  const retryAfterMs = retryAfterFrom(answer, details);
  const where = status === undefined ? '' : ` (HTTP ${status})`;
  return new ModelError(code, `${modelName} ${LEADS[code]}${where}: ${said} ${ADVICE[code]}`.trim(), {
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

const LEADS: Readonly<Record<ModelErrorCode, string>> = {
  auth: 'refused the key',
  context_too_long: 'cannot take so much text at once',
  invalid_request: 'refused the request',
  network: 'could not be reached',
  overloaded: 'is overloaded',
  protocol: 'answered something that makes no sense',
  quota: 'has no credit left',
  rate_limited: 'asks us to slow down',
  server: 'failed',
  stalled: 'went silent',
  unknown_model: 'is not known there',
};

const ADVICE: Readonly<Record<ModelErrorCode, string>> = {
  auth: 'Check the API key in your environment.',
  context_too_long: 'Compact the conversation or start a new one.',
  invalid_request: '',
  network: 'Check the address and your connection.',
  overloaded: 'Try again in a moment.',
  protocol: '',
  quota: 'Add credit to the account or choose another model.',
  rate_limited: 'Wait a moment or choose another model.',
  server: 'Try again in a moment.',
  stalled: '',
  unknown_model: 'Choose another model.',
};

/** A client error keeps its own meaning even if its text mentions, say, a rate limit. */
function codeFor(status: number | undefined, text: string): ModelErrorCode {
  const spoken = WORDS.find(([pattern]) => pattern.test(text))?.[1];
  switch (status) {
    case undefined:
      return spoken ?? 'server';
    case 401:
    case 403:
      return 'auth';
    case 402:
      return 'quota';
    case 404:
      return 'unknown_model';
    case 408:
      return 'network';
    case 413:
      return 'context_too_long';
    case 429:
      return spoken === 'quota' ? 'quota' : 'rate_limited';
    case 503:
    case 529:
      return 'overloaded';
  }
  if (status >= 500) return spoken === 'overloaded' || spoken === 'context_too_long' ? spoken : 'server';
  return spoken === 'context_too_long' || spoken === 'auth' || spoken === 'quota' || spoken === 'unknown_model'
    ? spoken
    : 'invalid_request';
}

/** `{error: {...}}` (all), `[{error: {...}}]` (Gemini), `{error: "text"}` (Ollama), `{type: "error", error}` (Anthropic). */
function errorObject(parsed: unknown): JsonObject | undefined {
  const object = asObject(Array.isArray(parsed) ? parsed[0] : parsed);
  const message = stringAt(object, 'error');
  return objectAt(object, 'error') ?? (message === undefined ? object : { message });
}

function described(details: JsonObject | undefined): string {
  return ['type', 'code', 'status'].map((key) => stringAt(details, key) ?? '').join(' ');
}

function sentenceFrom(details: JsonObject | undefined, body: string): string {
  const raw = stringAt(details, 'message') ?? stringAt(details, 'detail') ?? body;
  const oneLine = raw.replace(/\s+/g, ' ').trim();
  const said = oneLine.length > MAX_MESSAGE_CHARS ? `${oneLine.slice(0, MAX_MESSAGE_CHARS)}…` : oneLine;
  if (said === '') return 'no reason given.';
  return /[.!?…]$/.test(said) ? said : `${said}.`;
}

/** From the header (seconds or a date) or, for Gemini, from the body's RetryInfo. */
function retryAfterFrom(answer: FailedAnswer, details: JsonObject | undefined): number | undefined {
  const { retryAfter, now = Date.now } = answer;
  if (retryAfter !== undefined) {
    const seconds = Number(retryAfter);
    if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds * 1000));
    const date = Date.parse(retryAfter);
    if (!Number.isNaN(date)) return Math.max(0, date - now());
  }
  const delay = objectsAt(details, 'details')
    .map((detail) => stringAt(detail, 'retryDelay'))
    .find((value) => value !== undefined);
  const match = delay === undefined ? null : /^([\d.]+)s$/.exec(delay);
  if (match) return Math.ceil(Number(match[1]) * 1000);
  const seconds = numberAt(details, 'retry_after');
  return seconds === undefined ? undefined : Math.ceil(seconds * 1000);
}
