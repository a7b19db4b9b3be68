import { requestFromToolCall, SAFETY_LEVELS } from '@parley/policy/request';

/** What an agent says about the harm that a tool call can do. It informs, and decides nothing. */
export interface Safety {
  readonly level?: { readonly number: 1 | 2 | 3 | 4; readonly means: string };
  readonly undo?: string;
  readonly instead?: string;
}

const MAX_HINT_CHARACTERS = 1000;

/** Reads the claims of an agent from the `_meta` of its tool call; undefined where it makes none. */
export function readSafety(meta: Readonly<Record<string, unknown>> | null | undefined): Safety | undefined {
  if (!meta) return undefined;
  const { claimedLevel, hints } = requestFromToolCall({ toolCallId: '', _meta: meta });
  if (claimedLevel === undefined && hints === undefined) return undefined;
  return {
    ...(claimedLevel !== undefined && { level: { number: claimedLevel, means: SAFETY_LEVELS[claimedLevel] } }),
    ...(hints?.rollbackSteps !== undefined && { undo: hints.rollbackSteps.slice(0, MAX_HINT_CHARACTERS) }),
    ...(hints?.alternativePlan !== undefined && { instead: hints.alternativePlan.slice(0, MAX_HINT_CHARACTERS) }),
  };
}
