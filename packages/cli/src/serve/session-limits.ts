import type { AgentLimits } from '@parley/agent';
import type { ServeConfig } from '../config/serve-config.ts';

/** What the settings say of how much is kept of each session. */
export function retentionLimits({ keepTurns, keepDays }: ServeConfig = {}): Partial<AgentLimits> {
  return { ...(keepTurns !== undefined && { keepTurns }), ...(keepDays !== undefined && { keepDays }) };
}
