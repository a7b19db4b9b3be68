import type { ModelPrice } from '../model/cost.ts';
import type { ThinkingLevel } from '../model/model.ts';
import type { AnthropicThinking } from '../wires/anthropic/anthropic-thinking.ts';
import type { GeminiThinking } from '../wires/gemini/gemini-request.ts';

/** What we know about a model that a provider does not tell us at run time. Read from the providers' pages, November 2026. */
export interface KnownModel {
  readonly provider: 'anthropic' | 'openai' | 'gemini';
  readonly model: string;
  readonly name: string;
  /** Left out where no page says it. */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly thinkingLevels: readonly ThinkingLevel[];
  readonly thinking?: AnthropicThinking | GeminiThinking;
  readonly price?: ModelPrice;
}

const ALL_LEVELS: readonly ThinkingLevel[] = ['off', 'low', 'medium', 'high', 'max'];
const ALWAYS_ON: readonly ThinkingLevel[] = ['low', 'medium', 'high', 'max'];
/** What every model that thinks has, where nothing else is known. */
const USUAL_LEVELS: readonly ThinkingLevel[] = ['low', 'medium', 'high'];

const CLAUDE_5 = { provider: 'anthropic', contextWindow: 1_000_000, maxOutputTokens: 128_000 } as const;
const CLAUDE_4_5 = {
  provider: 'anthropic',
  contextWindow: 200_000,
  maxOutputTokens: 64_000,
  thinking: 'budget',
} as const;
const GPT = {
  provider: 'openai',
  contextWindow: 1_050_000,
  maxOutputTokens: 128_000,
  thinkingLevels: ALL_LEVELS,
} as const;
const GEMINI = { provider: 'gemini', contextWindow: 1_048_576, maxOutputTokens: 65_536 } as const;
const GEMINI_3 = { ...GEMINI, thinking: 'level', thinkingLevels: ['low', 'medium', 'high'] } as const;
const GEMINI_2_5 = { ...GEMINI, thinking: 'budget', thinkingLevels: ALL_LEVELS } as const;

/** OpenAI doubles input and adds half to output beyond this size. */
const GPT_LONG_TOKENS = 272_000;

/** The first model of a provider is the one we begin with when only its key is set. */
export const KNOWN_MODELS: readonly KnownModel[] = [
  {
    ...CLAUDE_5,
    model: 'claude-sonnet-5-5',
    name: 'Claude Sonnet 5.5',
    thinking: 'between_tools',
    thinkingLevels: ALL_LEVELS,
    price: { input: 2, output: 10, cachedInput: 0.1, cacheWrite: 2.5 },
  },
  {
    ...CLAUDE_5,
    model: 'claude-opus-5-5',
    name: 'Claude Opus 5.5',
    thinking: 'always',
    thinkingLevels: ALWAYS_ON,
    price: { input: 4, output: 20, cachedInput: 0.2, cacheWrite: 5 },
  },
  {
    ...CLAUDE_5,
    model: 'claude-haiku-5-5',
    name: 'Claude Haiku 5.5',
    thinking: 'adaptive',
    thinkingLevels: ALL_LEVELS,
    price: {
      input: 0.1,
      output: 0.5,
      cachedInput: 0.01,
      cacheWrite: 0.125,
      long: { aboveInputTokens: 100_000, input: 0.5, output: 2.5, cachedInput: 0.05, cacheWrite: 0.625 },
    },
  },
  {
    ...CLAUDE_5,
    model: 'claude-fable-5-1',
    name: 'Claude Fable 5.1',
    thinking: 'always',
    thinkingLevels: ALWAYS_ON,
    price: { input: 10, output: 50, cachedInput: 0.25, cacheWrite: 12.5 },
  },
  {
    provider: 'anthropic',
    model: 'claude-fable-5-2',
    name: 'Claude Fable 5.2',
    thinking: 'always',
    thinkingLevels: USUAL_LEVELS,
  },
  {
    ...CLAUDE_5,
    model: 'claude-opus-5',
    name: 'Claude Opus 5',
    thinking: 'adaptive',
    thinkingLevels: ALL_LEVELS,
    price: { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 },
  },
  {
    ...CLAUDE_5,
    model: 'claude-sonnet-5',
    name: 'Claude Sonnet 5',
    thinking: 'adaptive',
    thinkingLevels: ALL_LEVELS,
    price: { input: 2, output: 10, cachedInput: 0.2, cacheWrite: 2.5 },
  },
  {
    ...CLAUDE_4_5,
    model: 'claude-haiku-4-5',
    name: 'Claude Haiku 4.5',
    thinkingLevels: ALL_LEVELS,
    price: { input: 1, output: 5, cachedInput: 0.1, cacheWrite: 1.25 },
  },
  // It refuses the effort `none`.
  {
    ...GPT,
    model: 'gpt-6.1-sol',
    name: 'GPT-6.1 Sol',
    thinkingLevels: ALWAYS_ON,
    price: { ...gptPrice(2, 10, 0.1), cacheWrite: 2.5 },
  },
  { ...GPT, model: 'gpt-6.1-terra', name: 'GPT-6.1 Terra', price: gptPrice(1, 5, 0.05) },
  { provider: 'openai', model: 'gpt-6-astra', name: 'GPT-6 Astra', thinkingLevels: USUAL_LEVELS },
  { ...GPT, model: 'gpt-6-sol', name: 'GPT-6 Sol', price: { ...gptPrice(2, 10, 0.2), cacheWrite: 2.5 } },
  { ...GPT, model: 'gpt-6-luna', name: 'GPT-6 Luna', price: gptPrice(0.1, 0.5, 0.01) },
  { ...GPT, model: 'gpt-5.6-terra', name: 'GPT-5.6 Terra', price: gptPrice(2, 12, 0.2) },
  {
    ...GEMINI_3,
    model: 'gemini-3.8-flash',
    name: 'Gemini 3.8 Flash',
    price: { input: 0.75, output: 3.75, cachedInput: 0.075, validUntil: '2026-12-31' },
  },
  {
    provider: 'gemini',
    model: 'gemini-4-argon',
    name: 'Gemini 4 Argon',
    thinking: 'level',
    thinkingLevels: USUAL_LEVELS,
  },
  {
    ...GEMINI_3,
    model: 'gemini-3.1-pro-preview',
    name: 'Gemini 3.1 Pro (preview)',
    price: { input: 2, output: 12, cachedInput: 0.2, long: { aboveInputTokens: 200_000, input: 4, output: 18 } },
  },
  {
    ...GEMINI_3,
    model: 'gemini-3.1-flash-lite',
    name: 'Gemini 3.1 Flash-Lite',
    price: { input: 0.25, output: 1.5, cachedInput: 0.025 },
  },
  { ...GEMINI_2_5, model: 'gemini-2.5-flash', name: 'Gemini 2.5 Flash' },
];

/** What we know about a provider's model; a dated name (`claude-haiku-4-5-20251001`) means the same model. */
export function findKnownModel(provider: string, model: string): KnownModel | undefined {
  const undated = model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  return KNOWN_MODELS.find((known) => known.provider === provider && known.model === undated);
}

/** How a Claude model that the catalog lacks lets its thinking be set; those up to 4.5 refuse anything but a budget. */
export function claudeThinkingOf(model: string): AnthropicThinking | undefined {
  return /claude-(3|(opus|sonnet|haiku)-4(-[015])?(-\d{8})?$)/.test(model) ? 'budget' : undefined;
}

function gptPrice(input: number, output: number, cachedInput: number): ModelPrice {
  return {
    input,
    output,
    cachedInput,
    long: {
      aboveInputTokens: GPT_LONG_TOKENS,
      input: input * 2,
      output: output * 1.5,
      cachedInput: cachedInput * 2,
    },
  };
}
