import type { ChildProcess } from 'node:child_process';
import { Server } from 'node:net';

/** Serves on a server that a process has passed on, until it is disposed of. */
export type ServeReceived = (server: Server) => Disposable;

/**
 * Takes one server from a process that was started with Node's channel (`ipc`). The channel is closed then: by that the process
 * knows that its server is served. Dispose of the result when the process is gone.
 */
export function receiveServer(child: ChildProcess, serve: ServeReceived): Disposable {
  let serving: Disposable | undefined;
  const receive = (_message: unknown, passed: unknown): void => {
    if (passed instanceof Server) serving = serve(passed);
    if (child.connected) child.disconnect();
  };
  child.once('message', receive);
  return {
    [Symbol.dispose]() {
      child.off('message', receive);
      serving?.[Symbol.dispose]();
    },
  };
}
