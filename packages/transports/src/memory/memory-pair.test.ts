import { transportCases } from '@parley/testing/transport-cases';
import { describe, expect, it } from 'vitest';
import { createMemoryPair } from './memory-pair.ts';

transportCases('a memory pair', () => {
  const [near, far] = createMemoryPair();
  return { near, far };
});

describe('the end of a memory pair', () => {
  it('is told to the peer even if there never was a message', async () => {
    const [near, far] = createMemoryPair();
    far.onMessage(() => {});
    const reason = new Promise((resolve) => far.onClose(resolve));
    await near.close();
    expect(await reason).toEqual({ kind: 'ended' });
    expect(() => far.send({ jsonrpc: '2.0', method: 'late' })).toThrow(/closed/);
  });

  it('frees a sender that is waiting', async () => {
    const [near, far] = createMemoryPair({ highWaterMessages: 1 });
    near.pause();
    void far.send({ jsonrpc: '2.0', method: 'a' });
    const full = far.send({ jsonrpc: '2.0', method: 'b' });
    expect(full).toBeInstanceOf(Promise);
    await near.close();
    await full;
  });
});
