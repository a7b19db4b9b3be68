import { describe, expect, it, vi } from 'vitest';
import { agentChecks } from '../src/agent/agent-checks.ts';
import { runChecks } from '../src/agent/run/run-agent-checks.ts';
import { type CheckLimits, DEFAULT_CHECK_LIMITS } from '../src/limits.ts';
import type { CheckResult } from '../src/report/report.ts';
import { PROTOCOLS } from '../src/versions/protocol.ts';
import type { FixtureVariant } from './fixtures/agent/fixture.ts';
import { FIXTURE_PROMPTS } from './fixtures/agent/fixture-turns.ts';
import { createMemoryTarget, type MemoryTargetOptions } from './fixtures/agent/memory-target.ts';
import { breaksOf } from './fixtures/breaks/list.ts';

// Nearly all of the time is spent in waiting for what never comes.
vi.setConfig({ maxConcurrency: 12 });

/** For agents that follow the rules: they are never waited for in vain, so patience costs nothing. */
const PATIENT: CheckLimits = { ...DEFAULT_CHECK_LIMITS, quietMs: 8 };

/** For agents that break one: a fixture answers in microseconds or never, so silence is known soon. */
const IMPATIENT: CheckLimits = {
  ...PATIENT,
  startMs: 1500,
  answerMs: 400,
  turnMs: 800,
  cancelMs: 400,
  exitMs: 200,
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

describe.each(PROTOCOLS)('every check of agents that speak version %i', (protocol) => {
  const checks = agentChecks(protocol);
  const breaks = breaksOf(protocol);

  it('has an agent that breaks it', () => {
    expect(checks.map(({ id }) => id).filter((id) => !(id in breaks))).toEqual([]);
  });

  it('has an id of its own', () => {
    const ids = checks.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it.concurrent.each(checks)('$id passes an agent that follows it', async ({ id }) => {
    const result = await run(id, { protocol, ...(VARIANTS[id] && { variant: VARIANTS[id] }) }, PATIENT);
    expect({ outcome: result?.outcome, reason: result?.reason }).toEqual({ outcome: 'pass', reason: undefined });
  });

  it.concurrent.each(checks)('$id fails an agent that breaks it', async ({ id, level }) => {
    const fault = breaks[id];
    if (!fault) throw new Error(`No agent breaks ${id}.`);
    const result = await run(id, { protocol, fault }, IMPATIENT);
    expect({ outcome: result?.outcome, hasEvidence: Boolean(result?.expected && result.got) }).toEqual({
      outcome: level === 'MUST' ? 'fail' : 'warn',
      hasEvidence: true,
    });
  });
});

describe('an agent that wants to be authenticated first', () => {
  const target = createMemoryTarget({ variant: 'auth' });
  const options = { limits: PATIENT, prompts: FIXTURE_PROMPTS };

  it('is told so, and what needs no session is checked all the same', async () => {
    const { results } = await runChecks(target, options);
    expect(results.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn')).toEqual([]);
    expect(results.find(({ id }) => id === 'AUTH-01')?.outcome).toBe('pass');
    expect(results.find(({ id }) => id === 'RPC-01')?.outcome).toBe('pass');
    expect(results.find(({ id }) => id === 'PROMPT-07')?.outcome).toBe('needs_authentication');
    expect(results.find(({ id }) => id === 'TOOL-01')?.outcome).toBe('needs_authentication');
  });

  it('is checked in full once it has been told the method', async () => {
    const { results } = await runChecks(target, { ...options, authMethod: 'key', only: ['PROMPT'] });
    expect(results.map(({ outcome }) => outcome)).toEqual(results.map(() => 'pass'));
  });
});

async function run(id: string, options: MemoryTargetOptions, limits: CheckLimits): Promise<CheckResult | undefined> {
  const only = [id, ...(HEARS[id] ?? [])];
  const report = await runChecks(createMemoryTarget(options), {
    only,
    protocol: options.protocol ?? 1,
    limits,
    prompts: FIXTURE_PROMPTS,
    allowLogout: true,
  });
  return report.results.find((result) => result.id === id);
}
