import type { Owners } from '../backend/owners.ts';
import { processOwners } from '../node/process-owner.ts';

/**
 * Many machines share the sessions, so the lease alone says how long an owner has them: also one on this machine that runs
 * but does not renew, because it was stopped or cannot reach the database. One whose process has ended need not be waited for.
 */
export const owners: Owners = {
  stateOf: (owner) => (processOwners.stateOf(owner) === 'ended' ? 'ended' : 'unknown'),
  describe: (owner) => processOwners.describe(owner),
};
