import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { runCalls } from './run-calls.ts';
import { StoreConnection } from './store-connection.ts';
import { isQuestion, takeGroup } from './take-group.ts';
import type { Call, FromThread, ThreadData, ToThread } from './thread-messages.ts';

/**
 * The thread that owns the file. Group commit needs no timer here: while one commit waits for the disk, the calls of
 * the next gather in the port. When nothing else is going on, a call is committed at once.
 */
if (parentPort) serve(parentPort, new StoreConnection(workerData as ThreadData));

function serve(port: NonNullable<typeof parentPort>, connection: StoreConnection): void {
  const queue: Call[] = [];
  const questions: Call[] = [];
  let isClosing = false;
  const take = (message: ToThread): void => {
    if (message === 'close') isClosing = true;
    else for (const call of message) (isQuestion(call) ? questions : queue).push(call);
  };
  const takeWaiting = (): void => {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) take(next.message as ToThread);
  };

  port.on('message', (message: ToThread) => {
    take(message);
    takeWaiting();
    while (queue.length > 0 || questions.length > 0) {
      const group = questions.length > 0 ? takeGroup(questions) : takeGroup(queue);
      const replies = runCalls(connection, group);
      port.postMessage({ replies, worn: connection.worn } satisfies FromThread);
      connection.checkpoint();
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
      if (isClosing || !connection.purge()) return;
      connection.checkpoint();
      schedulePurge();
    });
  };
  const close = (): void => {
    port.close();
    connection.close();
  };
}
