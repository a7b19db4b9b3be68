import type { PermissionDecision } from '@parley/client';
import type { ExitName } from '@parley/host/command-line';
import type { StopReason } from '@parley/session';
import type { PermissionCounts } from '../output/run-outcome.ts';

/** Counts answers to permission requests as they are given. */
export class PermissionCounter {
  #allowed = 0;
  #rejected = 0;
  #asked = 0;

  add({ outcome }: PermissionDecision): void {
    this.#asked += 1;
    if (outcome === 'allowed') this.#allowed += 1;
    if (outcome === 'rejected') this.#rejected += 1;
  }

  get counts(): PermissionCounts {
    return { asked: this.#asked, allowed: this.#allowed, rejected: this.#rejected };
  }
}

/** What the end of a turn means for the exit code. */
export function exitOfTurn(
  stopReason: StopReason,
  { rejected, allowed }: PermissionCounts,
  isDeniedUnasked: boolean,
): ExitName {
  const isDenied = (rejected > 0 && allowed === 0) || isDeniedUnasked;
  switch (stopReason) {
    case 'refusal':
      return 'refusal';
    case 'max_tokens':
    case 'max_turn_requests':
      return 'limit';
    case 'cancelled':
      // Some agents end the turn when they are refused something; nobody here has cancelled it then.
      return isDenied ? 'denied' : 'interrupted';
    default:
      return isDenied ? 'denied' : 'ok';
  }
}
