import type { ChatDialect } from '../openai-chat/chat-request.ts';
import type { WireFormatName } from '../wire-formats.ts';

/** A service that a key in the environment gives access to. */
export interface Provider {
  readonly provider: string;
  /** For people. */
  readonly label: string;
  readonly wire: WireFormatName;
  readonly dialect?: ChatDialect;
  readonly baseUrl: string;
  /** Variables that may hold the key; the first one that does counts. */
  readonly keys: readonly string[];
  /** The variable that holds another address. */
  readonly address: string;
  /** How its models are called, so that a bare name finds it. */
  readonly modelNames?: RegExp;
  /** Models besides those of the catalog. */
  readonly moreModels?: readonly string[];
  /** For an address that others use for servers of their own, which need no key and have other models. */
  readonly otherServers?: { readonly unlessHost: string; readonly wire: WireFormatName };
}

/** In the order of preference. A new provider is a row here. */
export const PROVIDERS: readonly Provider[] = [
  {
    provider: 'anthropic',
    label: 'Anthropic',
    wire: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    keys: ['ANTHROPIC_API_KEY'],
    address: 'ANTHROPIC_BASE_URL',
    modelNames: /^claude-/,
  },
  {
    provider: 'openai',
    label: 'OpenAI',
    wire: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    keys: ['OPENAI_API_KEY'],
    address: 'OPENAI_BASE_URL',
    modelNames: /^(gpt-|chatgpt-|codex-|o\d)/,
    otherServers: { unlessHost: 'api.openai.com', wire: 'openai-chat' },
  },
  {
    provider: 'gemini',
    label: 'Google',
    wire: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    address: 'GOOGLE_GEMINI_BASE_URL',
    modelNames: /^gemini-/,
  },
  {
    provider: 'openrouter',
    label: 'OpenRouter',
    wire: 'openai-chat',
    dialect: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keys: ['OPENROUTER_API_KEY'],
    address: 'OPENROUTER_BASE_URL',
    moreModels: ['openrouter/auto'],
  },
];

/** A server on this machine that speaks OpenAI's chat format. */
export interface LocalServer {
  readonly provider: string;
  readonly label: string;
  /** Ends in `/v1`. */
  readonly baseUrl: string;
}

/** The usual ports. A new local server is a row here. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { provider: 'ollama', label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { provider: 'llamacpp', label: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
  { provider: 'lmstudio', label: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { provider: 'vllm', label: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
];
