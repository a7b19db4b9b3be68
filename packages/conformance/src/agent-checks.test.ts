import { describe, expect, it } from 'vitest';
import { AGENT_CHECKS } from './agent-checks.ts';
import { BREAKS } from './fixtures/all-breaks.ts';
import type { FixtureVariant } from './fixtures/fixture-agent.ts';
import { FIXTURE_PROMPTS } from './fixtures/fixture-turns.ts';
import { createMemoryTarget, type MemoryTargetOptions } from './fixtures/memory-target.ts';
import { DEFAULT_CHECK_LIMITS } from './limits.ts';
import type { CheckResult } from './report/report.ts';
import { runChecks } from './run/run-checks.ts';

/** A fixture answers in microseconds, so silence is known soon. */
const limits = {
  ...DEFAULT_CHECK_LIMITS,
  startMs: 1500,
  answerMs: 400,
  turnMs: 800,
  cancelMs: 400,
  exitMs: 200,
  quietMs: 8,
  checkMs: 8000,
};

/** Checks that must hear something which only another check brings about. */
const HEARS: Readonly<Record<string, readonly string[]>> = { 'RPC-15': ['CLOSE-01'], 'RPC-16': ['RPC-11'] };

/** Agents to which a rule applies when it does not apply to the one that offers everything. */
const VARIANTS: Readonly<Record<string, FixtureVariant>> = {
  'AUTH-01': 'auth',
  'SESS-09': 'modest',
  'CONTENT-06': 'modest',
  'MCP-05': 'modest',
};

describe('every check of agents', () => {
  it('has an agent that breaks it', () => {
    expect(AGENT_CHECKS.map(({ id }) => id).filter((id) => !(id in BREAKS))).toEqual([]);
  });

  it('has an id of its own', () => {
    const ids = AGENT_CHECKS.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  describe.each(AGENT_CHECKS)('$id', ({ id, level }) => {
    it.concurrent('passes an agent that follows it', async () => {
      const result = await run(id, { ...(VARIANTS[id] && { variant: VARIANTS[id] }) });
      expect({ outcome: result?.outcome, reason: result?.reason }).toEqual({ outcome: 'pass', reason: undefined });
    });

    it.concurrent('fails an agent that breaks it', async () => {
      const fault = BREAKS[id];
      if (!fault) throw new Error(`No agent breaks ${id}.`);
      const result = await run(id, { fault });
      expect({ outcome: result?.outcome, hasEvidence: Boolean(result?.expected && result.got) }).toEqual({
        outcome: level === 'MUST' ? 'fail' : 'warn',
        hasEvidence: true,
      });
    });
  });
});

async function run(id: string, options: MemoryTargetOptions): Promise<CheckResult | undefined> {
  const only = [id, ...(HEARS[id] ?? [])];
  const report = await runChecks(createMemoryTarget(options), {
    only,
    limits,
    prompts: FIXTURE_PROMPTS,
    allowLogout: true,
  });
  return report.results.find((result) => result.id === id);
}
