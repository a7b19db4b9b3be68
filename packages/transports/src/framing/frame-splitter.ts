import type { TransportFault } from '@parley/jsonrpc';
import { type Framing, MAX_BODY_BYTES, MAX_HEADER_BYTES, type WireFraming } from './framing.ts';
import { isHeaderLine, parseContentLength, searchContentLength } from './headers.ts';
import { PartialText } from './partial-text.ts';
import type { TextCodec } from './text-codec.ts';

export interface FrameSplitterOptions {
  readonly framing: Framing;
  readonly maxMessageBytes: number;
  readonly codec: TextCodec;
}

/** Cuts bytes into the text of frames, whatever the chunks they arrive in. */
export class FrameSplitter {
  readonly #codec: TextCodec;
  readonly #maxBytes: number;
  readonly #readsLines: boolean;
  readonly #readsHeaders: boolean;

  readonly #waiting: Uint8Array[] = [];
  #chunk: Uint8Array = NOTHING;
  /** The chunk as text if it is all ASCII: then cutting a line out of it takes no call into native code. */
  #text: string | undefined;
  #isTextKnown = false;
  #offset = 0;
  #isEnding = false;
  #isAtStart = true;

  /** The frame that began in an earlier chunk. */
  readonly #partial: PartialText;
  #partialBytes = 0;
  /** The rest of a line or body that was refused for its size is passed over without being kept. */
  #isSkipping = false;

  /** The size of the header block being read; 0 outside one. */
  #headerBytes = 0;
  #contentLength: number | undefined;
  #bodyBytesLeft = 0;

  /** The size of the frame that `next` returned last. */
  frameBytes = 0;
  /** How the frame that `next` returned last was told apart. */
  frameKind: WireFraming = 'newline';

  constructor(options: FrameSplitterOptions) {
    this.#codec = options.codec;
    this.#maxBytes = options.maxMessageBytes;
    this.#readsLines = options.framing !== 'content-length';
    this.#readsHeaders = options.framing !== 'newline';
    this.#partial = new PartialText(options.codec);
  }

  push(chunk: Uint8Array): void {
    this.#waiting.push(chunk);
  }

  /** Says that no more bytes will come, so that what is left is the last frame. */
  end(): void {
    this.#isEnding = true;
  }

  /** The next frame's text, or what was wrong with it; undefined when more bytes are needed. */
  next(): string | TransportFault | undefined {
    for (;;) {
      if (this.#offset === this.#chunk.length && !this.#nextChunk()) return this.#isEnding ? this.#last() : undefined;
      const frame = this.#bodyBytesLeft > 0 ? this.#readBody() : this.#readLine();
      if (frame !== undefined) return frame;
    }
  }

  #nextChunk(): boolean {
    const chunk = this.#waiting.shift();
    this.#chunk = chunk ?? NOTHING;
    this.#text = undefined;
    this.#isTextKnown = false;
    this.#offset = 0;
    return chunk !== undefined;
  }

  #readLine(): string | TransportFault | undefined {
    if (this.#isSkipping) return this.#skipLine();
    if (this.#partialBytes > 0) return this.#readRestOfLine();
    if (!this.#isTextKnown) this.#readText();
    const start = this.#offset;
    const end = this.#text === undefined ? this.#chunk.indexOf(NEWLINE, start) : this.#text.indexOf('\n', start);
    if (end === -1 || end - start > this.#maxBytes) return this.#readRestOfLine();
    this.#offset = end + 1;
    this.frameBytes = end - start;
    const line = this.#slice(start, end);
    // A line that opens an object is a message; everything else takes the slower look.
    if (this.#chunk[start] !== OPEN_CURLY || this.#headerBytes > 0 || !this.#readsLines) return this.#sortLine(line);
    this.#isAtStart = false;
    this.frameKind = 'newline';
    return line;
  }

  #readText(): void {
    this.#text = this.#codec.ascii(this.#chunk);
    this.#isTextKnown = true;
  }

  /** Reads a line that does not lie whole in this chunk, or is too long: that is told at once, not when its end comes. */
  #readRestOfLine(): string | TransportFault | undefined {
    const start = this.#offset;
    const newline = this.#chunk.indexOf(NEWLINE, start);
    const end = newline === -1 ? this.#chunk.length : newline;
    if (this.#partialBytes + end - start > this.#maxBytes) return this.#refuseLine();
    this.#keep(start, end);
    if (newline === -1) return undefined;
    this.#offset = newline + 1;
    return this.#sortLine(this.#takeKept());
  }

  #refuseLine(): TransportFault {
    this.#dropKept();
    this.#headerBytes = 0;
    this.#contentLength = undefined;
    this.#isAtStart = false;
    this.#isSkipping = true;
    this.frameBytes = this.#maxBytes + 1;
    this.frameKind = 'newline';
    return this.#fault('message_too_large', `more than ${this.#maxBytes} bytes without a line end`);
  }

  #skipLine(): undefined {
    const newline = this.#chunk.indexOf(NEWLINE, this.#offset);
    this.#offset = newline === -1 ? this.#chunk.length : newline + 1;
    this.#isSkipping = newline === -1;
  }

  #slice(start: number, end: number): string {
    return this.#text === undefined ? this.#codec.utf8(this.#chunk, start, end) : this.#text.slice(start, end);
  }

  #keep(start: number, end: number): void {
    this.#offset = end;
    this.#partialBytes += end - start;
    this.#partial.append(this.#chunk, start, end);
  }

  #takeKept(): string {
    this.frameBytes = this.#partialBytes;
    this.#partialBytes = 0;
    return this.#partial.take();
  }

  #dropKept(): void {
    this.#partial.clear();
    this.#partialBytes = 0;
  }

  /** Tells messages, headers and blank lines apart. */
  #sortLine(line: string): string | TransportFault | undefined {
    const text = this.#isAtStart && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
    this.#isAtStart = false;
    if (this.#headerBytes > 0 || (this.#readsHeaders && isHeaderLine(text))) return this.#readHeader(text);
    if (isBlank(text)) return undefined;
    this.frameKind = 'newline';
    return this.#readsLines ? text : this.#resynchronise(text);
  }

  #readHeader(line: string): string | TransportFault | undefined {
    this.#headerBytes += this.frameBytes + 1;
    if (this.#headerBytes > MAX_HEADER_BYTES) return this.#refuseHeader(`headers above ${MAX_HEADER_BYTES} bytes`);
    if (isBlank(line)) return this.#endHeader();
    const length = parseContentLength(line);
    if (length === 'malformed') return this.#refuseHeader('a header line that cannot be understood');
    this.#contentLength = length ?? this.#contentLength;
    return undefined;
  }

  #endHeader(): string | TransportFault | undefined {
    const length = this.#contentLength;
    if (length === undefined) return this.#refuseHeader('headers without Content-Length');
    this.#headerBytes = 0;
    this.#contentLength = undefined;
    this.frameKind = 'content-length';
    this.frameBytes = 0;
    if (length > this.#maxBytes) return this.#refuseBody(length);
    this.#bodyBytesLeft = length;
    return length === 0 ? '' : undefined;
  }

  /** Told before the body arrives. A length that no message has was not meant, so what follows is read as the next frame. */
  #refuseBody(length: number): TransportFault {
    this.#isSkipping = length <= MAX_BODY_BYTES;
    this.#bodyBytesLeft = this.#isSkipping ? length : 0;
    this.frameBytes = length;
    return this.#fault('message_too_large', `a message of ${length} bytes; the limit is ${this.#maxBytes}`);
  }

  #refuseHeader(detail: string): TransportFault {
    this.frameBytes = this.#headerBytes;
    this.frameKind = 'content-length';
    this.#headerBytes = 0;
    this.#contentLength = undefined;
    return this.#fault('bad_frame', detail);
  }

  /** Where only headers may stand, passes over anything else; a header may follow it on the same line. */
  #resynchronise(line: string): TransportFault {
    const header = searchContentLength(line);
    if (header === undefined) return this.#fault('bad_frame', 'a line that is not a header');
    const lineBytes = this.frameBytes;
    this.frameBytes = header.length;
    const headerFault = this.#readHeader(header);
    this.frameBytes = lineBytes - header.length;
    return typeof headerFault === 'object' ? headerFault : this.#fault('bad_frame', 'something before a header');
  }

  #readBody(): string | undefined {
    const start = this.#offset;
    const end = Math.min(start + this.#bodyBytesLeft, this.#chunk.length);
    this.#bodyBytesLeft -= end - start;
    if (this.#isSkipping) {
      this.#offset = end;
      this.#isSkipping = this.#bodyBytesLeft > 0;
      return undefined;
    }
    this.frameKind = 'content-length';
    if (this.#partialBytes > 0 || this.#bodyBytesLeft > 0) {
      this.#keep(start, end);
      return this.#bodyBytesLeft === 0 ? this.#takeKept() : undefined;
    }
    this.#offset = end;
    this.frameBytes = end - start;
    return this.#slice(start, end);
  }

  /** The unterminated last line, or what the end has cut off; of what was refused, all has been said. */
  #last(): string | TransportFault | undefined {
    if (this.#isSkipping) {
      this.#isSkipping = false;
      this.#bodyBytesLeft = 0;
    }
    const line = this.#partialBytes > 0 && this.#bodyBytesLeft === 0 ? this.#takeKept() : undefined;
    return (line === undefined ? undefined : this.#sortLine(line)) ?? this.#refuseCutFrame();
  }

  #refuseCutFrame(): TransportFault | undefined {
    if (this.#headerBytes > 0) return this.#refuseHeader('the input ended inside the headers');
    if (this.#bodyBytesLeft === 0) return undefined;
    this.frameBytes = this.#partialBytes;
    this.#bodyBytesLeft = 0;
    this.#dropKept();
    return this.#fault('bad_frame', 'the input ended inside a message');
  }

  #fault(kind: TransportFault['kind'], detail: string): TransportFault {
    return { kind, detail, bytes: this.frameBytes };
  }
}

const NOTHING = new Uint8Array(0);
const NEWLINE = 0x0a;
const OPEN_CURLY = 0x7b;
const BYTE_ORDER_MARK = '\uFEFF';

/** Holds nothing but JSON's white space; `trim` would take away more. */
function isBlank(line: string): boolean {
  return /^[ \t\r\n]*$/.test(line);
}
