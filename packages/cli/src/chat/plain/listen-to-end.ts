import { EXIT_CODES } from '../../exit-codes.ts';
import { isReaderGone, wordFault } from '@parley/host/output';

export interface EndListeners {
  readonly interrupt: () => void;
  readonly leave: (exitCode: number) => void;
  readonly isLeaving: () => boolean;
}

/** Listens for signals, and for a reader of the output that is gone. Returns what stops listening. */
export function listenToEnd(output: NodeJS.EventEmitter, { interrupt, leave, isLeaving }: EndListeners): () => void {
  const onTerminate = (): void => leave(EXIT_CODES.terminated.code);
  // Whoever read our output has gone; there is nobody left to talk to.
  const onClosed = (fault: NodeJS.ErrnoException): void => {
    if (isReaderGone(fault)) return leave(EXIT_CODES.failed.code);
    if (!isLeaving()) process.stderr.write(`parley: ${wordFault(fault)}\n`);
    leave(EXIT_CODES.outputFailed.code);
  };
  process.on('SIGINT', interrupt).on('SIGTERM', onTerminate).on('SIGHUP', onTerminate);
  output.on('error', onClosed);
  return () => {
    process.off('SIGINT', interrupt).off('SIGTERM', onTerminate).off('SIGHUP', onTerminate);
    output.off('error', onClosed);
  };
}
