import { OperationError, type OperationName, type Operations, type Output } from '../operations.ts';
import type { StoreConnection } from './store-connection.ts';
import type { Call, Fault, OperationCall, Reply } from './thread-messages.ts';

/** Operations that only look. All others are part of a commit. */
const READS: ReadonlySet<string> = new Set<OperationName | 'version'>([
  'get',
  'list',
  'page',
  'heads',
  'inbound',
  'openRequests',
  'version',
]);

/** A commit takes this many events (and whole calls), so that the first of them need not wait for too many others. */
export const MAX_GROUP_EVENTS = 256;
/** Reads between two commits, so that many readers cannot hold up a writer. */
export const MAX_GROUP_READS = 16;

/** Takes the next calls that go together from the front of the queue. */
export function takeGroup(queue: Call[]): Call[] {
  let events = 0;
  let reads = 0;
  let length = 0;
  for (const call of queue) {
    if (READS.has(call.name)) reads++;
    else events += call.name === 'append' ? call.input.events.length : 1;
    if (length > 0 && (events > MAX_GROUP_EVENTS || reads > MAX_GROUP_READS)) break;
    length++;
  }
  return queue.splice(0, length);
}

/**
 * Runs a group of calls: first everything that writes, as one commit, and then what reads, so that nobody is shown
 * what a crash could still take back.
 */
export function runCalls(connection: StoreConnection, calls: readonly Call[]): Reply[] {
  const writes = calls.filter((call): call is OperationCall => !READS.has(call.name));
  const reads = calls.filter((call) => READS.has(call.name));
  return [...commit(connection, writes), ...reads.map((call) => read(connection, call))];
}

function commit(connection: StoreConnection, calls: readonly OperationCall[]): Reply[] {
  if (calls.length === 0) return [];
  try {
    return connection.transaction((operations) => calls.map((call) => perform(operations, call)));
  } catch (error) {
    const fault = toPlainFault(error);
    return calls.map(({ id }) => ({ id, fault }));
  }
}

function read(connection: StoreConnection, call: Call): Reply {
  const { id } = call;
  try {
    if (call.name === 'version') return { id, output: connection.version() };
    return connection.read((operations) => perform(operations, call));
  } catch (error) {
    return { id, fault: toPlainFault(error) };
  }
}

/** A refused call has written nothing and leaves the others of its group alone; a fault of the file ends them all. */
function perform(operations: Operations, call: OperationCall): Reply {
  const { id } = call;
  try {
    return { id, output: callOperation(operations, call) };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { id, fault: toPlainFault(error) };
  }
}

function callOperation<Name extends OperationName>(operations: Operations, call: OperationCall<Name>): Output<Name> {
  return operations[call.name](call.input);
}

function toPlainFault(error: unknown): Fault {
  if (!(error instanceof OperationError)) throw error;
  const { code, sessionId, message } = error;
  return { code, sessionId, message };
}
