import { agent, type ProxyHandlers, serveProxy } from '@parley/agent';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AgentSource, connect } from '../../index.ts';
import { throughProxies } from './through-proxies.ts';

/** A component at the other end of a memory pair, as something that can be opened. */
function sourceOf(
  name: string,
  serve: (transport: ReturnType<typeof createMemoryPair>[0]) => Promise<unknown>,
): AgentSource {
  return {
    name,
    async open() {
      const [near, far] = createMemoryPair();
      const served = serve(far);
      onTestFinished(async () => void (await served));
      return { transport: near };
    },
  };
}

const proxy = (name: string, handlers?: ProxyHandlers): AgentSource =>
  sourceOf(name, (transport) => serveProxy(transport, handlers));

const ECHO = sourceOf('echo', (transport) =>
  agent({ name: 'echo', version: '1' })
    .onPrompt(async (turn) => {
      const call = turn.toolCall({ title: 'Ask' });
      const { allowed } = await turn.askPermission(call);
      call.complete();
      void turn.say(`${turn.text} ${allowed}`);
      if (turn.text.includes('wait'))
        await new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
    })
    .serve(transport),
);

async function open(proxies: readonly AgentSource[]) {
  const connection = await connect(throughProxies(ECHO, proxies), { permissions: { mode: 'bypassPermissions' } });
  onTestFinished(() => connection.close());
  return connection;
}

describe('an agent behind proxies', () => {
  it('is reached through all of them, and reaches the client the same way back', async () => {
    const passed: string[] = [];
    const watch = (name: string): ProxyHandlers => ({
      onRequest(message, forward) {
        passed.push(`${name} ${message.from} ${message.method}`);
        return forward();
      },
    });
    const connection = await open([proxy('one', watch('one')), proxy('two', watch('two'))]);
    expect(connection.agent).toBe('one | two | echo');
    expect(connection.agentInfo?.name).toBe('echo');
    const session = await connection.newSession({ cwd: '/' });
    expect((await session.prompt('hello').result).text).toBe('hello true');
    expect(passed).toEqual([
      'one client initialize',
      'two client initialize',
      'one client session/new',
      'two client session/new',
      'one client session/prompt',
      'two client session/prompt',
      'two agent session/request_permission',
      'one agent session/request_permission',
    ]);
  });

  it('may have its messages changed, answered and held back on the way', async () => {
    const connection = await open([
      proxy('polite', {
        onRequest({ from, method, params }, forward) {
          if (method === '_proxy/hello') return { hello: 'from the proxy' };
          if (from !== 'client' || method !== 'session/prompt') return forward();
          const { prompt, ...rest } = params as { prompt: object[] };
          return forward({ ...rest, prompt: [...prompt, { type: 'text', text: 'please' }] });
        },
        onNotification({ method, params }, forward) {
          const { update } = (params ?? {}) as { update?: { sessionUpdate?: string } };
          if (method !== 'session/update' || update?.sessionUpdate !== 'tool_call') forward();
        },
      }),
      proxy('plain'),
    ]);
    expect(await connection.request('_proxy/hello')).toEqual({ hello: 'from the proxy' });
    const session = await connection.newSession({ cwd: '/' });
    const { text } = await session.prompt('hello').result;
    expect(text).toBe('hello\nplease true');
  });

  it('gives its errors back unchanged, and is cancelled through all of them', async () => {
    const connection = await open([proxy('one'), proxy('two')]);
    await expect(
      connection.newSession({ cwd: '/', meta: {} }).then(() => connection.request('_no/such')),
    ).rejects.toMatchObject({ code: -32601 });
    const session = await connection.newSession({ cwd: '/' });
    const turn = session.prompt('wait');
    for await (const event of turn) if (event.type === 'text') void turn.cancel();
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: false });
  });

  it('ends with any of them', async () => {
    const ends = new AbortController();
    const connection = await open([
      sourceOf('short', (transport) => serveProxy(transport, {}, { signal: ends.signal })),
    ]);
    ends.abort();
    expect(await connection.closed).toMatchObject({ code: 'connection_lost' });
  });

  it('begins a proxy with proxy/initialize, and a proxy that is begun otherwise says so', async () => {
    await expect(connect(proxy('alone'))).rejects.toThrow('proxy/initialize');
  });
});
