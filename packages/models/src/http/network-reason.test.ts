import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { networkReason } from './network-reason.ts';

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('the reason of a failed connection', () => {
  it('is told in words, with the code', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = `http://${host}:${await closedPort()}/v1`;
      const error: unknown = await fetch(url).catch((reason: unknown) => reason);
      expect(networkReason(error)).toBe(
        'nothing listens there; check the address, and that the server runs (ECONNREFUSED)',
      );
    }
  });

  it('is the code, or the words there are, where we know no better', () => {
    expect(networkReason(new Error('fetch failed', { cause: Object.assign(new Error('x'), { code: 'EODD' }) }))).toBe(
      'EODD',
    );
    expect(networkReason(new Error('other side closed'))).toBe('other side closed');
    expect(networkReason('gone')).toBe('gone');
  });
});
