import { OperationError, type OperationName, type Operations, type Output } from '../backend/operations.ts';
import type { StoreConnection } from './store-connection.ts';
import type { Group } from './take-group.ts';
import type { Call, OperationCall, Reply } from './thread-messages.ts';

/** Carries out a group of calls. What is written is one commit, and nobody is shown it before that is on the disk. */
export function runCalls(connection: StoreConnection, { earlyReads, writes, lateReads }: Group): Reply[] {
  return [...read(connection, earlyReads), ...commit(connection, writes), ...read(connection, lateReads)];
}

function commit(connection: StoreConnection, calls: readonly OperationCall[]): Reply[] {
  if (calls.length === 0) return [];
  try {
    return connection.transaction((operations) => calls.map((call) => perform(operations, call)));
  } catch (error) {
    return calls.map(({ id }) => toReply(id, error));
  }
}

function read(connection: StoreConnection, calls: readonly Call[]): Reply[] {
  if (calls.length === 0) return [];
  try {
    return connection.snapshot(
      calls.map((call) => (operations: Operations) => {
        if (call.name === 'version') return { id: call.id, output: connection.version() };
        return perform(operations, call);
      }),
      (fault, index) => toReply(calls[index]?.id ?? 0, fault),
    );
  } catch (error) {
    return calls.map(({ id }) => toReply(id, error));
  }
}

/** A refused call has written nothing and leaves the others of its group alone; a fault of the file ends them all. */
function perform(operations: Operations, call: OperationCall): Reply {
  const { id } = call;
  try {
    return { id, output: callOperation(operations, call) };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return toReply(id, error);
  }
}

function callOperation<Name extends OperationName>(operations: Operations, call: OperationCall<Name>): Output<Name> {
  return operations[call.name](call.input, call.nowMs);
}

function toReply(id: number, error: unknown): Reply {
  if (!(error instanceof OperationError)) throw error;
  const { code, sessionId, message } = error;
  return { id, fault: { code, sessionId, message } };
}
