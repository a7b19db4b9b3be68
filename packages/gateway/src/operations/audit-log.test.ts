import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FULL_DEVICE, needs } from '@parley/testing/needs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { GatewayEvent } from '../events/gateway-event.ts';
import { auditLog } from './audit-log.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'parley-audit-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

const SETTING: GatewayEvent = {
  kind: 'settings_changed',
  at: Date.parse('2026-01-02T03:04:05Z'),
  agent: 'one',
  principal: 'ada',
  sessionId: 's1',
  setting: 'mode',
  value: 'ask',
};

async function linesOf(path: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

describe('an audit log', () => {
  it('has a line for each deed, and only its owner may read it', async () => {
    const path = join(await folder(), 'deep', 'audit.jsonl');
    const audit = auditLog({ path });
    audit.onEvent(SETTING);
    audit.onEvent({ kind: 'agent_started', at: 0, agent: 'one', process: 'p' });
    audit.onEvent({
      kind: 'question_answered',
      at: SETTING.at,
      agent: 'one',
      principal: 'ada',
      sessionId: 's1',
      by: 'an editor',
      durationMs: 12,
      answer: { type: 'permission', optionId: 'yes' },
      question: {
        type: 'permission',
        questionId: 'q',
        toolCall: { toolCallId: 't', title: 'curl -H "Authorization: Bearer abcdefghijkl"', kind: 'execute' },
        options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
      },
    });
    await audit.close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await linesOf(path)).toEqual([
      {
        time: '2026-01-02T03:04:05.000Z',
        kind: 'settings_changed',
        agent: 'one',
        principal: 'ada',
        sessionId: 's1',
        setting: 'mode',
        value: 'ask',
      },
      expect.objectContaining({
        kind: 'question_answered',
        principal: 'ada',
        by: 'an editor',
        question: expect.objectContaining({ tool: 'execute', title: 'curl -H "Authorization: Bearer [redacted]"' }),
        answer: { chosen: 'Allow', kind: 'allow_once' },
      }),
    ]);
  });

  it('goes on in a file that is there, and takes it from the others', async () => {
    const path = join(await folder(), 'audit.jsonl');
    await writeFile(path, '{"old":true}\n', { mode: 0o644 });
    const audit = auditLog({ path });
    audit.onEvent(SETTING);
    await audit.close();
    expect(await linesOf(path)).toMatchObject([{ old: true }, { setting: 'mode' }]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is put away when it is large, and keeps so many of those', async () => {
    const path = join(await folder(), 'audit.jsonl');
    const audit = auditLog({ path, maxBytes: 300, keptFiles: 2 });
    for (let n = 0; n < 12; n += 1) {
      audit.onEvent({ ...SETTING, value: String(n) });
      await audit.flush();
    }
    await audit.close();
    expect((await readdir(join(path, '..'))).sort()).toEqual(['audit.jsonl', 'audit.jsonl.1', 'audit.jsonl.2']);
    const kept = [...(await linesOf(`${path}.2`)), ...(await linesOf(`${path}.1`)), ...(await linesOf(path))];
    const values = kept.map(({ value }) => Number(value));
    expect(values).toEqual(Array.from({ length: values.length }, (_, index) => 12 - values.length + index));
  });

  it('that cannot be written says so once, tells later how much was lost, and goes on', async () => {
    const parent = await folder();
    const path = join(parent, 'gone', 'audit.jsonl');
    // A file stands where the folder must be, as no permission would hold up root.
    await writeFile(join(parent, 'gone'), '');
    const faults: GatewayEvent[] = [];
    const audit = auditLog({ path, onFault: (event) => faults.push(event) });
    for (let n = 0; n < 3; n += 1) {
      audit.onEvent(SETTING);
      await audit.flush();
    }
    expect(faults).toMatchObject([{ kind: 'audit_failed' }]);
    expect(audit.dropped).toBe(3);
    await rm(join(parent, 'gone'));
    await mkdir(join(parent, 'gone'));
    await chmod(join(parent, 'gone'), 0o700);
    audit.onEvent(SETTING);
    await audit.close();
    expect(await linesOf(path)).toMatchObject([{ kind: 'records_lost', lost: 3 }, { kind: 'settings_changed' }]);
    expect(faults).toHaveLength(1);
  });

  it('of a disk that is full loses what has no room, and nothing else', needs(FULL_DEVICE), async () => {
    const faults: GatewayEvent[] = [];
    const audit = auditLog({ path: '/dev/full', onFault: (event) => faults.push(event) });
    audit.onEvent(SETTING);
    await audit.flush();
    audit.onEvent(SETTING);
    await audit.close();
    expect(audit.dropped).toBe(2);
    expect(faults).toHaveLength(1);
  });
});
