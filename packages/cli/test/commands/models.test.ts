import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeModelServer, startFakeModelServer } from '@parley/testing/fake-model-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();
const file = join(parley.home, 'config/parley/config.json');
let server: FakeModelServer;

beforeAll(async () => {
  server = await startFakeModelServer({
    models: ['house-large-2', 'house-small'],
    fallback: 'Hello.',
    apiKey: 'house-key',
  });
});
afterAll(() => server.close());
beforeEach(() => {
  rmSync(join(parley.home, 'state/parley/models.json'), { force: true });
  mkdirSync(join(parley.home, 'config/parley'), { recursive: true });
});

function settings(value: object): void {
  writeFileSync(file, JSON.stringify(value));
}

const house = (): object => ({
  title: 'The house',
  wire: 'openai',
  baseUrl: `${server.url}/v1`,
  keyEnv: 'HOUSE_KEY',
  query: { 'api-version': '2026-10-01' },
  headers: { 'X-Team': `\${TEAM}` },
  models: {
    'house-large-2': {
      name: 'Large',
      contextWindow: 200_000,
      thinking: ['low', 'high'],
      price: { input: 3, output: 15, cachedInput: 0.3 },
    },
  },
});

describe('parley models', () => {
  it('lists the models of a provider that the settings describe, and the default among them', async () => {
    settings({ providers: { house: { ...house(), lists: true } } });
    const { stdout, code } = await parley.run(['models'], { env: { HOUSE_KEY: 'house-key', TEAM: 'blue' } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\* house\/house-large-2 +200k +\$3\/0\.3\/15 +low high +Large$/m);
    expect(stdout).toMatch(/^ {2}house\/house-small +- +- +-$/m);
    expect(stdout).toMatch(/^ {2}offline /m);
  });

  it('keeps the list, and says so when the provider does not answer', async () => {
    settings({ providers: { house: { baseUrl: `${server.url}/v1`, keyEnv: 'HOUSE_KEY' } } });
    const env = { HOUSE_KEY: 'house-key' };
    expect((await parley.run(['models', 'small'], { env })).stdout).toContain('house/house-small');
    const again = await parley.run(['models', 'list', '--refresh', '--offline'], { env });
    expect(again.stdout).toContain('house/house-small');
    expect(again.stderr).toContain('house did not answer; its list is of today.');
  });

  it('sets the model by a part of its name, which sessions then begin with', async () => {
    settings({ providers: { house: house() } });
    const env = { HOUSE_KEY: 'house-key', TEAM: 'blue' };
    expect((await parley.run(['models', 'set', 'large'], { env })).stdout).toBe(
      'model is house/house-large-2 (Large)\n',
    );
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ model: 'house/house-large-2' });
    const { stdout, stderr } = await parley.run(['exec', '--format', 'quiet', 'hello'], { env });
    expect(stdout).toBe('Hello.\n');
    expect(stderr).toBe('');
    const request = server.requests.at(-1);
    expect(request).toMatchObject({ model: 'house-large-2', path: '/v1/chat/completions?api-version=2026-10-01' });
    expect(request?.headers).toMatchObject({ authorization: 'Bearer house-key', 'x-team': 'blue' });
  });

  it('are missed by exec, which says so once on stderr', async () => {
    settings({});
    const { stdout, stderr } = await parley.run(['exec', '--format', 'quiet', 'list the files here']);
    expect(stdout).toContain('Done: list the files.');
    expect(stderr).toMatch(/^parley: no model is within reach, so this is the offline model: .*ANTHROPIC_API_KEY.*\n$/);
  });

  it('lists what an ambiguous name may mean', async () => {
    settings({ providers: { house: { baseUrl: `${server.url}/v1`, keyEnv: 'HOUSE_KEY' } } });
    const { code, stderr } = await parley.run(['models', 'set', 'house'], { env: { HOUSE_KEY: 'house-key' } });
    expect(code).toBe(2);
    expect(stderr).toContain('house/house-large-2');
    expect(stderr).toContain('house/house-small');
  });

  it('reads a key from a file beside the settings, and says so when it is not there', async () => {
    writeFileSync(join(parley.home, 'config/parley/house.key'), 'house-key\n');
    settings({ providers: { house: { baseUrl: `${server.url}/v1`, keyFile: 'house.key' } } });
    const { stdout } = await parley.run(['models', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 1, default: 'house/house-large-2' });
    expect(stdout).not.toContain('house-key');
    settings({ providers: { house: { baseUrl: `${server.url}/v1`, keyFile: 'gone.key' } } });
    const gone = await parley.run(['models']);
    expect(gone.code).toBe(2);
    expect(gone.stderr).toContain('gone.key');
  });

  it('leaves out providers that a project sets until the project is trusted', async () => {
    settings({});
    const cwd = join(parley.home, 'cloned');
    mkdirSync(join(cwd, '.git'), { recursive: true });
    writeFileSync(
      join(cwd, '.parleyrc.json'),
      JSON.stringify({ providers: { anthropic: { baseUrl: `${server.url}/v1`, keyEnv: 'ANTHROPIC_API_KEY' } } }),
    );
    const env = { ANTHROPIC_API_KEY: 'secret' };
    const addressOf = async (): Promise<string> => {
      const { stdout } = await parley.run(['models', '--json', '--offline'], { env, cwd });
      return (JSON.parse(stdout) as { providers: { baseUrl: string }[] }).providers[0]?.baseUrl ?? '';
    };
    expect(await addressOf()).toBe('https://api.anthropic.com');
    await parley.run(['config', 'trust'], { cwd });
    expect(await addressOf()).toBe(`${server.url}/v1`);
  });
});
