import { type Message, type Transport, TransportClosedError, type TransportFault } from '@parley/jsonrpc';

export interface PassOnOptions {
  readonly from: Transport;
  readonly to: Transport;
  /** Sees each message before it is passed on. */
  readonly onMessage: (value: object) => void;
  readonly onFault: (fault: Pick<TransportFault, 'kind' | 'detail'>) => void;
}

/** Passes every message on as it came, a batch too. A reader that is slow holds up the writer. */
export function passOn({ from, to, onMessage, onFault }: PassOnOptions): void {
  from.onFault(onFault);
  from.onMessage((value) => {
    if (typeof value !== 'object' || value === null)
      return onFault({ kind: 'bad_frame', detail: 'a message must be a JSON object' });
    onMessage(value);
    try {
      const sent = to.send(value as Message);
      if (!sent) return;
      from.pause();
      const goOn = (): void => from.resume();
      sent.then(goOn, goOn);
    } catch (error) {
      // Its end is told elsewhere.
      if (!(error instanceof TransportClosedError)) throw error;
    }
  });
}
