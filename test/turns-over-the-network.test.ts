import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { agent } from '@parley/agent';
import { type AgentSource, connect, type Transcript } from '@parley/client';
import { memoryStore } from '@parley/store/memory';
import { httpAgent } from '@parley/transports/http';
import { listen } from '@parley/transports/listen';
import { sseAgent } from '@parley/transports/sse';
import { webSocketAgent } from '@parley/transports/websocket';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';

const TOKEN = 'test-token';
const WORDS = 300;

/** The messages of a whole turn. */
const EVERYTHING = ['go', Array.from({ length: WORDS }, (_, index) => `${index} `).join(''), 'allowed'];

const KINDS: readonly { readonly kind: string; create(host: string, token?: () => string): AgentSource }[] = [
  { kind: 'WebSocket', create: (host, token = () => TOKEN) => webSocketAgent(`ws://${host}/acp`, { token }) },
  { kind: 'streamable HTTP', create: (host, token = () => TOKEN) => httpAgent(`http://${host}/acp`, { token }) },
  { kind: 'HTTP+SSE', create: (host, token = () => TOKEN) => sseAgent(`http://${host}/acp`, { token }) },
];

const ALLOW = { ask: () => ({ optionId: 'y' }) };

describe.each(KINDS)('a turn over $kind', ({ create }) => {
  it('asks for a permission, and tells everything once', async () => {
    const { host } = await serve();
    await using connection = await connect(create(host), { permissions: ALLOW });
    const session = await connection.newSession({ cwd: '/' });
    await session.prompt('go').result;
    expect(said(session.transcript)).toEqual(EVERYTHING);
  });

  it.each([1, 40, 150, 290])(
    'that is cut after %i words goes on: nothing is lost, nothing comes twice',
    async (words) => {
      const { host, cut } = await serve();
      await using connection = await connect(create(host), { permissions: ALLOW, reconnect: true });
      const session = await connection.newSession({ cwd: '/' });
      const turn = session.prompt('go');
      let heard = '';
      let isCut = false;
      for await (const event of turn) {
        if (event.type !== 'text') continue;
        heard += event.text;
        if (isCut || heard.split(' ').length <= words) continue;
        isCut = true;
        expect(cut()).toBeGreaterThan(0);
      }
      await turn.result;
      expect(isCut).toBe(true);
      expect(heard).toBe(EVERYTHING.slice(1).join(''));
      expect(said(session.transcript)).toEqual(EVERYTHING);
    },
  );

  it('that is cut while the agent asks is asked again, and goes on', async () => {
    const { host, cut } = await serve();
    let asked = 0;
    const ask = () => {
      asked += 1;
      if (asked === 1) expect(cut()).toBeGreaterThan(0);
      return { optionId: 'y' };
    };
    await using connection = await connect(create(host), { permissions: { ask }, reconnect: true });
    const session = await connection.newSession({ cwd: '/' });
    await session.prompt('go').result;
    expect(said(session.transcript)).toEqual(EVERYTHING);
  });
});

describe.each(KINDS)('a connection over $kind', ({ create }) => {
  it('that is cut when its token is no longer good ends, and says why', async () => {
    const { host, cut } = await serve();
    let token = TOKEN;
    await using connection = await connect(
      create(host, () => token),
      { reconnect: true },
    );
    await connection.newSession({ cwd: '/' });
    const ended = new Promise<void>((resolve) => connection.on('state', (state) => state === 'closed' && resolve()));
    token = 'expired';
    cut();
    await ended;
    await expect(connection.newSession({ cwd: '/' })).rejects.toThrow(/refused \(401\)/);
  });

  it('is refused with a reason that a person can read', async () => {
    const { host } = await serve();
    const opening = connect(create(host, () => 'wrong'));
    await expect(opening).rejects.toThrow(/refused \(401\).*Check the token/);
  });
});

describe('a page with a client of an agent over the network', () => {
  it('is bundled without anything of Node', async () => {
    const { metafile } = await build({
      stdin: {
        contents: `
          export { connect } from '@parley/client';
          export { webSocketAgent } from '@parley/transports/websocket';
          export { httpAgent } from '@parley/transports/http';
        `,
        resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      },
      platform: 'browser',
      conditions: ['source'],
      format: 'esm',
      bundle: true,
      write: false,
      metafile: true,
      splitting: true,
      outdir: 'out',
      logLevel: 'silent',
    });
    const inputs = Object.keys(metafile.inputs);
    expect(
      inputs.filter((file) => /node_modules\/(ws|undici)\/|packages\/[\w-]+\/src\/(\w+\/)?node\//.test(file)),
    ).toEqual([]);
  });
});

function said({ entries }: Transcript): string[] {
  return entries.toArray().flatMap((entry) => (entry.type === 'message' ? [entry.text] : []));
}

/** One of our agents, behind a relay whose connections can be cut. */
async function serve(): Promise<{ host: string; cut: () => number }> {
  const served = agent({ name: 'counter', version: '1', store: memoryStore(), onDiagnostic: () => {} }).onPrompt(
    async (turn) => {
      for (let index = 0; index < WORDS; index += 1) {
        await turn.say(`${index} `);
        if (index % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      const call = turn.toolCall({ title: 'write' });
      const { allowed } = await turn.askPermission(call, {
        options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
      });
      call.complete({ text: 'done' });
      await turn.say(allowed ? 'allowed' : 'refused');
    },
  );
  const listener = await listen({ token: TOKEN });
  void served.serve(listener);
  const sockets = new Set<Socket>();
  const relay = createServer((client) => {
    const target = connectTcp(listener.port, '127.0.0.1');
    client.pipe(target).pipe(client);
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        target.destroy();
      });
    }
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const cut = (): number => {
    const { size } = sockets;
    for (const socket of sockets) socket.resetAndDestroy();
    return size;
  };
  onTestFinished(async () => {
    cut();
    relay.close();
    await listener.close({ graceMs: 0 });
  });
  return { host: `127.0.0.1:${(relay.address() as AddressInfo).port}`, cut };
}
