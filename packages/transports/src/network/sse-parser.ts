import { DEFAULT_MAX_MESSAGE_BYTES } from '../framing/framing.ts';
import { PartialText } from '../framing/partial-text.ts';
import { type TextCodec, webTextCodec } from '../framing/text-codec.ts';
import { MAX_ID_LENGTH } from './limits.ts';

export interface SseParserOptions {
  /** The most bytes of data in one event; an event with more is passed over. Default: 32 MiB. */
  readonly maxEventBytes?: number;
  /** Default: the Web's `TextDecoder`. */
  readonly codec?: TextCodec;
}

export interface SseEvent {
  readonly kind: 'event';
  readonly data: string;
  /** `message`, unless the stream names another. */
  readonly type: string;
  /** How many bytes of data it has. */
  readonly bytes: number;
}

/** An event that was too large to be kept. */
export interface SseOversize {
  readonly kind: 'oversize';
  readonly bytes: number;
}

/**
 * Reads an event stream as the HTML Standard says (section 9.2.6), in chunks that may be cut anywhere. What `push` takes
 * comes out of `next`, one event per call, so that a reader can hold between two events of one chunk.
 */
export class SseParser {
  readonly #maxBytes: number;
  readonly #codec: TextCodec;
  readonly #line: PartialText;
  #lineBytes = 0;
  #chunks: Uint8Array[] = [];
  #offset = 0;
  /** How many bytes of a byte order mark may still be skipped at the start. */
  #markBytes = 0;
  /** The last line ended with a carriage return, so that a line feed right after it belongs to it. */
  #isAfterReturn = false;

  #data: string | undefined;
  #dataBytes = 0;
  #isOversize = false;
  #type = '';
  #pendingId = '';
  #lastEventId = '';
  #retryMs: number | undefined;
  #comments = 0;

  constructor({ maxEventBytes = DEFAULT_MAX_MESSAGE_BYTES, codec = webTextCodec }: SseParserOptions = {}) {
    this.#maxBytes = maxEventBytes;
    this.#codec = codec;
    this.#line = new PartialText(codec);
  }

  /** The id of the last event that `next` has given, or of an earlier one if it had none; empty when there was none. */
  get lastEventId(): string {
    return this.#lastEventId;
  }

  /** How long the server asks its readers to wait before they dial again. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /** How many comments came: servers send them to show that they are alive. */
  get comments(): number {
    return this.#comments;
  }

  /** How many bytes of an event have come that is not whole yet. */
  get pendingBytes(): number {
    return this.#dataBytes + this.#lineBytes;
  }

  /** Takes the next bytes, which must not be changed afterwards. */
  push(chunk: Uint8Array): void {
    if (chunk.length > 0) this.#chunks.push(chunk);
  }

  /** The next whole event; undefined when more bytes are needed. An event without its blank line is none. */
  next(): SseEvent | SseOversize | undefined {
    for (let chunk = this.#chunks[0]; chunk !== undefined; chunk = this.#chunks[0]) {
      const event = this.#readLines(chunk);
      if (event) return event;
      this.#chunks.shift();
      this.#offset = 0;
    }
    return undefined;
  }

  #readLines(chunk: Uint8Array): SseEvent | SseOversize | undefined {
    this.#skipMark(chunk);
    let nextFeed = -2;
    let nextReturn = -2;
    while (this.#offset < chunk.length) {
      const start = this.#offset;
      if (this.#isAfterReturn && chunk[start] === FEED) {
        this.#isAfterReturn = false;
        this.#offset += 1;
        continue;
      }
      this.#isAfterReturn = false;
      // Each search goes on from the last find, so that a chunk without carriage returns is searched for them once.
      if (nextFeed !== -1 && nextFeed < start) nextFeed = chunk.indexOf(FEED, start);
      if (nextReturn !== -1 && nextReturn < start) nextReturn = chunk.indexOf(RETURN, start);
      const end = nextReturn === -1 || (nextFeed !== -1 && nextFeed < nextReturn) ? nextFeed : nextReturn;
      if (end === -1) {
        this.#keepPart(chunk, start, chunk.length);
        return undefined;
      }
      this.#offset = end + 1;
      this.#isAfterReturn = end === nextReturn;
      const event = this.#endLine(chunk, start, end);
      if (event) return event;
    }
    return undefined;
  }

  /** One byte order mark at the very start is no part of the text. */
  #skipMark(chunk: Uint8Array): void {
    while (this.#markBytes < MARK.length && this.#offset < chunk.length) {
      if (chunk[this.#offset] !== MARK[this.#markBytes]) {
        // What looked like a mark was the start of the first line.
        this.#keepPart(MARK, 0, this.#markBytes);
        this.#markBytes = MARK.length;
        return;
      }
      this.#markBytes += 1;
      this.#offset += 1;
    }
  }

  #keepPart(bytes: Uint8Array, start: number, end: number): void {
    // The rest of a line that is too long need not be kept, only counted.
    const room = this.#maxBytes + MAX_FIELD_OVERHEAD - this.#lineBytes;
    if (room > 0) this.#line.append(bytes, start, Math.min(end, start + room));
    this.#lineBytes += end - start;
  }

  #endLine(chunk: Uint8Array, start: number, end: number): SseEvent | SseOversize | undefined {
    if (this.#lineBytes === 0) {
      if (start === end) return this.#dispatch();
      if (isDataField(chunk, start, end)) {
        const from = start + DATA.length + (chunk[start + DATA.length] === SPACE ? 1 : 0);
        this.#addData(() => this.#codec.utf8(chunk, from, end), end - from);
      } else {
        this.#readField(this.#codec.utf8(chunk, start, Math.min(end, start + MAX_LINE_CHARACTERS)), end - start);
      }
      return undefined;
    }
    this.#keepPart(chunk, start, end);
    const line = this.#line.take();
    const bytes = this.#lineBytes;
    this.#lineBytes = 0;
    this.#readField(line, bytes);
    return undefined;
  }

  #readField(line: string, bytes: number): void {
    const colon = line.indexOf(':');
    if (colon === 0) {
      this.#comments += 1;
      return;
    }
    const name = colon === -1 ? line : line.slice(0, colon);
    const valueStart = colon === -1 ? line.length : colon + (line.charCodeAt(colon + 1) === SPACE ? 2 : 1);
    const value = line.slice(valueStart);
    if (name === 'data') this.#addData(() => value, bytes - valueStart);
    else if (name === 'event') this.#type = value;
    else if (name === 'id' && !value.includes('\0') && value.length <= MAX_ID_LENGTH) this.#pendingId = value;
    else if (name === 'retry' && /^[0-9]{1,9}$/.test(value)) this.#retryMs = Number(value);
  }

  #addData(read: () => string, bytes: number): void {
    this.#dataBytes += bytes + (this.#data === undefined ? 0 : 1);
    if (this.#dataBytes > this.#maxBytes) {
      this.#isOversize = true;
      this.#data = '';
      return;
    }
    this.#data = this.#data === undefined ? read() : `${this.#data}\n${read()}`;
  }

  #dispatch(): SseEvent | SseOversize | undefined {
    this.#lastEventId = this.#pendingId;
    const [data, bytes, isOversize, type] = [this.#data, this.#dataBytes, this.#isOversize, this.#type];
    this.#data = undefined;
    this.#dataBytes = 0;
    this.#isOversize = false;
    this.#type = '';
    if (isOversize) return { kind: 'oversize', bytes };
    return data === undefined ? undefined : { kind: 'event', data, type: type === '' ? 'message' : type, bytes };
  }
}

function isDataField(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < DATA.length) return false;
  for (let index = 0; index < DATA.length; index += 1) if (bytes[start + index] !== DATA[index]) return false;
  return true;
}

const FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const DATA = new TextEncoder().encode('data:');
const MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

/** What a line of data has besides the data. */
const MAX_FIELD_OVERHEAD = 16;

/** No field but `data` has a use for a longer line. */
const MAX_LINE_CHARACTERS = 64 * 1024;
