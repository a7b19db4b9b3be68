import type { AppendOutput, Input, OperationError, Output, SessionKey } from '../backend/operations.ts';
import type { Lease } from '../contract/lease.ts';
import type { GroupedAppend } from './append-group.ts';
import type { Connection } from './database.ts';
import type { Writes } from './session-operations.ts';

type ProofName = Exclude<keyof Writes, 'update' | 'trim'>;

/**
 * Whether what an operation has written is there. It is asked when the answer to a commit was lost and the server knows the number of
 * the transaction as committed: a server that crashed may have given that number to another one since. What may simply be done
 * again has no proof.
 */
export type Proofs = {
  readonly [Name in ProofName]: (connection: Connection, input: Input<Name>, output: Output<Name>) => Promise<boolean>;
};

export function proofs(schema: string): Proofs {
  const find = async (connection: Connection, principal: string, id: string): Promise<FoundRow | undefined> => {
    const text = `SELECT created_ms, epoch, owner, lease_until_ms FROM ${schema}.session WHERE principal = $1 AND id = $2`;
    const { rows } = await connection.query(text, [principal, id]);
    return (rows as readonly FoundRow[])[0];
  };
  /** A later owner has it, or this one has it at least as long. */
  const isGranted = async (
    connection: Connection,
    { principal, sessionId }: SessionKey,
    { epoch, leaseUntilMs }: Lease,
  ): Promise<boolean> => {
    const row = await find(connection, principal, sessionId);
    if (!row || row.epoch > epoch) return true;
    return row.epoch === epoch && row.owner !== null && (row.lease_until_ms ?? 0) >= leaseUntilMs;
  };
  return {
    create: async (connection, { principal, sessionId }, { createdAtMs }) =>
      (await find(connection, principal, sessionId))?.created_ms === createdAtMs,
    fork: async (connection, { principal, newId }, { createdAtMs }) =>
      (await find(connection, principal, newId))?.created_ms === createdAtMs,
    remove: async (connection, { principal, sessionId }) =>
      (await find(connection, principal, sessionId)) === undefined,
    acquire: isGranted,
    renew: isGranted,
    release: async (connection, { principal, sessionId, epoch }) => {
      const row = await find(connection, principal, sessionId);
      return !row || row.epoch > epoch || row.owner === null;
    },
  };
}

/** Whether the last event of each append is there, or its session gone. */
export async function areAppended(
  connection: Connection,
  appends: readonly GroupedAppend[],
  { outputs, schema }: { readonly outputs: readonly (AppendOutput | OperationError)[]; readonly schema: string },
): Promise<boolean> {
  const wanted = appends.flatMap(({ input: { events } }, index) => {
    const output = outputs[index];
    const event = events.at(-1);
    if (output === undefined || !('first' in output) || output.repeated || event === undefined) return [];
    return [[output.num, output.last, output.epoch, event.timeMs ?? output.timeMs, event.json] as const];
  });
  // What is recorded without an event is recorded again.
  if (wanted.length === 0) return false;
  const { rows } = await connection.query(
    `SELECT bool_and(event.session IS NOT NULL OR session.num IS NULL) AS proved
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[]) AS wanted (num, seq, epoch, time_ms, body)
     LEFT JOIN ${schema}.session ON session.num = wanted.num
     LEFT JOIN ${schema}.event ON event.session = wanted.num AND event.seq = wanted.seq AND event.epoch = wanted.epoch
       AND event.time_ms = wanted.time_ms AND event.body = wanted.body`,
    [0, 1, 2, 3, 4].map((column) => wanted.map((row) => row[column])),
  );
  return (rows[0] as { readonly proved: boolean } | undefined)?.proved === true;
}

interface FoundRow {
  readonly created_ms: number;
  readonly epoch: number;
  readonly owner: string | null;
  readonly lease_until_ms: number | null;
}
