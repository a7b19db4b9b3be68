import { isReaderGone, wordFault } from '@parley/host/output';
import type { ChatEnd } from '../conversation/chat-options.ts';

export interface EndListeners {
  readonly interrupt: () => void;
  readonly leave: (end: ChatEnd) => void;
  readonly isLeaving: () => boolean;
}

/** Listens for signals, and for a reader of the output that is gone. Returns what stops listening. */
export function listenToEnd(output: NodeJS.EventEmitter, { interrupt, leave, isLeaving }: EndListeners): () => void {
  const onTerminate = (): void => leave('terminated');
  // The reader of the output closed it: end the chat.
  const onClosed = (fault: NodeJS.ErrnoException): void => {
    if (isReaderGone(fault)) return leave('readerGone');
    if (!isLeaving()) process.stderr.write(`parley: ${wordFault(fault)}\n`);
    leave('outputFailed');
  };
  process.on('SIGINT', interrupt).on('SIGTERM', onTerminate).on('SIGHUP', onTerminate);
  output.on('error', onClosed);
  return () => {
    process.off('SIGINT', interrupt).off('SIGTERM', onTerminate).off('SIGHUP', onTerminate);
    output.off('error', onClosed);
  };
}
