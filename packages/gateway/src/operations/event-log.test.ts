import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentError } from '@parley/client';
import { FULL_DEVICE, needs } from '@parley/testing/needs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { GatewayEvent } from '../events/gateway-event.ts';
import { eventLog } from './event-log.ts';

const REQUEST: GatewayEvent = {
  kind: 'request',
  at: Date.parse('2026-01-02T03:04:05Z'),
  agent: 'one',
  principal: 'ada',
  connection: 'c1',
  direction: 'in',
  method: 'session/prompt',
  id: 7,
  sessionId: 's1',
  durationMs: 12.34567,
  outcome: 'ok',
};

async function write(events: readonly GatewayEvent[], options: Parameters<typeof eventLog>[0] = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const destination = join(folder, 'deep', 'log');
  const log = eventLog({ destination, ...options });
  for (const event of events) log(event);
  await log.close();
  const text = await readFile(destination, 'utf8');
  const lines = text.trim().split('\n').filter(Boolean);
  return { lines: lines.map((line) => JSON.parse(line)), mode: (await stat(destination)).mode & 0o777 };
}

describe('an event log', () => {
  it('has one JSON object a line, with method, id and session', async () => {
    const { lines, mode } = await write([REQUEST]);
    expect(lines).toEqual([
      {
        level: 'info',
        time: '2026-01-02T03:04:05.000Z',
        kind: 'request',
        agent: 'one',
        principal: 'ada',
        connection: 'c1',
        direction: 'in',
        method: 'session/prompt',
        id: 7,
        sessionId: 's1',
        durationMs: 12.346,
        outcome: 'ok',
      },
    ]);
    expect(mode).toBe(0o600);
  });

  it('tells by levels what is worth a look', async () => {
    const error = new AgentError({
      code: 'agent_exited',
      message: 'The agent exited with code 1 (--token=hunter2hunter2).',
      agent: 'x',
      end: { exitCode: 1, signal: null, stderrTail: 'the last words' },
    });
    const { lines } = await write(
      [
        REQUEST,
        { ...REQUEST, outcome: 'refused', code: -32603 },
        { kind: 'agent_crashed', at: 0, agent: 'one', process: 'p', error, exitCode: 1 },
      ],
      { level: 'warn' },
    );
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'error']);
    const message = 'The agent exited with code 1 (--token=[redacted]';
    expect(lines[1].error).toEqual({
      name: 'AgentError',
      code: 'agent_exited',
      message: expect.stringContaining(message),
    });
    expect(JSON.stringify(lines)).not.toContain('last words');
  });

  it('replaces secrets that it knows, wherever they stand', async () => {
    const { lines } = await write([{ ...REQUEST, sessionId: 'a-plain-word-here' }], { secrets: ['plain-word'] });
    expect(lines[0].sessionId).toBe('a-[redacted]-here');
  });

  it('of a disk that is full costs lines, and nobody else', needs(FULL_DEVICE), async () => {
    const log = eventLog({ destination: '/dev/full' });
    log(REQUEST);
    await log.close();
    expect(log.dropped).toBeGreaterThan(0);
  });
});
