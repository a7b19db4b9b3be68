/** Which bytes: those from the server to the client, or those from the client to the server. */
export type Way = 'to_client' | 'to_server';

/** What a connection suffers on its way through the proxy. */
export type Fault = WireFault | ConnectFault;

/** What happens to the bytes of a connection that is through. */
export type WireFault =
  /** Every piece arrives later by so much, and by up to `jitterMs` more; the order is kept. Both ways unless `way` says one. */
  | { readonly kind: 'latency'; readonly ms: number; readonly jitterMs?: number; readonly way?: Way }
  /** So many bytes a second. Both ways unless `way` says one. */
  | { readonly kind: 'slow'; readonly bytesPerSecond: number; readonly way?: Way }
  /** Both ends see the other end the connection in good order (FIN). */
  | ({ readonly kind: 'cut' } & Moment)
  /** Both ends see the connection break (RST). */
  | ({ readonly kind: 'reset' } & Moment)
  /** Nothing passes any more, not even an end, and nobody is told: a cable was pulled. Both ways unless `stops` says one. */
  | ({ readonly kind: 'half_open'; readonly stops?: Way } & Moment);

/** When: after so many bytes that went this way (default: to the client); at once without a number. */
export interface Moment {
  readonly afterBytes?: number;
  readonly way?: Way;
}

/** What happens instead of being let through, or before. */
export type ConnectFault =
  /** The connection is broken as soon as it is there. */
  | { readonly kind: 'refuse' }
  /** It is accepted, and nobody ever reads from it or writes to it. */
  | { readonly kind: 'silent' }
  /** It is let through only when a later one has been, and its client has received something. */
  | { readonly kind: 'hold' };

export type FaultKind = Fault['kind'];

export function isConnectFault(fault: Fault): fault is ConnectFault {
  return fault.kind === 'refuse' || fault.kind === 'silent' || fault.kind === 'hold';
}
