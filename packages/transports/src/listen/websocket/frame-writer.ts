import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';

/** What is handed to the socket at once, so that it shows whether the peer takes any of it. */
const PIECE_BYTES = 256 * 1024;

/** A batch is encoded when it is this long, and at the end of the tick in any case. */
const MAX_BATCH_CHARACTERS = 64 * 1024;

/** The first byte of a frame that is a whole text message. */
const FINAL_TEXT = 0x81;

/**
 * Writes text messages as the frames of a server: the messages of one tick in one buffer and one write. `ws` would make two
 * buffers and two writes of each. Between our batches it writes its own frames, which are whole ones too.
 */
export class FrameWriter {
  readonly #socket: Duplex;
  #texts: string[] = [];
  #characters = 0;
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  #isBlocked = false;
  #movedAt = 0;
  #onDrain: () => void = () => {};

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.on('drain', () => {
      this.#isBlocked = false;
      this.#movedAt = Date.now();
      this.#pump();
      if (!this.#isBlocked) this.#onDrain();
    });
  }

  /** Calls back when the socket has taken what it was given. */
  onDrain(listener: () => void): void {
    this.#onDrain = listener;
  }

  get unsentBytes(): number {
    return this.#characters + this.#pieceBytes + this.#socket.writableLength;
  }

  /** How long nothing has been taken while something waits. */
  stalledMs(now: number): number {
    return this.#isBlocked ? now - this.#movedAt : 0;
  }

  write(text: string): void {
    if (this.#texts.length === 0) process.nextTick(flush, this);
    this.#texts.push(text);
    this.#characters += text.length;
    if (this.#characters >= MAX_BATCH_CHARACTERS) this.flush();
  }

  flush(): void {
    if (this.#texts.length === 0) return;
    const batch = encodeFrames(this.#texts);
    this.#texts = [];
    this.#characters = 0;
    this.#pieces.push(batch);
    this.#pieceBytes += batch.length;
    this.#pump();
  }

  /** Resolves when all that was written has left this process, or the socket is gone. */
  async whenSent(): Promise<void> {
    this.flush();
    const socket = this.#socket;
    if (this.unsentBytes === 0 || !socket.writable) return;
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        socket.off('close', settle);
        socket.off('drain', check);
        resolve();
      };
      const check = (): void => {
        if (this.#pieceBytes === 0 && !this.#isBlocked) socket.write('', settle);
      };
      socket.once('close', settle);
      socket.on('drain', check);
      check();
    });
  }

  #pump(): void {
    while (!this.#isBlocked && this.#socket.writable) {
      const next = this.#pieces[0];
      if (next === undefined) return;
      const piece = next.length <= PIECE_BYTES ? next : next.subarray(0, PIECE_BYTES);
      if (piece === next) this.#pieces.shift();
      else this.#pieces[0] = next.subarray(PIECE_BYTES);
      this.#pieceBytes -= piece.length;
      this.#isBlocked = !this.#socket.write(piece);
      this.#movedAt = Date.now();
    }
  }
}

function flush(writer: FrameWriter): void {
  writer.flush();
}

function encodeFrames(texts: readonly string[]): Buffer {
  let total = 0;
  const lengths = texts.map((text) => {
    const length = Buffer.byteLength(text);
    total += length + headerBytes(length);
    return length;
  });
  const buffer = Buffer.allocUnsafe(total);
  let offset = 0;
  for (const [index, text] of texts.entries()) {
    offset = writeHeader(buffer, offset, lengths[index] ?? 0);
    offset += buffer.write(text, offset);
  }
  return buffer;
}

function headerBytes(length: number): number {
  if (length < 126) return 2;
  return length < 65_536 ? 4 : 10;
}

/** RFC 6455, section 5.2; what a server sends is not masked. */
function writeHeader(buffer: Buffer, offset: number, length: number): number {
  buffer[offset] = FINAL_TEXT;
  if (length < 126) {
    buffer[offset + 1] = length;
    return offset + 2;
  }
  if (length < 65_536) {
    buffer[offset + 1] = 126;
    return buffer.writeUInt16BE(length, offset + 2);
  }
  buffer[offset + 1] = 127;
  buffer.writeUInt32BE(Math.floor(length / 2 ** 32), offset + 2);
  return buffer.writeUInt32BE(length % 2 ** 32, offset + 6);
}
