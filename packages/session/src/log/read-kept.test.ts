import type { LoggedEvent, SessionLog } from '@parley/store';
import { describe, expect, it } from 'vitest';
import { readKept } from './read-kept.ts';

/** A log whose first entries are gone: a cursor before them has expired. */
function trimmedLog(firstKept: number): SessionLog {
  const entries = Array.from({ length: 5 }, (_, index) => ({ seq: index + 1 }) as LoggedEvent);
  return {
    async *read(_: string, { after = 0 }: { readonly after?: number }) {
      if (after > 0 && after < firstKept - 1) throw Object.assign(new Error('expired'), { code: 'cursor_expired' });
      yield* entries.filter(({ seq }) => seq > after && seq >= firstKept);
    },
  } as unknown as SessionLog;
}

async function read(options: Parameters<typeof readKept>[2]): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { seq } of readKept(trimmedLog(4), 's', options)) seqs.push(seq);
  return seqs;
}

describe('reading a log of which the beginning is gone', () => {
  it('goes on with what is kept', async () => {
    expect(await read({ after: 1 })).toEqual([4, 5]);
    expect(await read({ after: 4 })).toEqual([5]);
  });

  it('fails for a client that must know', async () => {
    await expect(read({ after: 1, isStrict: true })).rejects.toThrow('expired');
  });
});
