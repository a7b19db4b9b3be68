import { pause } from '@parley/jsonrpc/internal';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../../framing/framing.ts';
import { EVENT_STREAM_TYPE, HEADERS, isContentType } from '../headers.ts';
import type { Inbox } from '../inbox.ts';
import { NetworkError } from '../network-error.ts';
import { pauseBefore } from '../redial.ts';
import { SSE_END } from '../sse-encoder.ts';
import { type SseEvent, type SseOversize, SseParser } from '../sse-parser.ts';
import type { HttpResponse } from './platform.ts';
import type { Requester } from './requester.ts';

export interface EventStreamOptions {
  readonly requester: Requester;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Takes the messages; while it is held, nothing is read. */
  readonly inbox: Inbox;
  readonly connectTimeoutMs: number;
  /** How long a stream that was cut is dialled again. */
  readonly resumeMs: number;
  /** A server that sends keep-alive comments and is then silent for this long is taken for dead. */
  readonly silenceMs: number;
  readonly maxMessageBytes?: number | undefined;
  /** The server has opened the stream for the first time. */
  readonly onOpen?: () => void;
  /** The server has ended the connection in good order. */
  readonly onEnd: () => void;
  /** The stream ended, and nobody can tell whether something was lost. `isClean` when the server did not just vanish. */
  readonly onLost: (error: NetworkError, isClean: boolean) => void;
}

type Reading = { readonly kind: 'over' | 'ended' } | { readonly kind: 'cut'; readonly error: NetworkError };

/** Reads one event stream; when it is cut, goes on after the last event that was read, if the server numbers them. */
export class EventStream {
  /** Resolves when the server has accepted the first request. Never rejects: a failure is told to `onLost`. */
  readonly opened: Promise<void>;
  readonly #options: EventStreamOptions;
  readonly #closing = new AbortController();
  #dialling: AbortController | undefined;
  #lastEventId = '';
  #wasOpen = false;
  /** An event came since the last dial, so the next dial is a first try again. */
  #hasMoved = false;
  #setOpen = (): void => {};

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.opened = new Promise((resolve) => {
      this.#setOpen = resolve;
    });
    void this.#run().finally(() => this.#setOpen());
  }

  close(): void {
    this.#closing.abort();
    this.#dialling?.abort();
  }

  async #run(): Promise<void> {
    const { onEnd, onLost, resumeMs } = this.#options;
    let [attempt, cutAt, isClean] = [0, 0, false];
    let lost: NetworkError | undefined;
    while (!this.#closing.signal.aborted) {
      const controller = new AbortController();
      this.#dialling = controller;
      try {
        const response = await this.#dial(controller);
        if (!this.#wasOpen) this.#options.onOpen?.();
        this.#wasOpen = true;
        this.#setOpen();
        const reading = await this.#read(response, controller);
        if (this.#closing.signal.aborted) return;
        if (reading.kind === 'over') return onEnd();
        isClean = reading.kind === 'ended';
        lost = reading.kind === 'cut' ? reading.error : this.#endedError();
        if (this.#hasMoved || attempt === 0) [attempt, cutAt] = [0, performance.now()];
        this.#hasMoved = false;
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        const failure = this.#options.requester.explain(error, controller);
        if (lost && isClean && failure.status === 404) return onEnd();
        if (!lost || !mayPass(failure)) return onLost(failure, false);
        if (failure.kind === 'timeout') this.#options.requester.renewSockets();
        lost = failure;
      }
      if (this.#lastEventId === '' || performance.now() - cutAt > resumeMs) return onLost(lost, isClean);
      await pause(pauseBefore(attempt), this.#closing.signal);
      attempt += 1;
    }
  }

  async #dial(controller: AbortController): Promise<HttpResponse> {
    const { requester, url, headers, connectTimeoutMs } = this.#options;
    const resume = this.#lastEventId === '' ? {} : { [HEADERS.lastEventId]: this.#lastEventId };
    const response = await requester.send({
      method: 'GET',
      url,
      headers: { accept: EVENT_STREAM_TYPE, ...headers, ...resume },
      controller,
      timeoutMs: connectTimeoutMs,
    });
    const isStream = isContentType(response.headers.get('content-type'), EVENT_STREAM_TYPE);
    if (response.status !== 200 || !isStream || !response.body) {
      throw await requester.within(connectTimeoutMs, controller, () => requester.refuse(response, EVENT_STREAM_TYPE));
    }
    return response;
  }

  async #read({ body }: HttpResponse, controller: AbortController): Promise<Reading> {
    const { inbox, silenceMs, requester, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = this.#options;
    const parser = new SseParser({ maxEventBytes: maxMessageBytes });
    const reader = body?.getReader();
    let heardAt = performance.now();
    const watch = setInterval(() => {
      if (inbox.isHeld) heardAt = performance.now();
      // One may be a greeting; who has sent a second one means to go on. Who numbers events can be asked again at no loss.
      const isExpected = parser.comments > 1 || this.#lastEventId !== '';
      if (!isExpected || performance.now() - heardAt < silenceMs) return;
      const message = `The connection to ${requester.name} was lost (nothing was heard for ${silenceMs / 1000} s).`;
      controller.abort(new NetworkError({ kind: 'dropped', message }));
      // Whatever made it fall silent may have hit the sockets that are kept for later as well.
      requester.renewSockets();
    }, silenceMs / 4);
    try {
      for (;;) {
        await inbox.whenFlowing();
        const piece = await reader?.read();
        if (!piece || piece.done) return { kind: 'ended' };
        heardAt = performance.now();
        if (piece.value) parser.push(piece.value);
        for (let event = parser.next(); event; event = parser.next()) {
          if (isEnd(event)) return { kind: 'over' };
          this.#take(event, maxMessageBytes);
          this.#lastEventId = parser.lastEventId || this.#lastEventId;
        }
        this.#lastEventId = parser.lastEventId || this.#lastEventId;
      }
    } catch (error) {
      return { kind: 'cut', error: requester.explain(error, controller) };
    } finally {
      clearInterval(watch);
      void reader?.cancel().catch(() => {});
    }
  }

  #take(event: SseEvent | SseOversize, maxBytes: number): void {
    this.#hasMoved = true;
    const { inbox } = this.#options;
    if (event.kind === 'oversize') {
      const detail = `a message of more than ${maxBytes} bytes`;
      inbox.takeFault({ kind: 'message_too_large', detail, bytes: event.bytes });
    } else if (event.type === 'message') inbox.take(event.data, event.bytes);
  }

  #endedError(): NetworkError {
    const message = `The connection to ${this.#options.requester.name} was lost (the server ended the stream).`;
    return new NetworkError({ kind: 'dropped', message });
  }
}

/** A server that is being restarted may be back soon; one that says no will say it again. */
function mayPass({ status }: NetworkError): boolean {
  return status === undefined || status === 429 || status >= 502;
}

function isEnd(event: SseEvent | SseOversize): boolean {
  return event.kind === 'event' && event.type === SSE_END && event.data === '';
}
