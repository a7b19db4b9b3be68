import type { ToolKind } from '@parley/protocol';

/** How much harm a tool can do: 1 reads, 2 changes what is easily undone, 3 has high impact, 4 cannot be undone. */
export type SafetyLevel = 1 | 2 | 3 | 4;

/** What a person should know before saying yes. */
export interface SafetyHints {
  /** How to undo it; from level 3 on a tool should say. */
  readonly rollbackSteps?: string;
  /** What could be done instead; at level 4 a tool should say. */
  readonly alternativePlan?: string;
}

export const SAFETY_LEVELS: Readonly<Record<SafetyLevel, string>> = {
  1: 'reads only',
  2: 'changes that are easy to undo',
  3: 'high impact',
  4: 'cannot be undone',
};

/** The level of a tool that states none. */
export function levelOfKind(kind: ToolKind): SafetyLevel {
  if (kind === 'read' || kind === 'search' || kind === 'think') return 1;
  if (kind === 'edit' || kind === 'move' || kind === 'fetch') return 2;
  return 3;
}

/** `L3`, 3 and "3" are level 3; anything else is no level. */
export function parseSafetyLevel(value: unknown): SafetyLevel | undefined {
  const number = typeof value === 'string' ? Number(value.replace(/^L/i, '')) : value;
  return number === 1 || number === 2 || number === 3 || number === 4 ? number : undefined;
}
