import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../http/http-answer.ts';
import { collectAnswer } from '../model/answer.ts';
import { addUsage, costOf } from '../model/cost.ts';
import { textOf } from '../model/history.ts';
import { ZERO_USAGE } from '../model/model.ts';
import { claudeThinkingOf, findKnownModel, KNOWN_MODELS } from './catalog.ts';
import { type DiscoverOptions, discoverModels } from './discover.ts';
import { type Discovery, discoverAtOnce } from './discovery.ts';

const nowhere: Fetch = () => Promise.reject(new TypeError('no network in this test'));

function discover(env: Record<string, string>, options: Partial<DiscoverOptions> = {}): Promise<Discovery> {
  return discoverModels({ env, fetch: nowhere, ...options });
}

/** A busy machine must not decide whether a server is found. */
const unhurried = { probeTimeoutMs: 15_000, listTimeoutMs: 15_000 };

/** An address of this machine that no program is given by chance. */
const DOWN = 'http://127.0.0.1:2';

const hello = { messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] } as const;

describe('discoverModels', () => {
  it('offers the offline model when there is nothing else', async () => {
    const { offers, preferred, notices } = await discover({});
    expect(offers.map(({ id }) => id)).toEqual(['offline']);
    expect(preferred.id).toBe('offline');
    expect(notices).toEqual([]);
    const model = await preferred.create();
    expect(textOf((await collectAnswer(model.stream(hello))).content)).toContain('offline model');
  });

  it.each([
    ['ANTHROPIC_API_KEY', 'anthropic'],
    ['OPENAI_API_KEY', 'openai'],
    ['GEMINI_API_KEY', 'gemini'],
    ['GOOGLE_API_KEY', 'gemini'],
    ['OPENROUTER_API_KEY', 'openrouter'],
    ['ANTHROPIC_AUTH_TOKEN', 'anthropic'],
  ])('begins with the provider whose key is in %s', async (variable, provider) => {
    const { preferred, offers } = await discover({ [variable]: 'secret-key' });
    expect(preferred).toMatchObject({ provider, origin: 'environment' });
    expect(offers.at(-1)?.id).toBe('offline');
    expect(JSON.stringify(offers)).not.toContain('secret-key');
  });

  it.each([
    ['DEEPSEEK_API_KEY', 'https://api.deepseek.com/models'],
    ['MOONSHOT_API_KEY', 'https://api.moonshot.ai/v1/models'],
    ['XAI_API_KEY', 'https://api.x.ai/v1/models'],
    ['MISTRAL_API_KEY', 'https://api.mistral.ai/v1/models'],
    ['GROQ_API_KEY', 'https://api.groq.com/openai/v1/models'],
  ])('asks the provider of %s which models it has', async (variable, address) => {
    const asked: string[] = [];
    const fetch: Fetch = async (url, init) => {
      expect(new Headers(init.headers).get('authorization')).toBe('Bearer k');
      asked.push(url);
      return Response.json({ data: [{ id: 'house-embed-1' }, { id: 'house-1', context_window: 1000 }] });
    };
    const { preferred } = await discover({ [variable]: 'k' }, { fetch, localServers: [] });
    expect(asked).toEqual([address]);
    expect(preferred).toMatchObject({ name: 'house-1', contextWindow: 1000 });
  });

  it('sends the token of ANTHROPIC_AUTH_TOKEN as a bearer token, and no key', async () => {
    await using server = await startFakeModelServer({ script: ['ok'], apiKey: 'token' });
    const env = { ANTHROPIC_AUTH_TOKEN: 'token', ANTHROPIC_BASE_URL: server.url };
    await collectAnswer((await discoverAtOnce({ env }).preferred.create()).stream(hello));
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer token' });
    expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('reaches Azure by its address, with its own header and version', async () => {
    await using server = await startFakeModelServer({ script: ['ok'] });
    const env = {
      AZURE_OPENAI_API_KEY: 'k',
      AZURE_OPENAI_ENDPOINT: server.url,
      AZURE_OPENAI_API_VERSION: 'preview',
      PARLEY_MODEL: 'azure/our-deployment',
    };
    await collectAnswer((await discoverAtOnce({ env }).preferred.create()).stream(hello));
    expect(server.requests[0]).toMatchObject({
      path: '/openai/v1/responses?api-version=preview',
      model: 'our-deployment',
    });
    expect(server.requests[0]?.headers).toMatchObject({ 'api-key': 'k' });
  });

  it('merges the list of a provider with the catalog', async () => {
    const fetch: Fetch = async () =>
      Response.json({
        data: [
          { id: 'claude-next-1', display_name: 'Claude Next 1', max_input_tokens: 2_000_000 },
          { id: 'claude-fable-5-2', display_name: 'Claude Fable 5.2', max_input_tokens: 900_000 },
          { id: 'claude-haiku-4-5-20251001', display_name: 'Claude Haiku 4.5' },
        ],
      });
    const { offers, preferred } = await discover({ ANTHROPIC_API_KEY: 'k' }, { fetch, localServers: [] });
    expect(preferred.id).toBe('anthropic/claude-sonnet-5-5');
    const of = (model: string) => offers.find(({ id }) => id === `anthropic/${model}`);
    expect(of('claude-next-1')).toMatchObject({ name: 'Claude Next 1', contextWindow: 2_000_000, price: undefined });
    expect(of('claude-fable-5-2')).toMatchObject({ contextWindow: 900_000, thinkingLevels: ['low', 'medium', 'high'] });
    expect(of('claude-haiku-4-5-20251001')).toBeUndefined();
  });

  it('takes prices, sizes and inputs from the list of OpenRouter, and leaves out what has no tools', async () => {
    const fetch: Fetch = async () =>
      Response.json({
        data: [
          {
            id: 'house/one',
            context_length: 300_000,
            pricing: { prompt: '0.000002', completion: '0.00001', input_cache_read: '0.0000002' },
            architecture: { input_modalities: ['text'] },
            supported_parameters: ['tools'],
          },
          { id: 'house/mute', supported_parameters: ['temperature'] },
        ],
      });
    const { offers } = await discover({ OPENROUTER_API_KEY: 'k' }, { fetch, localServers: [] });
    expect(offers.map(({ id }) => id)).toEqual(['openrouter/openrouter/auto', 'openrouter/house/one', 'offline']);
    expect(offers[1]).toMatchObject({
      contextWindow: 300_000,
      price: { input: 2, output: 10, cachedInput: 0.2 },
      accepts: { images: false },
    });
  });

  it('asks for a list once a day, and goes on with the old one when nobody answers', async () => {
    let kept = {};
    const cache = {
      read: async () => kept,
      write: async (lists: object) => {
        kept = lists;
      },
    };
    let count = 0;
    const fetch: Fetch = async () => {
      count++;
      return Response.json({ data: [{ id: 'claude-next-1' }] });
    };
    const options = { fetch, cache, localServers: [], lists: 'stale', now: () => 1_000 } as const;
    const env = { ANTHROPIC_API_KEY: 'secret-key' };
    await discover(env, options);
    const { offers } = await discover(env, options);
    expect(count).toBe(1);
    expect(offers.map(({ id }) => id)).toContain('anthropic/claude-next-1');
    expect(JSON.stringify(kept)).not.toContain('secret-key');
    const later = await discover(env, { ...options, fetch: nowhere, now: () => 100_000_000 });
    expect(later.offers.map(({ id }) => id)).toContain('anthropic/claude-next-1');
    expect(later.providers).toMatchObject([{ provider: 'anthropic', isSilent: true, listedAt: 1_000 }]);
  });

  it('says what is wrong with a provider of the settings', async () => {
    const providers = { house: { wire: 'openai' }, other: { baseUrl: 'http://127.0.0.1:9', keyEnv: 'OTHER_KEY' } };
    const { notices } = await discover({}, { providers });
    expect(notices.join('\n')).toContain('"house" needs a baseUrl');
    expect(notices.join('\n')).toContain('OTHER_KEY, which is not set');
  });

  it('understands a part of a name in PARLEY_MODEL, and says what an ambiguous one may mean', async () => {
    const env = { ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' };
    expect(discoverAtOnce({ env: { ...env, PARLEY_MODEL: 'sonnet' } }).preferred.id).toBe(
      'anthropic/claude-sonnet-5-5',
    );
    expect((await discover({ ...env, PARLEY_MODEL: 'flash' })).notices.join()).toContain(
      'may mean gemini/gemini-3.8-flash',
    );
  });

  it('treats an empty key as no key', async () => {
    expect((await discover({ ANTHROPIC_API_KEY: '' })).preferred.id).toBe('offline');
  });

  it('obeys PARLEY_MODEL, known to the catalog or not', async () => {
    const env = { ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' };
    expect((await discover({ ...env, PARLEY_MODEL: 'gemini/gemini-9-ultra' })).preferred.id).toBe(
      'gemini/gemini-9-ultra',
    );
    expect((await discover({ ...env, PARLEY_MODEL: 'claude-opus-5-5' })).preferred.id).toBe(
      'anthropic/claude-opus-5-5',
    );
    expect((await discover({ ...env, PARLEY_MODEL: 'offline' })).preferred.id).toBe('offline');
  });

  it.each([
    ['gpt-5.1', { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }, 'openai/gpt-5.1'],
    ['gpt-5.1', { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }, 'openai/gpt-5.1'],
    ['gpt-5.1', { OPENAI_API_KEY: 'k', PARLEY_BASE_URL: 'http://127.0.0.1:9/v1' }, 'custom/gpt-5.1'],
    ['claude-opus-9', { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }, 'anthropic/claude-opus-9'],
    ['gemini-9', { GEMINI_API_KEY: 'k' }, 'gemini/gemini-9'],
    ['qwen/qwen3-coder', { OPENROUTER_API_KEY: 'k' }, 'openrouter/qwen/qwen3-coder'],
    ['house-model', { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }, 'openai/house-model'],
    ['gpt-5.1', { ANTHROPIC_API_KEY: 'k' }, 'offline'],
  ])('finds the bare name %s with the keys %j', (name, env, id) => {
    expect(discoverAtOnce({ env: { ...env, PARLEY_MODEL: name } }).preferred.id).toBe(id);
  });

  it('puts what was set for Parley first, also where it has to be asked', async () => {
    await using server = await startFakeModelServer({ models: ['house-model'] });
    const env = { ANTHROPIC_API_KEY: 'k', PARLEY_BASE_URL: `${server.url}/v1` };
    const { preferred } = await discoverModels({ env, localServers: [], ...unhurried });
    expect(preferred.id).toBe('custom/house-model');
  });

  it('says so when the wanted model is not there, and spends nothing on another', async () => {
    const { preferred, notices } = await discover({ ANTHROPIC_API_KEY: 'k', PARLEY_MODEL: 'ollama/qwen3' });
    expect(preferred.id).toBe('offline');
    expect(notices.join()).toContain('ollama/qwen3');
  });

  it('finds local servers, offers their models and never chooses one by itself', async () => {
    await using server = await startFakeModelServer({
      models: ['qwen3:8b', 'nomic-embed-text'],
      script: ['local hello'],
    });
    const localServers = [
      { provider: 'ollama', label: 'Ollama', baseUrl: `${server.url}/v1` },
      { provider: 'vllm', label: 'vLLM', baseUrl: `${server.url}/v1` },
    ];
    const { offers, preferred, notices } = await discoverModels({ env: {}, localServers, ...unhurried });
    expect(offers.map(({ id }) => id)).toEqual(['ollama/qwen3:8b', 'vllm/qwen3:8b', 'offline']);
    expect(preferred.id).toBe('offline');
    expect(notices.join()).toContain('ollama');
    const named = await discoverModels({ env: { PARLEY_MODEL: 'ollama/qwen3:8b' }, localServers, ...unhurried });
    const model = await named.preferred.create();
    expect(textOf((await collectAnswer(model.stream(hello))).content)).toBe('local hello');
  });

  it('looks where OLLAMA_HOST points', async () => {
    await using server = await startFakeModelServer({ models: ['llama'] });
    const host = server.url.replace('http://127.0.0.1', '0.0.0.0');
    const localServers = [{ provider: 'ollama', label: 'Ollama', baseUrl: 'http://127.0.0.1:9/v1' }];
    const { offers } = await discoverModels({ env: { OLLAMA_HOST: host }, localServers, ...unhurried });
    expect(offers.map(({ id }) => id)).toContain('ollama/llama');
  });

  it('does not wait for a local server that accepts and says nothing', async () => {
    const fetch: Fetch = (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    const { offers } = await discover({}, { fetch, probeTimeoutMs: 20 });
    expect(offers.map(({ id }) => id)).toEqual(['offline']);
  });

  it.each(['<html>', '{"data": 5}', '[]', '{"data": [{"id": 7}, null]}', ''])(
    'is not fooled by another program that answers %j',
    async (body) => {
      const fetch: Fetch = () => Promise.resolve(new Response(body));
      expect((await discover({}, { fetch })).offers.map(({ id }) => id)).toEqual(['offline']);
    },
  );

  it('asks an address of one’s own which models it holds', async () => {
    await using server = await startFakeModelServer({ models: ['house-model'], script: ['ours'], apiKey: 'house-key' });
    const env = { PARLEY_BASE_URL: `${server.url}/v1`, PARLEY_API_KEY: 'house-key' };
    const { preferred } = await discoverModels({ env, localServers: [], ...unhurried });
    expect(preferred.id).toBe('custom/house-model');
    const model = await preferred.create();
    expect(textOf((await collectAnswer(model.stream(hello))).content)).toBe('ours');
  });

  it.each([
    ['anthropic', '', 'anthropic'],
    ['gemini', '', 'gemini'],
    ['openai-responses', '/v1', 'openai-responses'],
    ['openai-chat', '/v1', 'openai-chat'],
  ])('speaks %s to an address of one’s own when told', async (wire, path, expected) => {
    await using server = await startFakeModelServer({ script: ['ours'] });
    const env = { PARLEY_BASE_URL: server.url + path, PARLEY_WIRE: wire, PARLEY_MODEL: 'm' };
    const model = await discoverAtOnce({ env }).preferred.create();
    await collectAnswer(model.stream(hello));
    expect(server.requests[0]).toMatchObject({ wire: expected, model: 'm' });
  });

  it.each([
    ['anthropic', '/v1/models?limit=1000', 'x-api-key', { data: [{ id: 'house-model' }] }],
    ['gemini', '/v1beta/models?pageSize=1000', 'x-goog-api-key', { models: [{ name: 'models/house-model' }] }],
    ['openai-responses', '/models', 'authorization', { data: [{ id: 'house-model' }] }],
  ])('asks a server that speaks %s for its models as that format has it', async (wire, path, header, body) => {
    const asked: { url: string; headers: Headers }[] = [];
    const fetch: Fetch = async (url, init) => {
      asked.push({ url, headers: new Headers(init.headers) });
      return Response.json(body);
    };
    const env = { PARLEY_BASE_URL: 'http://house.test', PARLEY_WIRE: wire, PARLEY_API_KEY: 'house-key' };
    const { preferred } = await discoverModels({ env, fetch, localServers: [], ...unhurried });
    expect(preferred.id).toBe('custom/house-model');
    expect(asked.map(({ url }) => url)).toEqual([`http://house.test${path}`]);
    expect(asked[0]?.headers.get(header)).toContain('house-key');
  });

  it('says what to do about a server that does not list its models', async () => {
    const { notices, preferred } = await discover({ PARLEY_BASE_URL: 'http://127.0.0.1:9/v1' });
    expect(preferred.id).toBe('offline');
    expect(notices.join()).toContain('if it does not run, start the server there; else check the address');
    const ollama = await discover({ PARLEY_BASE_URL: 'http://localhost:11434/v1' });
    expect(ollama.notices.join()).toContain('start the server there (if it is Ollama: `ollama serve`); else');
    const remote = await discover({ PARLEY_BASE_URL: 'http://house.test/v1' });
    expect(remote.notices.join()).toContain('it has; check the address and the key, or name a model in PARLEY_MODEL.');
    const local = await discover({ PARLEY_MODEL: 'lmstudio/qwen3' });
    expect(local.notices).toEqual([
      'PARLEY_MODEL is "lmstudio/qwen3", but no such model is within reach: LM Studio does not answer (`lms server start` starts it); using the offline model.',
    ]);
  });

  it('treats another OPENAI_BASE_URL as a compatible server', async () => {
    await using server = await startFakeModelServer({ models: ['their-model'], script: ['theirs'] });
    const { preferred } = await discoverModels({
      env: { OPENAI_BASE_URL: `${server.url}/v1` },
      localServers: [],
      ...unhurried,
    });
    expect(preferred.id).toBe('openai/their-model');
    await collectAnswer((await preferred.create()).stream(hello));
    expect(server.requests[0]?.wire).toBe('openai-chat');
  });

  it('retries through the offer, so that nobody has to remember to', async () => {
    await using server = await startFakeModelServer({ script: [{ error: 'overloaded', retryAfterSeconds: 0 }, 'ok'] });
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
    const model = await discoverAtOnce({ env }).preferred.create();
    expect(textOf((await collectAnswer(model.stream(hello))).content)).toBe('ok');
  });

  it.each([
    [{ PARLEY_BASE_URL: DOWN }, 'm', 'Start the server there, set another address (PARLEY_BASE_URL)'],
    [{ OPENAI_BASE_URL: DOWN, OPENAI_API_KEY: 'k' }, 'openai/m', 'set another address (OPENAI_BASE_URL)'],
    [{}, 'ollama/m', 'Start Ollama (`ollama serve`), set another address (providers.ollama.baseUrl)'],
  ])('says what to start and what to set when nothing listens for %j', async (env, model, words) => {
    const providers = Object.keys(env).length === 0 ? { ollama: { baseUrl: DOWN } } : {};
    const { preferred } = discoverAtOnce({ env: { ...env, PARLEY_MODEL: model }, providers });
    const created = await preferred.create({ sleep: () => Promise.resolve() });
    const error: unknown = await collectAnswer(created.stream(hello)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'network',
      message: expect.stringMatching(`^Nothing listens at ${DOWN}, where m should be. `),
    });
    expect(String(error)).toContain(`${words} or choose another model. It was tried 3 times.`);
  });

  it('is cancelled by its signal', async () => {
    const reason = new Error('stop');
    await expect(discover({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('the catalog', () => {
  it('names each model once and knows dated names', () => {
    const ids = KNOWN_MODELS.map(({ provider, model }) => `${provider}/${model}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(findKnownModel('anthropic', 'claude-haiku-4-5-20251001')?.model).toBe('claude-haiku-4-5');
    expect(findKnownModel('anthropic', 'claude-unheard-of')).toBeUndefined();
  });

  it('charges cached, written and fresh tokens apart', () => {
    const usage = {
      ...ZERO_USAGE,
      inputTokens: 1_000_000,
      cachedInputTokens: 400_000,
      cacheWriteTokens: 100_000,
      outputTokens: 10_000,
    };
    const price = { input: 2, output: 10, cachedInput: 0.2, cacheWrite: 2.5 };
    expect(costOf(usage, price)).toBeCloseTo(0.5 * 2 + 0.4 * 0.2 + 0.1 * 2.5 + 0.01 * 10);
  });

  it.each([
    ['claude-sonnet-5-5', 0.1],
    ['claude-opus-5-5', 0.2],
    ['gpt-6.1-sol', 0.1],
    ['claude-fable-5-1', 0.25],
    ['claude-haiku-5-5', 0.01],
  ])('charges what %s reads from the cache at its own price', (model, dollars) => {
    const price = KNOWN_MODELS.find((known) => known.model === model)?.price;
    const usage = { ...ZERO_USAGE, inputTokens: 100_000, cachedInputTokens: 100_000 };
    expect(costOf(usage, price)).toBeCloseTo(dollars / 10);
  });

  it('claims no cost where the price of what was cached is unknown', () => {
    expect(costOf({ ...ZERO_USAGE, inputTokens: 10, cachedInputTokens: 5 }, { input: 1, output: 2 })).toBeUndefined();
    expect(costOf({ ...ZERO_USAGE, inputTokens: 10 }, { input: 1, output: 2 })).toBeCloseTo(10 / 1e6);
  });

  it.each(['claude-sonnet-4-5', 'claude-opus-4-5-20251101', 'claude-opus-4-1', 'claude-3-7-sonnet-latest'])(
    'knows that %s takes a budget for its thoughts',
    (model) => expect(claudeThinkingOf(model)).toBe('budget'),
  );

  it('leaves newer Claude models at their default', () => {
    expect(claudeThinkingOf('claude-sonnet-4-6')).toBeUndefined();
    expect(claudeThinkingOf('claude-opus-7')).toBeUndefined();
  });

  it('charges long requests at their own rate and claims nothing for an expired price', () => {
    const long = { aboveInputTokens: 100, input: 4, output: 8 };
    expect(costOf({ ...ZERO_USAGE, inputTokens: 100 }, { input: 1, output: 2, long })).toBeCloseTo(100 / 1e6);
    expect(costOf({ ...ZERO_USAGE, inputTokens: 101 }, { input: 1, output: 2, long })).toBeCloseTo(404 / 1e6);
    const price = { input: 1, output: 1, validUntil: '2026-12-31' };
    expect(costOf(ZERO_USAGE, price, () => Date.parse('2026-12-31T12:00:00Z'))).toBe(0);
    expect(costOf(ZERO_USAGE, price, () => Date.parse('2027-01-01T00:00:01Z'))).toBeUndefined();
    expect(costOf(ZERO_USAGE, undefined)).toBeUndefined();
  });

  it('adds usages', () => {
    const one = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3, cacheWriteTokens: 4, thoughtTokens: 5 };
    expect(addUsage(one, one)).toEqual({
      inputTokens: 2,
      outputTokens: 4,
      cachedInputTokens: 6,
      cacheWriteTokens: 8,
      thoughtTokens: 10,
    });
  });
});
