/**
 * The Web-standard globals that platform-neutral packages may use. Every runtime we support (Node, browsers, workers)
 * has them; nothing else is in scope there, so the compiler keeps `node:*` and the DOM out.
 */

interface EventTarget {
  addEventListener(
    type: string,
    listener: (event: never) => void,
    options?: { once?: boolean; signal?: AbortSignal },
  ): void;
  removeEventListener(type: string, listener: (event: never) => void): void;
}

interface AbortSignal extends EventTarget {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
}
declare var AbortSignal: {
  prototype: AbortSignal;
  abort(reason?: unknown): AbortSignal;
  any(signals: Iterable<AbortSignal>): AbortSignal;
  timeout(milliseconds: number): AbortSignal;
};

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare var AbortController: { prototype: AbortController; new (): AbortController };

interface DOMException extends Error {
  readonly code: number;
}
declare var DOMException: { prototype: DOMException; new (message?: string, name?: string): DOMException };

interface TextEncoder {
  encode(input?: string): Uint8Array;
}
declare var TextEncoder: { prototype: TextEncoder; new (): TextEncoder };

interface TextDecoder {
  decode(input?: Uint8Array, options?: { stream?: boolean }): string;
}
declare var TextDecoder: {
  prototype: TextDecoder;
  new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder;
};

interface URL {
  readonly href: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly username: string;
  readonly password: string;
  readonly search: string;
  readonly origin: string;
}
declare var URL: { prototype: URL; new (url: string, base?: string | URL): URL; canParse(url: string): boolean };

interface ReadableStreamDefaultReader<R> {
  read(): Promise<{ done: false; value: R } | { done: true; value?: undefined }>;
  cancel(reason?: unknown): Promise<void>;
  releaseLock(): void;
}
interface ReadableStream<R> {
  getReader(): ReadableStreamDefaultReader<R>;
}
interface ReadableStreamDefaultController<R> {
  readonly desiredSize: number | null;
  enqueue(chunk: R): void;
  close(): void;
  error(reason?: unknown): void;
}
declare var ReadableStream: {
  new <R>(source: {
    start?(controller: ReadableStreamDefaultController<R>): void | Promise<void>;
    pull?(controller: ReadableStreamDefaultController<R>): void | Promise<void>;
    cancel?(reason?: unknown): void | Promise<void>;
  }): ReadableStream<R>;
};

interface WritableStreamDefaultWriter<W> {
  readonly ready: Promise<void>;
  readonly closed: Promise<void>;
  readonly desiredSize: number | null;
  write(chunk: W): Promise<void>;
  close(): Promise<void>;
  abort(reason?: unknown): Promise<void>;
  releaseLock(): void;
}
interface WritableStream<W> {
  getWriter(): WritableStreamDefaultWriter<W>;
}
declare var WritableStream: {
  new <W>(sink: {
    write?(chunk: W): void | Promise<void>;
    close?(): void | Promise<void>;
    abort?(reason?: unknown): void | Promise<void>;
  }): WritableStream<W>;
};

declare var crypto: {
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
  getRandomValues<T extends Uint8Array>(array: T): T;
};
declare var performance: { now(): number };

declare function structuredClone<T>(value: T): T;
declare function queueMicrotask(callback: () => void): void;
declare function setTimeout(callback: () => void, milliseconds?: number): unknown;
declare function clearTimeout(handle: unknown): void;
declare function setInterval(callback: () => void, milliseconds?: number): unknown;
declare function clearInterval(handle: unknown): void;
declare function atob(data: string): string;
declare function btoa(data: string): string;
