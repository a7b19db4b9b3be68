import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { expect, it, onTestFinished } from 'vitest';
import { discoverAtOnce } from '../discovery/discovery.ts';
import { collectAnswer } from '../model/answer.ts';
import { textOf } from '../model/history.ts';
import { proxiedFetch } from './proxied-fetch.ts';

const hello = { messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] } as const;

/** A proxy that leads every tunnel to one server, and remembers who was asked for. */
async function startProxy(target: string): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const { port, hostname } = new URL(target);
  const proxy = createServer();
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    const far = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      far.pipe(socket).pipe(far);
    });
    for (const each of [far, socket]) each.on('error', () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked };
}

it('reaches a model by way of the proxy that the environment names', async () => {
  await using server = await startFakeModelServer({ script: ['by proxy'] });
  const proxy = await startProxy(server.url);
  const env = { PARLEY_BASE_URL: 'http://model.example/v1', PARLEY_MODEL: 'm', http_proxy: proxy.url };
  const model = await discoverAtOnce({ env }).preferred.create({ maxAttempts: 1 });
  expect(textOf((await collectAnswer(model.stream(hello))).content)).toBe('by proxy');
  expect(proxy.asked).toEqual(['model.example:80']);
});

it('goes past the proxy to this machine, and to what NO_PROXY names', async () => {
  await using server = await startFakeModelServer();
  const proxy = await startProxy(server.url);
  const { port } = new URL(server.url);
  const fetch = proxiedFetch({ ALL_PROXY: proxy.url, NO_PROXY: 'model.invalid' });
  expect((await fetch?.(`http://localhost:${port}/v1/models`, {}))?.status).toBe(200);
  await expect(fetch?.(`http://model.invalid:${port}/v1/models`, {})).rejects.toThrow();
  expect(proxy.asked).toEqual([]);
});

it('is nothing where no proxy is named', () => {
  expect(proxiedFetch({ NO_PROXY: '*' })).toBeUndefined();
});
