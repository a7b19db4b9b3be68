import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { OperationError } from '../operations.ts';
import { runCalls, takeGroup } from './run-calls.ts';
import { StoreConnection } from './store-connection.ts';
import type { Call, ThreadData, ToThread } from './thread-messages.ts';

/**
 * The thread that owns the file. Group commit needs no timer here: while one commit waits for the disk, the calls of
 * the next gather in the port. When nothing else is going on, a call is committed at once.
 */
if (parentPort) serve(parentPort, new StoreConnection(workerData as ThreadData));

function serve(port: NonNullable<typeof parentPort>, connection: StoreConnection): void {
  const queue: Call[] = [];
  let isClosing = false;
  const take = (message: ToThread): void => {
    if (message === 'close') isClosing = true;
    else queue.push(...message);
  };
  const takeWaiting = (): void => {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) take(next.message as ToThread);
  };

  port.on('message', (message: ToThread) => {
    take(message);
    takeWaiting();
    while (queue.length > 0) {
      port.postMessage(runCalls(connection, takeGroup(queue)));
      takeWaiting();
    }
    if (isClosing) close();
    else schedulePurge();
  });

  let isPurging = false;
  const schedulePurge = (): void => {
    if (isPurging) return;
    isPurging = true;
    setImmediate(() => {
      isPurging = false;
      if (!isClosing && purge()) schedulePurge();
    });
  };
  /** Only tidying up: what fails now is tried again after the next calls. */
  const purge = (): boolean => {
    try {
      return connection.purge();
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      return false;
    }
  };
  const close = (): void => {
    port.close();
    connection.close();
  };
}
