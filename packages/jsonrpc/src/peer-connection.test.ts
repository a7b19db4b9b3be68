import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it } from 'vitest';
import {
  type Connection,
  ConnectionClosedError,
  type ConnectionOptions,
  createConnection,
  type Diagnostic,
  RequestTimeoutError,
  RpcError,
  type Transport,
} from './index.ts';

/** A connection and, at its far end, a bare transport whose every received value is kept. */
function openRaw(options: ConnectionOptions = {}): { connection: Connection; far: Transport; received: unknown[] } {
  const [near, far] = createMemoryPair();
  const received: unknown[] = [];
  far.onMessage((value) => received.push(value));
  return { connection: createConnection(near, options), far, received };
}

function openPair(left: ConnectionOptions = {}, right: ConnectionOptions = {}): [Connection, Connection] {
  const [a, b] = createMemoryPair();
  return [createConnection(a, left), createConnection(b, right)];
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const send = (transport: Transport, value: unknown): void => void transport.send(value as never);

describe('requests', () => {
  it('are answered with the value of the handler, sync or async', async () => {
    const [client, agent] = openPair();
    agent.onRequest('sync', ({ params }) => ({ got: params }));
    agent.onRequest('async', async ({ params }) => ({ got: params }));
    expect(await client.request('sync', { n: 1 })).toEqual({ got: { n: 1 } });
    expect(await client.request('async', { n: 2 })).toEqual({ got: { n: 2 } });
  });

  it('travel both ways at once, any number in flight', async () => {
    const [client, agent] = openPair();
    agent.onRequest('double', async ({ params }) => {
      const n = (params as { n: number }).n;
      return n + (await agent.request<number>('same', { n }));
    });
    client.onRequest('same', ({ params }) => (params as { n: number }).n);
    const answers = await Promise.all(Array.from({ length: 500 }, (_, n) => client.request('double', { n })));
    expect(answers).toEqual(Array.from({ length: 500 }, (_, n) => n * 2));
  });

  it('keep the id of the peer exactly, string or number', async () => {
    const { connection, far, received } = openRaw();
    connection.onRequest('m', () => 'ok');
    for (const id of [1, '1', 0, '', -5, 1.5, null]) send(far, { jsonrpc: '2.0', id, method: 'm' });
    await settled();
    expect(received).toEqual([1, '1', 0, '', -5, 1.5, null].map((id) => ({ jsonrpc: '2.0', id, result: 'ok' })));
  });

  it('with a null or fractional id are refused where ids are strict', async () => {
    const { connection, far, received } = openRaw({ strictIds: true });
    connection.onRequest('m', () => 'ok');
    for (const id of [null, 1.5, 2]) send(far, { jsonrpc: '2.0', id, method: 'm' });
    await settled();
    expect(received).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
      { id: 2, result: 'ok' },
    ]);
  });

  it('answer undefined as null, so that the response is valid', async () => {
    const [client, agent] = openPair();
    agent.onRequest('nothing', () => undefined);
    expect(await client.request('nothing')).toBeNull();
  });

  it('reject with the error of the peer: code, message and data', async () => {
    const [client, agent] = openPair();
    agent.onRequest('fail', () => {
      throw new RpcError(-32002, 'No such session', { sessionId: 's1' });
    });
    await expect(client.request('fail')).rejects.toMatchObject({
      name: 'RpcError',
      code: -32002,
      message: 'No such session',
      data: { sessionId: 's1' },
    });
  });

  it('without a handler get -32601 that names the method', async () => {
    const [client] = openPair();
    await expect(client.request('session/frobnicate')).rejects.toMatchObject({
      code: -32601,
      data: { method: 'session/frobnicate' },
    });
  });

  it('without a handler of their own go to the fallback', async () => {
    const [client, agent] = openPair();
    agent.onRequest('known', () => 'own');
    agent.onAnyRequest(({ method }) => `any:${method}`);
    expect(await client.request('known')).toBe('own');
    expect(await client.request('_vendor/x')).toBe('any:_vendor/x');
  });

  it('get -32603 without the text of an unexpected exception', async () => {
    const diagnostics: Diagnostic[] = [];
    const [client, agent] = openPair({}, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    agent.onRequest('boom', () => {
      throw new Error('password is hunter2');
    });
    await expect(client.request('boom')).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
    expect(diagnostics).toMatchObject([{ kind: 'handler_failed', error: { message: 'password is hunter2' } }]);
  });

  it('get the text of an unexpected exception when that was asked for', async () => {
    const [client, agent] = openPair({}, { exposeErrors: true });
    agent.onRequest('boom', async () => {
      throw new Error('disk is full');
    });
    await expect(client.request('boom')).rejects.toMatchObject({ code: -32603, message: 'disk is full' });
  });

  it('whose result cannot be sent get -32603, and the connection lives', async () => {
    const [client, agent] = openPair();
    agent.onRequest('bigint', () => ({ n: 10n }));
    agent.onRequest('ping', () => 'pong');
    await expect(client.request('bigint')).rejects.toMatchObject({ code: -32603 });
    expect(await client.request('ping')).toBe('pong');
  });

  it('whose params cannot be sent reject at once and leave nothing pending', async () => {
    const [client, agent] = openPair();
    agent.onRequest('ping', () => 'pong');
    await expect(client.request('ping', { n: 10n })).rejects.toThrow();
    expect(await client.request('ping')).toBe('pong');
  });

  it('with params that are neither object nor array get -32602', async () => {
    const { connection, far, received } = openRaw();
    let calls = 0;
    connection.onRequest('m', () => ++calls);
    for (const params of ['x', 1, true]) send(far, { jsonrpc: '2.0', id: 1, method: 'm', params });
    await settled();
    expect(received).toMatchObject([
      { error: { code: -32602 } },
      { error: { code: -32602 } },
      { error: { code: -32602 } },
    ]);
    expect(calls).toBe(0);
  });
});

describe('order', () => {
  it('is that of the wire: a response never overtakes the notifications before it', async () => {
    const { connection, far } = openRaw();
    const seen: string[] = [];
    for (let extra = 0; extra < 5; extra++) connection.onNotification(`other${extra}`, () => {});
    connection.onNotification('update', (params) => seen.push(`update ${(params as { n: number }).n}`));
    const answer = connection.request('prompt').then(() => seen.push('answer'));
    for (let n = 0; n < 100; n++) send(far, { jsonrpc: '2.0', method: 'update', params: { n } });
    send(far, { jsonrpc: '2.0', id: 1, result: {} });
    await answer;
    expect(seen).toEqual([...Array.from({ length: 100 }, (_, n) => `update ${n}`), 'answer']);
  });

  it('has a result read at its place, before the handlers of what came after it', async () => {
    const { connection, far } = openRaw();
    const seen: unknown[] = [];
    const answer = connection.request(
      'which',
      {},
      {
        read(result) {
          seen.push(result);
          connection.onNotification('later', () => seen.push('later'));
          return 'read';
        },
      },
    );
    const broken = connection.request(
      'broken',
      {},
      {
        read() {
          throw new Error('unreadable');
        },
      },
    );
    send(far, { jsonrpc: '2.0', id: 1, result: 'v1' });
    send(far, { jsonrpc: '2.0', method: 'later' });
    send(far, { jsonrpc: '2.0', id: 2, result: 'v1' });
    expect(await answer).toBe('read');
    await expect(broken).rejects.toThrow('unreadable');
    expect(seen).toEqual(['v1', 'later']);
  });

  it('holds between requests and notifications of the peer', async () => {
    const { connection, far } = openRaw();
    const seen: string[] = [];
    connection.onRequest('prompt', async () => {
      seen.push('prompt');
      await settled();
    });
    connection.onNotification('cancel', () => seen.push('cancel'));
    send(far, { jsonrpc: '2.0', id: 1, method: 'prompt' });
    send(far, { jsonrpc: '2.0', method: 'cancel' });
    await settled();
    expect(seen).toEqual(['prompt', 'cancel']);
  });
});

describe('cancellation', () => {
  it('of our request tells the peer, aborts its handler and rejects with the reason', async () => {
    const [client, agent] = openPair();
    const aborted = new Promise<unknown>((resolve) => {
      agent.onRequest('wait', ({ signal }) => {
        signal.addEventListener('abort', () => resolve(signal.reason));
        return new Promise(() => {});
      });
    });
    const controller = new AbortController();
    const answer = client.request('wait', {}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 1);
    await expect(answer).rejects.toThrow('enough');
    expect(await aborted).toMatchObject({ code: -32800 });
  });

  it('cascades: the handler passes its signal on to a nested request', async () => {
    const [client, agent] = openPair();
    const nestedAborted = new Promise<void>((resolve) => {
      client.onRequest('nested', ({ signal }) => {
        signal.addEventListener('abort', () => resolve());
        return new Promise(() => {});
      });
    });
    agent.onRequest('outer', ({ signal }) => agent.request('nested', {}, { signal }));
    const controller = new AbortController();
    const answer = client.request('outer', {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    await expect(answer).rejects.toThrow();
    await nestedAborted;
  });

  it('by the peer is answered -32800 when the handler gives up, exactly once', async () => {
    const { connection, far, received } = openRaw();
    connection.onRequest(
      'wait',
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    );
    send(far, { jsonrpc: '2.0', id: 'a', method: 'wait' });
    await settled();
    send(far, { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'a' } });
    send(far, { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'a' } });
    await settled();
    expect(received).toMatchObject([{ id: 'a', error: { code: -32800 } }]);
  });

  it('by the peer lets a handler finish with its result', async () => {
    const { connection, far, received } = openRaw();
    connection.onRequest(
      'wait',
      ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ stopReason: 'cancelled' }))),
    );
    send(far, { jsonrpc: '2.0', id: 1, method: 'wait' });
    send(far, { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 1 } });
    await settled();
    expect(received).toEqual([{ jsonrpc: '2.0', id: 1, result: { stopReason: 'cancelled' } }]);
  });

  it('of an unknown or finished id, or with bad params, is ignored', async () => {
    const { connection, far, received } = openRaw();
    connection.onRequest('m', () => 'ok');
    for (const params of [{ requestId: 9 }, {}, null, 'x', undefined, { requestId: {} }]) {
      send(far, { jsonrpc: '2.0', method: '$/cancel_request', params });
    }
    send(far, { jsonrpc: '2.0', id: 1, method: 'm' });
    await settled();
    expect(received).toEqual([{ jsonrpc: '2.0', id: 1, result: 'ok' }]);
  });

  it('before the request was sent sends nothing', async () => {
    const { connection, received } = openRaw();
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(connection.request('m', {}, { signal })).rejects.toThrow('too late');
    await settled();
    expect(received).toEqual([]);
  });

  it('happens by itself when the time of a request is over; the late answer is not taken for a stranger', async () => {
    const diagnostics: Diagnostic[] = [];
    const { connection, far, received } = openRaw({ onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    await expect(connection.request('slow', {}, { timeoutMs: 5 })).rejects.toBeInstanceOf(RequestTimeoutError);
    await settled();
    expect(received).toMatchObject([
      { id: 1, method: 'slow' },
      { method: '$/cancel_request', params: { requestId: 1 } },
    ]);
    send(far, { jsonrpc: '2.0', id: 1, result: {} });
    await settled();
    expect(diagnostics).toEqual([]);
  });
});

describe('closing', () => {
  it('rejects what is pending with a typed error and aborts what is running', async () => {
    const [client, agent] = openPair();
    const aborted = new Promise<void>((resolve) => {
      agent.onRequest('hang', ({ signal }) => {
        signal.addEventListener('abort', () => resolve());
        return new Promise(() => {});
      });
    });
    const answer = client.request('hang');
    await settled();
    const rejection = expect(answer).rejects.toBeInstanceOf(ConnectionClosedError);
    await client.close();
    await rejection;
    await aborted;
    expect(client.isClosed).toBe(true);
    expect(client.signal.aborted).toBe(true);
    expect((await client.closed).kind).toBe('closed');
  });

  it('makes later requests reject, naming the method, and later notifications do nothing', async () => {
    const [client] = openPair();
    await client.close();
    await expect(client.request('session/new')).rejects.toThrow('session/new');
    expect(client.notify('session/cancel')).toBeUndefined();
  });

  it('lets running handlers of a peer that only stopped sending give their last answer', async () => {
    const { connection, far, received } = openRaw();
    connection.onRequest('slow', async () => {
      await settled();
      return 'done';
    });
    send(far, { jsonrpc: '2.0', id: 1, method: 'slow' });
    await settled();
    void far.close();
    expect((await connection.closed).kind).toBe('ended');
    expect(connection.isClosed).toBe(true);
    expect(received.length).toBeLessThanOrEqual(1);
  });

  it('twice is the same as once, and `await using` does it', async () => {
    const [client, agent] = openPair();
    {
      await using connection = client;
      expect(connection.isClosed).toBe(false);
    }
    await client.close();
    await agent.closed;
    expect(agent.isClosed).toBe(true);
  });
});

describe('bounds', () => {
  it('stop reading when too many requests run, and go on when one ends', async () => {
    const [client, agent] = openPair({}, { limits: { maxRunningRequests: 4 } });
    let running = 0;
    let most = 0;
    agent.onRequest('work', async () => {
      most = Math.max(most, ++running);
      await settled();
      running--;
      return 'done';
    });
    const answers = await Promise.all(Array.from({ length: 40 }, () => client.request('work')));
    expect(answers).toEqual(Array.from({ length: 40 }, () => 'done'));
    expect(most).toBe(4);
  });

  it('refuse further requests instead when handlers wait for the peer, so that nobody waits for ever', async () => {
    const [client, agent] = openPair({}, { limits: { maxRunningRequests: 2 } });
    let release: (value: string) => void = () => {};
    client.onRequest(
      'permission',
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    );
    agent.onRequest('prompt', () => agent.request('permission'));
    const first = client.request('prompt');
    const second = client.request('prompt');
    await expect(client.request('prompt')).rejects.toThrow('at most 2');
    release('allow');
    await Promise.race([first, second]);
    release('allow');
    await settled();
    expect(client.isClosed).toBe(false);
  });

  it('throttle diagnostics and count what was left out', async () => {
    const diagnostics: Diagnostic[] = [];
    const { far } = openRaw({
      limits: { maxDiagnosticsPerKind: 3 },
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    });
    for (let n = 0; n < 100; n++) send(far, { jsonrpc: '2.0', method: `unknown${n}` });
    await settled();
    expect(diagnostics.map(({ kind }) => kind)).toEqual(Array(3).fill('unknown_notification'));
  });
});

describe('taps', () => {
  it('see both directions until they are ended', async () => {
    const [client, agent] = openPair();
    agent.onRequest('m', () => 'ok');
    const seen: unknown[] = [];
    const end = client.tap((direction, message) => seen.push([direction, message]));
    await client.request('m', { a: 1 });
    end();
    await client.request('m', { a: 2 });
    expect(seen).toEqual([
      ['out', { jsonrpc: '2.0', id: 1, method: 'm', params: { a: 1 } }],
      ['in', { jsonrpc: '2.0', id: 1, result: 'ok' }],
    ]);
  });
});

describe('a signal that many requests share', () => {
  it('is listened to once, gives up all of them, and is let go when they are answered', async () => {
    const [client, agent] = openPair();
    agent.onRequest('answer', () => 'ok');
    agent.onRequest('wait', () => new Promise(() => {}));
    const controller = new AbortController();
    const { signal } = controller;
    const counts = { added: 0, removed: 0 };
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      counts.added++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      counts.removed++;
      remove(...args);
    };
    await Promise.all(Array.from({ length: 20 }, () => client.request('answer', {}, { signal })));
    expect(counts).toEqual({ added: 1, removed: 1 });
    const waiting = Array.from({ length: 20 }, () => client.request('wait', {}, { signal }));
    controller.abort(new Error('enough'));
    for (const each of await Promise.allSettled(waiting)) {
      expect(each).toMatchObject({ status: 'rejected', reason: { message: 'enough' } });
    }
    expect(counts).toEqual({ added: 2, removed: 2 });
  });
});

describe('a paused connection', () => {
  it('dispatches nothing, loses nothing, and goes on where it was', async () => {
    const { connection, far } = openRaw();
    const heard: unknown[] = [];
    connection.onNotification('note', (params) => heard.push(params));
    connection.pause();
    for (const n of [1, 2, 3]) send(far, { jsonrpc: '2.0', method: 'note', params: { n } });
    await settled();
    expect(heard).toEqual([]);
    connection.resume();
    await settled();
    expect(heard).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('stays paused though a request is sent and its own limits have room again', async () => {
    const { connection, far } = openRaw({ limits: { maxRunningRequests: 1 } });
    const heard: string[] = [];
    let finish = (): void => {};
    connection.onNotification('note', () => heard.push('note'));
    connection.onRequest(
      'slow',
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    send(far, { jsonrpc: '2.0', id: 1, method: 'slow' });
    await settled();
    connection.pause();
    finish();
    const answer = connection.request('question');
    send(far, { jsonrpc: '2.0', method: 'note' });
    send(far, { jsonrpc: '2.0', id: 0, result: 'answer' });
    await settled();
    expect(heard).toEqual([]);
    connection.resume();
    await settled();
    expect(heard).toEqual(['note']);
    await connection.close();
    await answer.catch(() => {});
  });
});
