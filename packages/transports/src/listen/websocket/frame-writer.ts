import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';

/**
 * A longer message goes as fragments of this length. Each is a frame of its own, so that frames of `ws` (a ping, a close) may come
 * between them, and it shows whether the peer takes any of them.
 */
const FRAGMENT_BYTES = 256 * 1024;

/** Messages that may share a frame do so up to this length. */
const MAX_JOINED_CHARACTERS = 64 * 1024;

/** A batch is encoded when it is this long, and at the end of the tick in any case. */
const MAX_BATCH_CHARACTERS = 64 * 1024;

/** The first byte of a frame (RFC 6455, section 5.2): whether it is the last of its message, and what it holds. */
const FINAL = 0x80;
const TEXT = 0x01;
const CONTINUATION = 0x00;

export interface FrameWriterOptions {
  /** Messages that wait together may go in one frame, one to a line. None of them has a line break of its own. Default: false. */
  readonly joinsMessages?: boolean;
}

/**
 * Writes text messages as the frames of a server: the messages of one tick in one buffer and one write. `ws` would make two
 * buffers and two writes of each. What is given to the socket is always whole frames, since `ws` writes its own in between.
 */
export class FrameWriter {
  readonly #socket: Duplex;
  readonly #joinsMessages: boolean;
  #texts: string[] = [];
  #characters = 0;
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  #isBlocked = false;
  #movedAt = 0;
  #onDrain: () => void = () => {};

  constructor(socket: Duplex, { joinsMessages = false }: FrameWriterOptions = {}) {
    this.#socket = socket;
    this.#joinsMessages = joinsMessages;
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
    for (const piece of encodeFrames(this.#joinsMessages ? joinLines(this.#texts) : this.#texts)) {
      this.#pieces.push(piece);
      this.#pieceBytes += piece.length;
    }
    this.#texts = [];
    this.#characters = 0;
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
      const piece = this.#pieces.shift();
      if (piece === undefined) return;
      this.#pieceBytes -= piece.length;
      this.#isBlocked = !this.#socket.write(piece);
      this.#movedAt = Date.now();
    }
  }
}

function flush(writer: FrameWriter): void {
  writer.flush();
}

/** The texts of frames, each with as many messages as fit. */
function joinLines(texts: readonly string[]): readonly string[] {
  if (texts.length === 1) return texts;
  const joined: string[] = [];
  let lines: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (lines.length > 0 && characters + text.length > MAX_JOINED_CHARACTERS) {
      joined.push(lines.join('\n'));
      lines = [];
      characters = 0;
    }
    lines.push(text);
    characters += text.length;
  }
  joined.push(lines.join('\n'));
  return joined;
}

/** The frames of many messages: the short ones together, each fragment of a long one by itself. */
function encodeFrames(texts: readonly string[]): Buffer[] {
  const pieces: Buffer[] = [];
  let short: string[] = [];
  for (const text of texts) {
    // No character has more than three bytes for each of its units.
    if (text.length * 3 <= FRAGMENT_BYTES || Buffer.byteLength(text) <= FRAGMENT_BYTES) {
      short.push(text);
      continue;
    }
    if (short.length > 0) pieces.push(joinFrames(short));
    short = [];
    pieces.push(...fragment(Buffer.from(text)));
  }
  if (short.length > 0) pieces.push(joinFrames(short));
  return pieces;
}

function joinFrames(texts: readonly string[]): Buffer {
  const lengths: number[] = [];
  let total = 0;
  for (const text of texts) {
    const length = Buffer.byteLength(text);
    lengths.push(length);
    total += length + headerBytes(length);
  }
  const buffer = Buffer.allocUnsafe(total);
  let offset = 0;
  for (let index = 0; index < texts.length; index += 1) {
    offset = writeHeader(buffer, offset, FINAL | TEXT, lengths[index] ?? 0);
    offset += buffer.write(texts[index] ?? '', offset);
  }
  return buffer;
}

function fragment(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += FRAGMENT_BYTES) {
    const part = bytes.subarray(start, start + FRAGMENT_BYTES);
    const isLast = start + FRAGMENT_BYTES >= bytes.length;
    const first = (isLast ? FINAL : 0) | (start === 0 ? TEXT : CONTINUATION);
    const frame = Buffer.allocUnsafe(headerBytes(part.length) + part.length);
    part.copy(frame, writeHeader(frame, 0, first, part.length));
    pieces.push(frame);
  }
  return pieces;
}

function headerBytes(length: number): number {
  if (length < 126) return 2;
  return length < 65_536 ? 4 : 10;
}

/** What a server sends is not masked. */
function writeHeader(buffer: Buffer, offset: number, first: number, length: number): number {
  buffer[offset] = first;
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
