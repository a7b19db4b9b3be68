import { randomBytes } from 'node:crypto';
import type { ClientSession } from '@parley/client';
import type { FakeEvent, FakeModelServer, Reply } from '@parley/testing/fake-model-server';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { makeProject, startInProcess, startModel } from './in-process.ts';

let signatures = 0;
const thought = (text = 'Hm.'): FakeEvent => ({ type: 'thought', text, signature: `bound-${++signatures}` });
const look: FakeEvent = { type: 'tool_call', name: 'read_file', input: { path: 'a.txt' } };
const words = (text: string): FakeEvent => ({ type: 'text', text });

const claude = (url: string): Record<string, string> => ({
  ANTHROPIC_API_KEY: 'k',
  ANTHROPIC_BASE_URL: url,
  PARLEY_MODEL: 'anthropic/claude-sonnet-5-5',
});

interface Opened {
  readonly session: ClientSession;
  readonly server: FakeModelServer;
  /** The session as another process would open it. */
  reload(): Promise<ClientSession>;
}

async function open(
  script: readonly Reply[],
  { envFor = claude, now = () => new Date(), files = { 'a.txt': 'text' } as Record<string, string | Buffer> } = {},
): Promise<Opened> {
  const project = await makeProject(files);
  const { server } = await startModel({ script });
  const connection = await startInProcess({
    agent: { env: envFor(server.url), now },
    permissions: { ask: ({ options }) => ({ optionId: options[0]?.optionId ?? '' }) },
  });
  const session = await connection.newSession({ cwd: project.path });
  return {
    session,
    server,
    async reload() {
      await session.close();
      return connection.loadSession(session.id, { cwd: project.path });
    },
  };
}

/** The thoughts that went along with the last request. */
function thoughtsIn(server: FakeModelServer): number {
  return JSON.stringify(server.requests.at(-1)?.body).split('"signature":"bound-').length - 1;
}

describe('a conversation whose thoughts are bound to what stands before them', () => {
  it('goes on through modes, presets, an approved plan and midnight, with every thought', async () => {
    let now = new Date('2026-11-16T23:59:00Z');
    const { session, server } = await open(
      [
        { events: [thought(), look] },
        { events: [thought(), words('Seen.')] },
        { events: [thought(), { type: 'tool_call', name: 'exit_plan_mode', input: { plan: '1. Write' } }] },
        { events: [thought(), { type: 'tool_call', name: 'write_file', input: { path: 'b.txt', content: 'x' } }] },
        { events: [thought(), words('Written.')] },
        { events: [thought(), words('Tomorrow.')] },
        { events: [thought(), words('Only looking.')] },
      ],
      { now: () => now },
    );
    await session.prompt('look').result;
    expect((await session.prompt('/plan write b.txt').result).text).toBe('Written.');
    now = new Date('2026-11-17T00:01:00Z');
    expect((await session.prompt('and now?').result).text).toBe('Tomorrow.');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('Date: 2026-11-17');
    await session.setMode('ask');
    await session.setOption('preset', 'read-only');
    expect((await session.prompt('and in this mode?').result).text).toBe('Only looking.');
    expect(server.requests).toHaveLength(7);
    expect(thoughtsIn(server)).toBe(6);
  });

  it('sends its thoughts again when the session is opened again', async () => {
    const { session, server, reload } = await open([
      { events: [thought(), words('Let me look.'), look] },
      { events: [thought(), words('Seen.')] },
    ]);
    await session.prompt('look').result;
    const again = await reload();
    server.add({ events: [thought(), words('Still here.')] });
    expect((await again.prompt('go on').result).text).toBe('Still here.');
    expect(server.requests).toHaveLength(3);
    expect(thoughtsIn(server)).toBe(2);
  });

  it('drops the thoughts and asks again where they do not fit after all, and says so', async () => {
    const { session, server, reload } = await open([
      { events: [thought(), look] },
      { events: [thought(), words('Seen.')] },
    ]);
    await session.prompt('look').result;
    // More tools than before make another beginning.
    await session.setOption('preset', 'sandbox');
    server.add({ events: [thought(), words('Fine.')] }, { events: [thought(), words('Again.')] }, 'And again.');
    expect((await session.prompt('and now?').result).text).toBe('Fine.');
    const notices = session.transcript.entries.toArray().filter(({ type }) => type === 'notice');
    expect(notices).toMatchObject([{ title: expect.stringContaining('left out') }]);
    expect(server.requests).toHaveLength(4);
    expect(thoughtsIn(server)).toBe(0);
    await session.prompt('and?').result;
    expect([server.requests.length, thoughtsIn(server)]).toEqual([5, 1]);
    const loaded = await reload();
    await loaded.prompt('and after?').result;
    expect([server.requests.length, thoughtsIn(server)]).toEqual([6, 2]);
  });
});

describe('a provider that wants reasoning_content back', () => {
  it('gets it in the next turn and when the session is opened again', async () => {
    const { session, server, reload } = await open(
      [{ events: [{ type: 'thought', text: 'I should look.' }, look] }, { events: [look] }, 'Seen.', 'Yes.'],
      { envFor: (url) => ({ PARLEY_BASE_URL: `${url}/v1`, PARLEY_MODEL: 'deepseek-v4' }) },
    );
    await session.prompt('look').result;
    expect((await session.prompt('really?').result).text).toBe('Yes.');
    const loaded = await reload();
    server.add('Still.');
    expect((await loaded.prompt('still?').result).text).toBe('Still.');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('"reasoning_content":"I should look."');
  });
});

describe('what a provider would refuse for ever', () => {
  const broken = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(6 * 1024 * 1024, 1)]);

  it('is an image that is too large: a note takes its place', async () => {
    const { session, server } = await open(
      [{ events: [{ type: 'tool_call', name: 'read_file', input: { path: 'big.png' } }] }, 'I see a note.', 'Yes.'],
      { files: { 'big.png': broken } },
    );
    expect((await session.prompt('look').result).text).toBe('I see a note.');
    expect((await session.prompt('and?').result).text).toBe('Yes.');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('was left out: it takes');
  });

  it('is a screenshot that is too large: the model gets a smaller copy', async () => {
    const png = new PNG({ width: 1700, height: 1000, colorType: 2 });
    randomBytes(png.data.length).copy(png.data);
    const { session, server } = await open(
      [{ events: [{ type: 'tool_call', name: 'read_file', input: { path: 'big.png' } }] }, 'I see noise.', 'Yes.'],
      { files: { 'big.png': PNG.sync.write(png, { colorType: 2 }) } },
    );
    expect((await session.prompt('look').result).text).toBe('I see noise.');
    expect((await session.prompt('and?').result).text).toBe('Yes.');
    const body = JSON.stringify(server.requests.at(-1)?.body);
    expect(body).toContain('"media_type":"image/png"');
    expect(body.length).toBeLessThan(4 * 1024 * 1024);
  });

  it('is output that was cut inside a character: it never is', async () => {
    const { session, server } = await open(
      [{ events: [{ type: 'tool_call', name: 'read_file', input: { path: 'emoji.txt' } }] }, 'Fine.'],
      { files: { 'emoji.txt': `x${'😀'.repeat(100_000)}` } },
    );
    await session.prompt('look').result;
    expect(JSON.stringify(server.requests[1]?.body)).not.toMatch(/\\ud8|\ufffd/);
  });

  it.each([
    ['anthropic', claude],
    ['openai-chat', (url: string) => ({ PARLEY_BASE_URL: `${url}/v1`, PARLEY_MODEL: 'm' })],
    [
      'openai-responses',
      (url: string) => ({ PARLEY_BASE_URL: `${url}/v1`, PARLEY_MODEL: 'm', PARLEY_WIRE: 'openai-responses' }),
    ],
    ['gemini', (url: string) => ({ GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: url, PARLEY_MODEL: 'gemini/m' })],
  ])('is tried once more with less on %s, and stays with less', async (_, envFor) => {
    const { session, server, reload } = await open(
      [
        { events: [look] },
        { error: 'invalid_request', message: 'something about messages.3 is odd' },
        { events: [words('Now I can read it.')] },
        'Later.',
      ],
      { envFor, files: { 'a.txt': `${'long line\n'.repeat(1_500)}the end` } },
    );
    const sizeOf = (index: number): number => JSON.stringify(server.requests[index]?.body).length;
    expect((await session.prompt('look').result).text).toBe('Now I can read it.');
    expect(sizeOf(1) - sizeOf(2)).toBeGreaterThan(5_000);
    const loaded = await reload();
    expect((await loaded.prompt('and?').result).text).toBe('Later.');
    expect(sizeOf(1) - sizeOf(3)).toBeGreaterThan(5_000);
  });

  it('is not sent again by /compact, which says what came of it', async () => {
    const refused: Reply = { error: 'invalid_request', message: 'this will never do' };
    const { session, server } = await open(['Hello.', refused, refused], {
      files: { 'a.txt': 'short' },
    });
    await session.prompt('hello').result;
    await expect(session.prompt(`look at this: ${'x'.repeat(20_000)}`).result).rejects.toThrow('this will never do');
    // Nothing could be left out, so it was asked once.
    expect(server.requests).toHaveLength(2);
    server.add(refused, refused);
    expect((await session.prompt('/compact').result).text).toMatch(/^It was not shortened: .*this will never do/);
    const bodies = server.requests.slice(2).map(({ body }) => JSON.stringify(body).length);
    expect(bodies).toHaveLength(3);
    for (const length of bodies) expect(length).toBeLessThan(30_000);
    server.add('They said hello.', 'Well.');
    expect((await session.prompt('/compact').result).text).toMatch(/^Shortened from about/);
    expect((await session.prompt('are you well?').result).text).toBe('Well.');
  });

  it('is a conversation that is too long, said in words that nobody knows: it is shortened', async () => {
    const odd: Reply = { error: 'invalid_request', message: 'prompt geometry violates tensor bounds' };
    const summary: Reply = {
      events: [{ type: 'text', text: 'They sent a long text.' }],
      when: { contains: 'Summarize the conversation' },
    };
    const { session, server } = await open(['Noted.', odd, summary, 'Now it fits.']);
    const long = 'word '.repeat(20_000);
    await session.prompt(`keep this: ${long}`).result;
    expect((await session.prompt('and now?').result).text).toContain('Now it fits.');
    const sent = server.requests.map(({ body }) => JSON.stringify(body).includes(long));
    expect(sent).toEqual([true, true, false, false]);
  });

  it('is not repeated where nothing could be left out', async () => {
    const { session, server } = await open([{ error: 'invalid_request', message: 'no such parameter' }]);
    await expect(session.prompt('hello').result).rejects.toThrow('no such parameter');
    expect(server.requests).toHaveLength(1);
  });
});
