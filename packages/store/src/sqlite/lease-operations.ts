import type Database from 'libsql';
import type { Operations } from '../backend/operations.ts';
import { nextLease, renewedLease } from '../backend/rules.ts';
import type { Lease } from '../contract/lease.ts';
import { processOwners as owners } from '../node/process-owner.ts';
import type { FindSession } from './session-operations.ts';

/** The operations on who owns a session. */
export function leaseOperations(
  database: Database.Database,
  find: FindSession,
): Pick<Operations, 'acquire' | 'renew' | 'release'> {
  const save = database.prepare('UPDATE session SET owner = ?2, epoch = ?3, lease_until_ms = ?4 WHERE num = ?1');

  const grant = (num: number, lease: Lease): Lease => {
    save.run([num, lease.owner, lease.epoch, lease.leaseUntilMs]);
    return lease;
  };

  return {
    acquire(input, nowMs) {
      const session = find(input);
      return grant(session.num, nextLease(session, input, { nowMs, owners }));
    },

    renew(input, nowMs) {
      const session = find(input);
      return grant(session.num, renewedLease(session, input, { nowMs, owners }));
    },

    release({ epoch, ...key }) {
      const session = find(key);
      if (session.epoch !== epoch || !session.lease) return false;
      save.run([session.num, null, epoch, null]);
      return true;
    },
  };
}
