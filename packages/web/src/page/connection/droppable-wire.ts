import type { AgentSource, AgentWire } from '@parley/client';
import { NetworkError } from '@parley/transports/websocket';

/** An agent whose wire can be given up from outside. */
export interface DroppableSource {
  readonly source: AgentSource;
  /** Takes the wire for lost; the connection opens another one. */
  drop(): void;
}

/**
 * A browser does not tell when a wire has died in silence, and closing it waits for the other side: whoever finds that nothing answers
 * drops it.
 */
export function droppable(source: AgentSource): DroppableSource {
  let drop = (): void => {};
  return {
    source: {
      ...source,
      async open(signal) {
        const wire = await source.open(signal);
        const opened = wrap(wire, `${source.name} does not answer any more.`);
        drop = opened.drop;
        return opened.wire;
      },
    },
    drop: () => drop(),
  };
}

function wrap(wire: AgentWire, message: string): { readonly wire: AgentWire; readonly drop: () => void } {
  const { transport } = wire;
  type OnClose = Parameters<typeof transport.onClose>[0];
  let listener: OnClose | undefined;
  let isOver = false;
  const end: OnClose = (reason) => {
    if (isOver) return;
    isOver = true;
    listener?.(reason);
  };
  transport.onClose(end);
  return {
    wire: {
      ...wire,
      transport: {
        send: (sent) => transport.send(sent),
        ...(transport.whenSent && { whenSent: () => transport.whenSent?.() ?? Promise.resolve() }),
        onMessage: (take) => transport.onMessage((value) => isOver || take(value)),
        onFault: (take) => transport.onFault(take),
        onClose(take) {
          listener = take;
        },
        pause: () => transport.pause(),
        resume: () => transport.resume(),
        close: () => transport.close(),
      },
    },
    drop() {
      end({ kind: 'failed', error: new NetworkError({ kind: 'dropped', message }) });
      void transport.close();
    },
  };
}
