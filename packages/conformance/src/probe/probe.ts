import { type ErrorObject, type RequestId, RpcError } from '@parley/jsonrpc';
import { isRecord } from '@parley/jsonrpc/internal';
import type { CheckLimits } from '../limits.ts';
import { asRequest, fieldsOf, isResponse, keyOfId } from '../messages/message.ts';
import { type Frame, type FrameFault, type Side, Trace } from '../messages/trace.ts';
import type { Protocol } from '../versions/protocol.ts';
import type { WireWords } from '../versions/wire-words.ts';
import { wordsOf } from '../versions/words.ts';
import type { ReceivedFrame, Wire } from '../wire/wire.ts';
import type { Answer } from './answer.ts';

export interface ProbeOptions {
  readonly name: string;
  /** Which side we play. */
  readonly side: Side;
  readonly limits: CheckLimits;
  /** The version that is spoken. Default: 1. */
  readonly protocol?: Protocol;
  /** Called with each frame as it is recorded. */
  readonly onFrame?: (frame: Frame) => void;
}

/** Answers one method of the peer: a value, an `RpcError` thrown, or a promise that is never settled. */
export type Responder = (
  params: unknown,
  request: { readonly id: RequestId; readonly frame: Frame; readonly probe: Probe },
) => unknown;

export interface ProbeRequestOptions {
  readonly timeoutMs?: number;
  readonly id?: RequestId;
}

/** A request that is under way. */
export interface SentRequest {
  readonly id: RequestId;
  readonly answer: Promise<Answer>;
}

/** A method that no peer knows: whoever follows JSON-RPC answers it at once, with an error. */
export const PING_METHOD = '_parley/ping';

/** One wire to the peer under test, with everything that crosses it on record. It repairs nothing and hides nothing. */
export class Probe {
  readonly wire: Wire;
  readonly trace: Trace;
  readonly side: Side;
  readonly limits: CheckLimits;
  readonly words: WireWords;

  readonly #responders = new Map<string, Responder>();
  readonly #pending = new Map<string, (frame: Frame) => void>();
  readonly #watchers = new Set<(frame: Frame) => void>();
  #nextId = 0;
  #answersPing: boolean | undefined;

  constructor(wire: Wire, { name, side, limits, protocol = 1, onFrame }: ProbeOptions) {
    this.wire = wire;
    this.words = wordsOf(protocol);
    this.side = side;
    this.limits = limits;
    this.trace = new Trace(name, onFrame);
    wire.onFrame((frame) => this.#receive(frame));
  }

  /** Sends text as one frame, whatever it is. */
  sendText(text: string): Frame {
    const frame = this.trace.add(this.side, text, { bytes: Buffer.byteLength(text), value: parseJson(text).value });
    this.wire.sendFrame(text);
    return frame;
  }

  /** Sends a value as it is, with no `jsonrpc` or `id` added. */
  send(value: unknown): Frame {
    return this.sendText(JSON.stringify(value));
  }

  notify(method: string, params?: unknown): Frame {
    return this.send({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
  }

  request(method: string, params?: unknown, options: ProbeRequestOptions = {}): Promise<Answer> {
    return this.begin(method, params, options).answer;
  }

  /** Sends a request without waiting for its answer. */
  begin(method: string, params?: unknown, options: ProbeRequestOptions = {}): SentRequest {
    const { id = this.#nextId++ } = options;
    const answer = this.awaitAnswer(id, options.timeoutMs);
    this.send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    return { id, answer };
  }

  /** The id of the latest request that was given one by the probe. */
  get lastId(): number {
    return this.#nextId - 1;
  }

  /** Waits for the response with this id. */
  awaitAnswer(id: RequestId, timeoutMs: number = this.limits.answerMs): Promise<Answer> {
    const startedAt = performance.now();
    const key = keyOfId(id);
    return new Promise((resolve) => {
      const finish = (answer: Answer): void => {
        clearTimeout(timer);
        this.#pending.delete(key);
        resolve(answer);
      };
      const timer = setTimeout(() => finish({ kind: 'silence', afterMs: timeoutMs }), timeoutMs);
      this.#pending.set(key, (frame) => {
        const { result, error } = fieldsOf(frame.value);
        const afterMs = performance.now() - startedAt;
        const hasError = isRecord(error);
        finish(
          hasError
            ? { kind: 'error', error: error as unknown as ErrorObject, frame, afterMs }
            : { kind: 'result', result, frame, afterMs, reader: this.words },
        );
      });
      void this.wire.ended.then(({ how }) => finish({ kind: 'ended', how, stderr: this.wire.stderr }));
    });
  }

  /** Answers a method of the peer from now on; undefined takes the answer away. Others get -32601. */
  respond(method: string, responder: Responder | undefined): void {
    if (responder) this.#responders.set(method, responder);
    else this.#responders.delete(method);
  }

  /** Answers a method differently for as long as `work` takes. */
  async respondDuring<Value>(method: string, responder: Responder, work: () => Promise<Value>): Promise<Value> {
    const usual = this.#responders.get(method);
    this.respond(method, responder);
    try {
      return await work();
    } finally {
      this.respond(method, usual);
    }
  }

  /** The first frame from the peer, among those after the first `since`, that fits; undefined if none comes in time. */
  waitFor(
    fits: (frame: Frame) => boolean,
    { timeoutMs = this.limits.answerMs, since = 0 }: { readonly timeoutMs?: number; readonly since?: number } = {},
  ): Promise<Frame | undefined> {
    const known = this.received(since).find(fits);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => {
      const finish = (frame: Frame | undefined): void => {
        clearTimeout(timer);
        this.#watchers.delete(watch);
        resolve(frame);
      };
      const watch = (frame: Frame): void => {
        if (fits(frame)) finish(frame);
      };
      const timer = setTimeout(() => finish(undefined), timeoutMs);
      this.#watchers.add(watch);
      void this.wire.ended.then(() => finish(undefined));
    });
  }

  /** Frames from the peer after the first `count` of the trace. */
  received(count: number): readonly Frame[] {
    return this.trace.since(count).filter(({ from }) => from !== this.side);
  }

  /** Waits until the peer has dealt with everything sent so far, as far as one can tell from outside. */
  async settle(): Promise<void> {
    await this.ping();
    await sleep(this.limits.quietMs);
  }

  /** Whether the peer still answers. */
  async ping(): Promise<boolean> {
    if (this.wire.isEnded) return false;
    if (this.#answersPing !== false) {
      const answer = await this.request(PING_METHOD, {}, { timeoutMs: Math.min(2000, this.limits.answerMs) });
      if (answer.kind === 'result' || answer.kind === 'error') {
        this.#answersPing = true;
        return true;
      }
      this.#answersPing ??= false;
      return false;
    }
    return !this.wire.isEnded;
  }

  close(): Promise<void> {
    return this.wire.close();
  }

  #receive(received: ReceivedFrame): void {
    const { value, fault } = readFrame(received);
    const from = this.side === 'client' ? 'agent' : 'client';
    const frame = this.trace.add(from, received.text, {
      bytes: received.bytes,
      ...(value === undefined ? {} : { value }),
      ...(fault === undefined ? {} : { fault }),
    });
    for (const watch of [...this.#watchers]) watch(frame);
    const request = asRequest(frame);
    if (request) void this.#answer(request, frame);
    else if (isResponse(frame)) this.#pending.get(keyOfId(fieldsOf(value).id))?.(frame);
  }

  async #answer(
    { id, method, params }: { id: RequestId; method: string; params: unknown },
    frame: Frame,
  ): Promise<void> {
    const responder = this.#responders.get(method);
    try {
      if (!responder) throw RpcError.methodNotFound(method);
      const result = await responder(params, { id, frame, probe: this });
      this.send({ jsonrpc: '2.0', id, result: result === undefined ? {} : result });
    } catch (error) {
      const told = error instanceof RpcError ? error : RpcError.internalError(String(error));
      this.send({ jsonrpc: '2.0', id, error: told.toJSON() });
    }
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function readFrame({ text, isUtf8, isTerminated }: ReceivedFrame): { value?: unknown; fault?: FrameFault } {
  const parsed = parseJson(text);
  if (!parsed.isJson) return { fault: /^\s*[[{]/.test(text) ? 'torn' : 'noise' };
  if (!isUtf8) return { value: parsed.value, fault: 'encoding' };
  return isTerminated ? { value: parsed.value } : { value: parsed.value, fault: 'unterminated' };
}

function parseJson(text: string): { readonly isJson: boolean; readonly value?: unknown } {
  try {
    return { isJson: true, value: JSON.parse(text) as unknown };
  } catch {
    return { isJson: false };
  }
}
