import { createMemoryPair } from '@parley/transports/memory';
import { expect, it } from 'vitest';
import { createConnection, createDiagnosticLog, ParleyError } from './index.ts';

it('writes what happened as one JSON object a line, without what the peer sent', async () => {
  const [near, far] = createMemoryPair();
  const lines: string[] = [];
  const log = createDiagnosticLog({ write: (line) => lines.push(line), now: () => new Date(0), skip: ['overloaded'] });
  const connection = createConnection(near, {
    onDiagnostic: log,
    sessionIdOf: (params) => (params as { sessionId?: string }).sessionId,
  });
  connection.onRequest('work', () => {
    throw new ParleyError('store_full', 'The disk is full.');
  });
  const peer = createConnection(far);
  await peer.request('work', { sessionId: 's1', secret: 'hunter2' }).catch(() => {});
  log({ kind: 'overloaded', message: 'left out' });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      time: '1970-01-01T00:00:00.000Z',
      kind: 'handler_failed',
      message: 'The handler of work failed.',
      direction: 'in',
      method: 'work',
      id: 1,
      sessionId: 's1',
      error: { name: 'ParleyError', code: 'store_full', message: 'The disk is full.' },
    },
  ]);
});
