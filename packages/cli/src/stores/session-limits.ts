import type { AgentLimits } from '@parley/agent';
import { CliError } from '@parley/host/command-line';
import type { ServeConfig } from '../config/serve-config.ts';

const MAX_LEASE_SECONDS = 3600;

/** What the settings say of sessions in a store: how long one stays with a process that was lost, and how much of each is kept. */
export function sessionLimits({ leaseSeconds, keepTurns, keepDays }: ServeConfig = {}): Partial<AgentLimits> {
  return {
    ...(leaseSeconds !== undefined && { leaseMs: requireLease(leaseSeconds) }),
    ...(keepTurns !== undefined && { keepTurns }),
    ...(keepDays !== undefined && { keepDays }),
  };
}

function requireLease(seconds: number): number {
  if (seconds >= 1 && seconds <= MAX_LEASE_SECONDS) return Math.round(seconds * 1000);
  throw new CliError('settings_invalid', `serve.leaseSeconds is ${seconds}; it may be 1 to ${MAX_LEASE_SECONDS}.`, {
    next: ['parley config schema'],
  });
}
