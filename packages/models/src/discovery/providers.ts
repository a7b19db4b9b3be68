import type { ChatDialect } from '../wires/openai-chat/chat-request.ts';
import type { WireFormatName } from './wire-formats.ts';

/** A service that a key in the environment gives access to. */
export interface Provider {
  readonly provider: string;
  /** For people. */
  readonly label: string;
  readonly wire: WireFormatName;
  readonly dialect?: ChatDialect;
  /** Left out where everybody has an address of their own. */
  readonly baseUrl?: string;
  /** Variables that may hold the key; the first one that does counts. */
  readonly keys: readonly string[];
  /** Variables that may hold a token, which goes out as a bearer token where keys go out otherwise. */
  readonly tokens?: readonly string[];
  /** The header that takes the key, where it is not that of the wire format. */
  readonly keyHeader?: string;
  /** The variable that holds another address. */
  readonly address: string;
  /** Follows an address that is a host alone. */
  readonly path?: string;
  /** Query parameters whose values are in variables. */
  readonly query?: Readonly<Record<string, string>>;
  /** How its models are called, so that a bare name finds it. */
  readonly modelNames?: RegExp;
  /** Models besides those of the catalog. */
  readonly moreModels?: readonly string[];
  /** Those of its models to begin with, where it lists many and the catalog has none. */
  readonly usual?: RegExp;
  /** Whether its list holds what can be used. Default: true. */
  readonly lists?: boolean;
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
    tokens: ['ANTHROPIC_AUTH_TOKEN'],
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
  {
    provider: 'deepseek',
    label: 'DeepSeek',
    wire: 'openai-chat',
    baseUrl: 'https://api.deepseek.com',
    keys: ['DEEPSEEK_API_KEY'],
    address: 'DEEPSEEK_BASE_URL',
    modelNames: /^deepseek-/,
  },
  {
    provider: 'kimi',
    label: 'Kimi',
    wire: 'openai-chat',
    baseUrl: 'https://api.moonshot.ai/v1',
    keys: ['MOONSHOT_API_KEY', 'KIMI_API_KEY'],
    address: 'MOONSHOT_BASE_URL',
    modelNames: /^kimi-/,
    usual: /^kimi-k/,
  },
  {
    provider: 'xai',
    label: 'xAI',
    wire: 'openai-chat',
    baseUrl: 'https://api.x.ai/v1',
    keys: ['XAI_API_KEY'],
    address: 'XAI_BASE_URL',
    modelNames: /^grok-/,
    usual: /^grok-(code|\d)/,
  },
  {
    provider: 'mistral',
    label: 'Mistral',
    wire: 'openai-chat',
    baseUrl: 'https://api.mistral.ai/v1',
    keys: ['MISTRAL_API_KEY'],
    address: 'MISTRAL_BASE_URL',
    modelNames: /^(mistral|magistral|devstral|codestral|ministral)-/,
    usual: /^(devstral|mistral-(medium|large))-latest$/,
  },
  {
    provider: 'groq',
    label: 'Groq',
    wire: 'openai-chat',
    baseUrl: 'https://api.groq.com/openai/v1',
    keys: ['GROQ_API_KEY'],
    address: 'GROQ_BASE_URL',
    usual: /gpt-oss-120b|kimi|qwen/,
  },
  {
    provider: 'azure',
    label: 'Azure',
    wire: 'openai-responses',
    keys: ['AZURE_OPENAI_API_KEY'],
    keyHeader: 'api-key',
    address: 'AZURE_OPENAI_ENDPOINT',
    path: '/openai/v1',
    query: { 'api-version': 'AZURE_OPENAI_API_VERSION' },
    // It lists what could be deployed; what is deployed has names that only the person knows.
    lists: false,
  },
  {
    provider: 'bedrock',
    label: 'Bedrock',
    wire: 'openai-chat',
    keys: ['AWS_BEARER_TOKEN_BEDROCK'],
    address: 'BEDROCK_BASE_URL',
    path: '/openai/v1',
  },
  {
    provider: 'vertex',
    label: 'Vertex AI',
    wire: 'openai-chat',
    keys: ['VERTEX_ACCESS_TOKEN'],
    address: 'VERTEX_BASE_URL',
    lists: false,
  },
];

/** A server on this machine that speaks OpenAI's chat format. */
export interface LocalServer {
  readonly provider: string;
  readonly label: string;
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** The command that starts it, for people. */
  readonly start?: string;
}

/** The usual ports. A new local server is a row here. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { provider: 'ollama', label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', start: 'ollama serve' },
  { provider: 'llamacpp', label: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1', start: 'llama-server -m <file>' },
  { provider: 'lmstudio', label: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', start: 'lms server start' },
  { provider: 'vllm', label: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1', start: 'vllm serve <model>' },
];
