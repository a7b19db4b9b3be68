import type { Message } from './message.ts';

/**
 * Carries messages to and from one peer: all that a connection needs of a wire.
 *
 * A transport has one consumer. Each `on*` takes the one listener of its kind; a later call replaces it. Nothing is
 * delivered before `onMessage` was called, so no message is lost between opening a wire and putting a connection on it.
 */
export interface Transport {
  /**
   * Queues one message. Returns a promise only when the peer is too slow and the caller should wait before sending
   * more; the message is queued either way. That promise resolves when there is room or the wire has ended, and never
   * rejects. Throws `TransportClosedError` once the transport is closed.
   */
  send(message: Message): void | Promise<void>;

  /**
   * Resolves when everything that was sent before this call has left this process, or the wire has ended; never rejects.
   * A connection tells by it how many answers still wait. Without it, the promises of `send` have to do.
   */
  whenSent?(): Promise<void>;

  /** How many bytes of messages have come so far; undefined on a wire that does not count them. */
  readonly receivedBytes?: number;

  /** Receives each JSON value that arrives, in wire order. The value is not checked: it may be a batch or a scalar. */
  onMessage(listener: (value: unknown) => void): void;

  /** Receives each piece of input that was not a JSON value, in its place in the order of messages. */
  onFault(listener: (fault: TransportFault) => void): void;

  /** Called once, after the last message, when nothing more will arrive. */
  onClose(listener: (reason: CloseReason) => void): void;

  /** Stops delivery at once, in the middle of a chunk if need be. Nothing is dropped; the peer is slowed down. */
  pause(): void;

  resume(): void;

  /** Sends what is queued, then ends the wire. Resolves when it is released; calling it again changes nothing. */
  close(): Promise<void>;
}

/** Input that could not be read as a message. The wire goes on with the next frame. */
export interface TransportFault {
  readonly kind: 'invalid_json' | 'message_too_large' | 'bad_frame';
  /** What was wrong, for a log; never the input itself, which may hold secrets. */
  readonly detail: string;
  /** How many bytes were passed over; of a line that is too long, how many it took to know that. */
  readonly bytes: number;
}

/** Why a wire ended. */
export interface CloseReason {
  /** `closed`: by us. `ended`: by the peer, in good order. `failed`: by an error, which `error` tells. */
  readonly kind: 'closed' | 'ended' | 'failed';
  readonly error?: Error;
}
