/** One frame as it arrived, whatever it holds. */
export interface ReceivedFrame {
  readonly text: string;
  readonly bytes: number;
  readonly isUtf8: boolean;
  /** False for what was left over when the wire ended. */
  readonly isTerminated: boolean;
}

/** How a wire ended: `exited with code 1`. */
export interface WireEnd {
  readonly how: string;
  readonly exitCode?: number | null;
}

/**
 * A wire with nothing between us and the bytes: a connection would answer, repair or refuse what a checker must see and send.
 */
export interface Wire {
  /** Sends one frame with this text, which need not be JSON. Sending on a wire that has ended does nothing. */
  sendFrame(text: string): void;
  onFrame(listener: (frame: ReceivedFrame) => void): void;
  /** Bytes as they are; absent where the wire frames by itself. */
  readonly bytes?: ByteSender;
  /** Stops reading, so that the peer meets a full pipe. */
  pause(): void;
  resume(): void;
  readonly ended: Promise<WireEnd>;
  readonly isEnded: boolean;
  /** The last of what the peer wrote to stderr. */
  readonly stderr: string;
  /** Ends the wire, and the process behind it. Resolves when it is gone. */
  close(): Promise<void>;
}

export interface ByteSender {
  send(bytes: Uint8Array | string): void;
  /** Ends our side. The peer can still write. */
  end(): void;
}

export interface OpenWireOptions {
  /** Where a process is started. */
  readonly cwd: string;
  /** How long a process may take to end after its stdin has ended. */
  readonly exitMs: number;
}

export type OpenWire = (options: OpenWireOptions) => Promise<Wire>;
