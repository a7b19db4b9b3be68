import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWithin, TimeLimitError } from './run-within.ts';

/** Begins an answer and never ends it. */
const server = createServer((_, response) => response.write('begun'));
const read = async (signal: AbortSignal): Promise<string> => {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, { signal });
  collectGarbage();
  return response.text();
};

beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('what runs within a time', () => {
  it('ends when the time is up, whatever the garbage collector took', async () => {
    await expect(runWithin(200, read)).rejects.toThrow(TimeLimitError);
  });

  it('ends with the reason of who no longer wants it, and leaves no listener', async () => {
    const outer = new AbortController();
    const reading = runWithin(
      60_000,
      async (signal) => {
        const text = read(signal);
        queueMicrotask(() => outer.abort(new Error('enough')));
        return text;
      },
      outer.signal,
    );
    await expect(reading).rejects.toThrow('enough');
    await expect(runWithin(60_000, read, outer.signal)).rejects.toThrow('enough');
    expect(await runWithin(60_000, async () => 'done')).toBe('done');
  });
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
