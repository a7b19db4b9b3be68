import type { TransportFault } from '@parley/jsonrpc';
import { describeSyntaxError } from './describe-syntax-error.ts';
import { FrameSplitter } from './frame-splitter.ts';
import { DEFAULT_MAX_DEPTH, DEFAULT_MAX_MESSAGE_BYTES, type Framing, type WireFraming } from './framing.ts';
import { keepText } from './kept-text.ts';
import { isNestedDeeperThan } from './nesting.ts';
import { type TextCodec, webTextCodec } from './text-codec.ts';

export interface FrameDecoderOptions {
  /** Default: `newline`. */
  readonly framing?: Framing;
  /** The largest frame that is read; a larger one is passed over with a fault. Default: 32 MiB. */
  readonly maxMessageBytes?: number;
  /** The deepest nesting that is read; a deeper frame is passed over with a fault. Default: 1000. */
  readonly maxDepth?: number;
  /** Default: the Web's `TextDecoder`. */
  readonly codec?: TextCodec;
  /** Messages keep the text that they were read from, and are sent again as that. Default: false. */
  readonly keepsText?: boolean;
}

/** Receives what the bytes hold, in order. */
export interface FrameSink {
  onValue(value: unknown): void;
  onFault(fault: TransportFault): void;
  /** Receives lines that cannot be meant as messages. Without it they are values and faults like all others. */
  onNoise?(line: string): void;
  /** Called once, after everything else. */
  onEnd(): void;
}

/**
 * Turns bytes into JSON values. `pause` holds at the very next frame, even in the middle of a chunk; what still arrives
 * waits its turn.
 */
export class FrameDecoder {
  readonly #sink: FrameSink;
  readonly #splitter: FrameSplitter;
  readonly #maxDepth: number;
  readonly #keepsText: boolean;
  #peerFraming: WireFraming | undefined;
  #isPaused = false;
  #isRunning = false;
  #end: 'open' | 'ending' | 'ended' = 'open';

  constructor(sink: FrameSink, options: FrameDecoderOptions = {}) {
    const {
      framing = 'newline',
      maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES,
      maxDepth = DEFAULT_MAX_DEPTH,
      codec = webTextCodec,
      keepsText = false,
    } = options;
    this.#sink = sink;
    this.#splitter = new FrameSplitter({ framing, maxMessageBytes, codec });
    this.#maxDepth = maxDepth;
    this.#keepsText = keepsText;
  }

  /** The framing in which the peer is answered: that of its first message, whatever it sends later. */
  get peerFraming(): WireFraming {
    return this.#peerFraming ?? 'newline';
  }

  /** Takes the next bytes, which must not be changed afterwards. */
  write(chunk: Uint8Array): void {
    this.#splitter.push(chunk);
    this.#run();
  }

  /** Says that no more bytes will come. What is left is read as the last frame. */
  end(): void {
    if (this.#end !== 'open') return;
    this.#end = 'ending';
    this.#splitter.end();
    this.#run();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#run();
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (!this.#isPaused) {
        const frame = this.#splitter.next();
        if (frame === undefined) return this.#endIfDue();
        if (typeof frame === 'string') this.#deliver(frame);
        else this.#fault(frame);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  #deliver(text: string): void {
    if (isNestedDeeperThan(text, this.#maxDepth)) {
      return this.#refuse('message_too_large', `a message nested deeper than ${this.#maxDepth} levels`);
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      if (this.#sink.onNoise && !text.startsWith('{')) return this.#passOverNoise(text);
      return this.#refuse('invalid_json', describeSyntaxError(error));
    }
    if (typeof value !== 'object' && this.#sink.onNoise) this.#sink.onNoise(text);
    else {
      this.#peerFraming ??= this.#splitter.frameKind;
      if (this.#keepsText) keepText(value, text);
      this.#sink.onValue(value);
    }
  }

  /** Noise without a line end of its own, like a terminal's escape codes, has a message glued to it. */
  #passOverNoise(line: string): void {
    const message = line.indexOf('{"jsonrpc"');
    this.#sink.onNoise?.(message === -1 ? line : line.slice(0, message));
    if (message !== -1) this.#deliver(line.slice(message));
  }

  #refuse(kind: TransportFault['kind'], detail: string): void {
    this.#fault({ kind, detail, bytes: this.#splitter.frameBytes });
  }

  /** Something broken was meant as a message all the same, and its answer goes out in its framing. */
  #fault(fault: TransportFault): void {
    this.#peerFraming ??= this.#splitter.frameKind;
    this.#sink.onFault(fault);
  }

  #endIfDue(): void {
    if (this.#end !== 'ending') return;
    this.#end = 'ended';
    this.#sink.onEnd();
  }
}
