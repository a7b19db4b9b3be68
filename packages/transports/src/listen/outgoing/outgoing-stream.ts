import { Buffer } from 'node:buffer';
import { EVENT_STREAM_TYPE } from '../../network/headers.ts';
import { encodeSseComment, encodeSseEnd, encodeSseOpening } from '../../network/sse-encoder.ts';
import { cutResponse, type HttpResponse, isGone } from '../server/exchange.ts';
import { EventLog, type EventLogLimits } from './event-log.ts';

export interface OutgoingStreamOptions extends EventLogLimits {
  /** The first bytes of each response. */
  readonly greeting?: string;
  readonly keepAliveMs: number;
  /** A reader that takes nothing for this long, while something waits for it, is dropped. */
  readonly stallMs: number;
  /** Something has left the queue, or a reader has come or gone. */
  readonly onChange: () => void;
}

/** What is written at once. A larger event goes in pieces, so that it shows whether its reader takes any of them. */
const PIECE_CHARACTERS = 64 * 1024;
const PIECE_BYTES = 64 * 1024;

/**
 * One event stream to a client, over as many responses as it takes: what is sent while none is attached waits, the newest
 * response takes the place of the older, and one that names the last event it has goes on right after it.
 */
export class OutgoingStream {
  readonly #options: OutgoingStreamOptions;
  readonly #log: EventLog;
  #response: HttpResponse | undefined;
  /** The pieces of a large event that are still to be written. */
  #rest: Buffer | undefined;
  #isScheduled = false;
  #isBlocked = false;
  /** When something was last written, or the reader last took something. */
  #movedAt = 0;
  /** The last event that has left this process. */
  #lastWritten = 0;
  #waits: { readonly until: number; readonly release: () => void }[] = [];

  constructor(options: OutgoingStreamOptions) {
    this.#options = options;
    this.#log = new EventLog(options);
  }

  get isAttached(): boolean {
    return this.#response !== undefined;
  }

  get unsentBytes(): number {
    return this.#log.unsentBytes + (this.#rest?.length ?? 0);
  }

  get unsentMessages(): number {
    return this.#log.unsentMessages;
  }

  push(json: string): void {
    this.#log.add(json);
    if (this.#isScheduled || !this.#response) return;
    this.#isScheduled = true;
    // Runs once the code that is sending now, with all its promises, has nothing left to do.
    process.nextTick(pump, this);
  }

  /** Makes a response the one reader. False when events after the last that it has read are gone. */
  attach(response: HttpResponse, lastRead: number | undefined): boolean {
    if (lastRead !== undefined && !this.#log.rewind(lastRead)) return false;
    if (isGone(response)) return true;
    this.#detach('replaced by a newer stream');
    this.#response = response;
    this.#isBlocked = false;
    response.on('drain', () => this.#unblock(response));
    response.on('close', () => this.#lose(response));
    response.on('error', () => this.#lose(response));
    response.writeHead(200, {
      'content-type': EVENT_STREAM_TYPE,
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    const { greeting = '' } = this.#options;
    this.#write(greeting + encodeSseOpening(String(this.#log.lastSent)));
    this.pump();
    this.#options.onChange();
    return true;
  }

  pump(): void {
    this.#isScheduled = false;
    while (this.#response && !this.#isBlocked) {
      if (this.#rest) {
        const piece = this.#rest.subarray(0, PIECE_BYTES);
        this.#rest = piece.length < this.#rest.length ? this.#rest.subarray(PIECE_BYTES) : undefined;
        this.#write(piece);
        continue;
      }
      const text = this.#log.take(PIECE_CHARACTERS);
      if (text === '') return;
      if (text.length <= PIECE_CHARACTERS) this.#write(text);
      else this.#rest = Buffer.from(text);
      this.#options.onChange();
    }
  }

  /** Keeps an idle stream alive, and drops a reader that takes nothing. */
  tick(now: number): void {
    if (!this.#response) return;
    const { keepAliveMs, stallMs } = this.#options;
    if (this.#isBlocked && now - this.#movedAt >= stallMs) cutResponse(this.#response);
    else if (!this.#isBlocked && now - this.#movedAt >= keepAliveMs) this.#write(encodeSseComment('ping'));
  }

  /** Resolves when what was pushed so far has left this process, or never will. */
  whenSent(): Promise<void> {
    const until = this.#log.lastAdded;
    if (this.#lastWritten >= until) return Promise.resolve();
    return new Promise((release) => this.#waits.push({ until, release }));
  }

  /** Nothing more will be sent. Tells a reader that has everything that this is the end; resolves when that has left, or cannot. */
  async end(timeoutMs: number): Promise<void> {
    if (this.unsentBytes > 0) return this.fail('the connection is over');
    const response = this.#response;
    if (response) {
      this.#write(encodeSseEnd());
      this.#lose(response);
      await finish(response, timeoutMs);
    }
    this.#releaseAll();
  }

  /** Ends without the event that says that all is well. */
  fail(why: string): void {
    this.#detach(why);
    this.#releaseAll();
  }

  #write(data: string | Buffer): void {
    const sent = this.#rest ? this.#log.lastSent - 1 : this.#log.lastSent;
    this.#movedAt = Date.now();
    if (!this.#response) return;
    const hasRoom = writeTo(this.#response, data, (error) => {
      if (!error) this.#settle(sent);
    });
    if (hasRoom === false) this.#isBlocked = true;
  }

  #settle(sent: number): void {
    if (sent <= this.#lastWritten) return;
    this.#lastWritten = sent;
    while (this.#waits[0] && this.#waits[0].until <= sent) this.#waits.shift()?.release();
  }

  #unblock(response: HttpResponse): void {
    if (this.#response !== response) return;
    this.#isBlocked = false;
    this.#movedAt = Date.now();
    this.pump();
  }

  #detach(why: string): void {
    const response = this.#response;
    if (!response) return;
    const isStuck = this.#isBlocked;
    if (!isStuck) this.#write(encodeSseComment(why));
    this.#lose(response);
    if (isStuck) cutResponse(response);
    else response.end();
  }

  #releaseAll(): void {
    for (const { release } of this.#waits.splice(0)) release();
  }

  /** An event of which a part is under way begins anew with the next reader. */
  #lose(response: HttpResponse): void {
    if (this.#response !== response) return;
    this.#response = undefined;
    if (this.#rest) this.#log.rewind(this.#log.lastSent - 1);
    this.#rest = undefined;
    this.#options.onChange();
  }
}

/** The same call on both kinds of response, whose types differ. */
function writeTo(response: HttpResponse, data: string | Buffer, done: (error?: Error | null) => void): boolean {
  return 'stream' in response ? response.write(data, done) : response.write(data, done);
}

/** Ends a response, and resolves when its reader has all of it; cuts it when that takes too long. */
function finish(response: HttpResponse, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => cutResponse(response), timeoutMs);
    response.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    response.end();
  });
}

function pump(stream: OutgoingStream): void {
  stream.pump();
}
