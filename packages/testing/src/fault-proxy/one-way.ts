import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../mutations/index.ts';

/** With more than this on its way, the proxy reads no more. */
const MAX_QUEUED_BYTES = 1024 * 1024;

/** A slow way moves bytes this often. */
const SLOW_STEP_MS = 20;

export interface OneWayOptions {
  readonly from: Socket;
  readonly to: Socket;
  readonly random: Random;
  readonly onForwarded: (bytes: number) => void;
}

interface Piece {
  readonly bytes: Buffer;
  readonly dueAt: number;
}

/** The bytes from one socket to the other, in order, as late, slow or incomplete as they were told to be. */
export class OneWay {
  readonly #options: OneWayOptions;
  readonly #pieces: Piece[] = [];
  #queuedBytes = 0;
  #forwarded = 0;
  #hasEnded = false;
  #isRunning = false;
  #isStopped = false;
  #latency = { ms: 0, jitterMs: 0 };
  #bytesPerSecond = Number.POSITIVE_INFINITY;
  #moments: { readonly at: number; readonly happen: () => void }[] = [];

  constructor(options: OneWayOptions) {
    this.#options = options;
    const { from } = options;
    from.on('data', (bytes: Buffer) => this.#take(bytes));
    from.on('end', () => {
      this.#hasEnded = true;
      void this.#run();
    });
  }

  get forwarded(): number {
    return this.#forwarded;
  }

  delay(ms: number, jitterMs: number): void {
    this.#latency = { ms, jitterMs };
  }

  slowDown(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Calls back when exactly so many bytes have gone through, in the middle of a piece if need be. */
  after(bytes: number, happen: () => void): void {
    if (this.#forwarded >= bytes) return happen();
    this.#moments.push({ at: bytes, happen });
    this.#moments.sort((a, b) => a.at - b.at);
  }

  /** Forwards nothing any more, and reads nothing either: what is sent on stays in the buffers of the system. */
  stop(): void {
    this.#isStopped = true;
    this.#options.from.pause();
  }

  #take(bytes: Buffer): void {
    if (this.#isStopped) return;
    const { ms, jitterMs } = this.#latency;
    const dueAt = Date.now() + ms + (jitterMs > 0 ? this.#options.random.below(jitterMs + 1) : 0);
    this.#pieces.push({ bytes, dueAt });
    this.#queuedBytes += bytes.length;
    if (this.#queuedBytes > MAX_QUEUED_BYTES) this.#options.from.pause();
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let piece = this.#pieces.shift(); piece && !this.#isStopped; piece = this.#pieces.shift()) {
      const waitMs = piece.dueAt - Date.now();
      if (waitMs > 0) await sleep(waitMs);
      await this.#forward(piece.bytes);
      this.#queuedBytes -= piece.bytes.length;
      if (this.#queuedBytes <= MAX_QUEUED_BYTES && !this.#isStopped) this.#options.from.resume();
    }
    this.#isRunning = false;
    if (this.#hasEnded && !this.#isStopped && this.#pieces.length === 0) this.#options.to.end();
  }

  async #forward(bytes: Buffer): Promise<void> {
    for (let offset = 0; offset < bytes.length && !this.#isStopped; ) {
      const length = Math.min(bytes.length - offset, this.#stepBytes(), this.#untilMoment());
      await this.#write(bytes.subarray(offset, offset + length));
      offset += length;
      this.#forwarded += length;
      this.#options.onForwarded(length);
      while (this.#moments[0] && this.#moments[0].at <= this.#forwarded) this.#moments.shift()?.happen();
      if (this.#bytesPerSecond !== Number.POSITIVE_INFINITY) await sleep(SLOW_STEP_MS);
    }
  }

  #stepBytes(): number {
    return Math.max(1, Math.floor((this.#bytesPerSecond * SLOW_STEP_MS) / 1000));
  }

  #untilMoment(): number {
    return (this.#moments[0]?.at ?? Number.POSITIVE_INFINITY) - this.#forwarded;
  }

  /** Waits when the receiver takes no more, so that the sender comes to feel it. */
  async #write(bytes: Buffer): Promise<void> {
    const { to } = this.#options;
    if (!to.writable || to.write(bytes)) return;
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        to.off('drain', settle);
        to.off('close', settle);
        resolve();
      };
      to.once('drain', settle);
      to.once('close', settle);
    });
  }
}
