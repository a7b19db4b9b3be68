import type { LoggedEvent } from '@parley/store';
import { describe, expect, it } from 'vitest';
import { readPastTurns } from './read-past-turns.ts';

async function* log(...events: readonly [kind: string, body: object][]): AsyncGenerator<LoggedEvent> {
  for (const [index, [kind, body]] of events.entries()) {
    yield { seq: index + 1, timeMs: index * 1000, kind, body } as LoggedEvent;
  }
}

const say = (speaker: string, text: string): [string, object] => [
  'message_chunk',
  { type: 'message_chunk', speaker, content: { type: 'text', text } },
];
const call = (toolCallId: string, status: string): [string, object] => [
  'tool_call',
  { type: 'tool_call', toolCallId, status },
];

describe('the past turns of a saved session', () => {
  it('are told with how they ended, and which calls a cancelled one has cut off', async () => {
    const turns = await readPastTurns(
      log(
        say('user', 'told before anything was written down'),
        ['turn_start', { turnId: '1' }],
        say('user', ' list the '),
        say('user', 'files'),
        call('a', 'failed'),
        say('agent', 'I could not.'),
        call('b', 'in_progress'),
        call('c', 'in_progress'),
        call('b', 'failed'),
        ['turn_end', { turnId: '1', stopReason: 'cancelled' }],
        ['turn_start', { turnId: '2' }],
        say('user', 'again'),
        ['turn_end', { turnId: 'withdrawn', stopReason: 'cancelled', neverBegan: true }],
        [
          'message_chunk',
          {
            type: 'message_chunk',
            speaker: 'user',
            content: { type: 'text', text: 'said meanwhile' },
            meta: { 'parley/steer': true },
          },
        ],
        call('d', 'failed'),
        ['turn_end', { turnId: '2', error: { code: -32603, message: 'It broke.' } }],
      ),
    );
    expect(turns).toEqual([
      {
        prompt: 'list the files',
        end: { status: 'ended', startedAt: 1000, endedAt: 9000, stopReason: 'cancelled' },
        cancelledCalls: new Set(['c', 'b']),
      },
      {
        prompt: 'again',
        end: { status: 'failed', startedAt: 10_000, endedAt: 15_000, error: 'It broke.' },
        cancelledCalls: new Set(),
      },
    ]);
  });
});
