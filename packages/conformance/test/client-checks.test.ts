import { describe, expect, it, vi } from 'vitest';
import { clientChecks } from '../src/client/client-checks.ts';
import { runClientChecks } from '../src/client/run/run-client-checks.ts';
import type { CheckResult } from '../src/report/report.ts';
import { PROTOCOLS, type Protocol } from '../src/versions/protocol.ts';
import { clientBreaksOf } from './fixtures/breaks/client.ts';
import { type ClientBreak, createFixtureClient } from './fixtures/client/fixture-client.ts';

// Nearly all of the time is spent in waiting for what never comes.
vi.setConfig({ maxConcurrency: 12 });

/** Rules for clients that offer nothing. */
const FOR_BARE_CLIENTS = ['CFILE-06', 'CTERM-07'];

describe.each(PROTOCOLS)('every check of clients that speak version %i', (protocol) => {
  const checks = clientChecks(protocol);
  const breaks = clientBreaksOf(protocol);

  it('has a client that breaks it', () => {
    expect(checks.map(({ id }) => id).filter((id) => !(id in breaks))).toEqual([]);
  });

  it.concurrent.each(checks)('$id passes a client that follows it', async ({ id }) => {
    const result = await run(id, { protocol, fault: FOR_BARE_CLIENTS.includes(id) ? { capabilities: {} } : {} }, false);
    expect({ outcome: result?.outcome, reason: result?.reason }).toEqual({ outcome: 'pass', reason: undefined });
  });

  it.concurrent.each(checks)('$id fails a client that breaks it', async ({ id, level }) => {
    const fault = breaks[id];
    if (!fault) throw new Error(`No client breaks ${id}.`);
    const result = await run(id, { protocol, fault: fault() }, true);
    expect({ outcome: result?.outcome, hasEvidence: Boolean(result?.expected && result.got) }).toEqual({
      outcome: level === 'MUST' ? 'fail' : 'warn',
      hasEvidence: true,
    });
  });
});

interface Client {
  readonly protocol: Protocol;
  readonly fault: ClientBreak;
}

async function run(id: string, { protocol, fault }: Client, isBroken: boolean): Promise<CheckResult | undefined> {
  const target = { kind: 'connect', label: 'fixture', connect: createFixtureClient(fault, protocol) } as const;
  // Rules about everything are judged over a run in which there is something to answer, too.
  const isLint = clientChecks(protocol).some((check) => check.id === id && check.scenario === undefined);
  const only = isLint ? [id, 'CPERM-01'] : [id];
  // Silence is only waited for where it is the fault; terminals are real processes and take their time.
  const isPatient = !isBroken || id.startsWith('CTERM');
  const limits = isPatient ? { timeoutMs: 30_000, answerMs: 15_000 } : { timeoutMs: 1500, answerMs: 700 };
  const report = await runClientChecks(target, { protocol, only, ...limits });
  return report.results.find((result) => result.id === id);
}
