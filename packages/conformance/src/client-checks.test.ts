import { describe, expect, it } from 'vitest';
import { runClientChecks } from './client/run-client-checks.ts';
import { CLIENT_CHECKS } from './client-checks.ts';
import { CLIENT_BREAKS } from './fixtures/client-breaks.ts';
import { type ClientBreak, createFixtureClient } from './fixtures/fixture-client.ts';
import type { CheckResult } from './report/report.ts';

/** Rules for clients that offer nothing. */
const FOR_BARE_CLIENTS = ['CFILE-06', 'CTERM-07'];

describe('every check of clients', () => {
  it('has a client that breaks it', () => {
    expect(CLIENT_CHECKS.map(({ id }) => id).filter((id) => !(id in CLIENT_BREAKS))).toEqual([]);
  });

  describe.each(CLIENT_CHECKS)('$id', ({ id, level }) => {
    it.concurrent('passes a client that follows it', async () => {
      const result = await run(id, FOR_BARE_CLIENTS.includes(id) ? { capabilities: {} } : {});
      expect({ outcome: result?.outcome, reason: result?.reason }).toEqual({ outcome: 'pass', reason: undefined });
    });

    it.concurrent('fails a client that breaks it', async () => {
      const fault = CLIENT_BREAKS[id];
      if (!fault) throw new Error(`No client breaks ${id}.`);
      const result = await run(id, fault());
      expect({ outcome: result?.outcome, hasEvidence: Boolean(result?.expected && result.got) }).toEqual({
        outcome: level === 'MUST' ? 'fail' : 'warn',
        hasEvidence: true,
      });
    });
  });
});

async function run(id: string, fault: ClientBreak): Promise<CheckResult | undefined> {
  const target = { kind: 'connect', label: 'fixture', connect: createFixtureClient(fault) } as const;
  // Rules about everything are judged over a run in which there is something to answer, too.
  const isLint = CLIENT_CHECKS.some((check) => check.id === id && check.scenario === undefined);
  const only = isLint ? [id, 'CPERM-01'] : [id];
  const report = await runClientChecks(target, { only, timeoutMs: 1500, answerMs: 700 });
  return report.results.find((result) => result.id === id);
}
