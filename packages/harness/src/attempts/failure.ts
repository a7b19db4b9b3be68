import { AgentError, AuthRequiredError } from '@parley/client';
import { HarnessError } from '../errors.ts';
import type { FailureKind } from '../formats/attempt.ts';

/** An attempt did not come to its end for a reason of the harness's own. */
export class AttemptError extends Error {
  override readonly name = 'AttemptError';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** What an error means for the attempt. `hasPrompted`: the agent had begun to work. */
export function classifyFailure(error: unknown, hasPrompted: boolean): FailureKind {
  if (error instanceof AttemptError) return error.kind;
  if (error instanceof HarnessError && error.code === 'workspace_failed') return 'workspace';
  if (!hasPrompted || error instanceof AuthRequiredError) return 'start';
  const isGone = error instanceof AgentError && (error.code === 'agent_exited' || error.code === 'connection_lost');
  return isGone ? 'died' : 'agent';
}

export function explainFailure(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
