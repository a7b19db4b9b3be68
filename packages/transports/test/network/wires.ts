import type { Message, Transport } from '@parley/jsonrpc';
import type { TransportPair } from '@parley/testing/transport-cases';
import { type Listener, type ListenOptions, listen } from '../../src/listen/index.ts';
import type { NetworkAgent } from '../../src/network/dial-options.ts';

export const never: AbortSignal = new AbortController().signal;

export const INITIALIZE = { jsonrpc: '2.0', id: 'init', method: 'initialize', params: { protocolVersion: 1 } } as const;

/** A client of an agent, and the agent's side of the wire, past `initialize`. */
export async function openWire(
  dial: (url: string) => NetworkAgent,
  options: Partial<ListenOptions> = {},
): Promise<TransportPair & { readonly listener: Listener }> {
  const listener = await listen({ authorize: 'anyone', ...options } as ListenOptions);
  const accepting = listener.connections[Symbol.asyncIterator]().next();
  const { transport } = await dial(listener.url).open(never);
  const near = keepEarly(transport);
  const answered = new Promise<unknown>((resolve) => near.onMessage(resolve));
  void near.send(INITIALIZE);
  const accepted = await accepting;
  if (accepted.done) throw new Error('The listener has closed.');
  const far = keepEarly(accepted.value.transport);
  const asked = new Promise<unknown>((resolve) => far.onMessage(resolve));
  await asked;
  void far.send({ jsonrpc: '2.0', id: INITIALIZE.id, result: { protocolVersion: 1 } } as Message);
  await answered;
  near.forget();
  far.forget();
  return { near, far, listener, dispose: () => listener.close({ graceMs: 0 }) };
}

/** A transport that keeps, once it is told to forget its listener, what arrives until there is another. */
function keepEarly(transport: Transport): Transport & { forget(): void } {
  let listener: ((value: unknown) => void) | undefined;
  const early: unknown[] = [];
  transport.onMessage((value) => (listener ? listener(value) : early.push(value)));
  return {
    send: (message) => transport.send(message),
    ...(transport.whenSent && { whenSent: () => transport.whenSent?.() ?? Promise.resolve() }),
    onMessage(next) {
      listener = next;
      for (const value of early.splice(0)) next(value);
    },
    onFault: (next) => transport.onFault(next),
    onClose: (next) => transport.onClose(next),
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    close: () => transport.close(),
    forget() {
      listener = undefined;
    },
  };
}
