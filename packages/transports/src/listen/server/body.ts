import { isUtf8 } from 'node:buffer';
import { describeSyntaxError } from '../../framing/describe-syntax-error.ts';
import { isNestedDeeperThan } from '../../framing/nesting.ts';
import { isContentType, JSON_TYPE } from '../../network/headers.ts';
import { nodeTextCodec } from '../../stream/node-text-codec.ts';
import type { ListenLimits } from '../limits.ts';
import { type HttpRequest, headerOf, type Refusal } from './exchange.ts';

/** A JSON object that came as the body of a POST, and how long it was. */
export interface PostedMessage {
  readonly message: Readonly<Record<string, unknown>>;
  readonly bytes: number;
}

/** The message in a body, or why it is none. Checked in the order of the official SDK: type, size, JSON, batch, object. */
export async function readMessage(request: HttpRequest, limits: ListenLimits): Promise<PostedMessage | Refusal> {
  if (!isContentType(headerOf(request, 'content-type'), JSON_TYPE)) {
    return { status: 415, message: `Unsupported Media Type: send ${JSON_TYPE}` };
  }
  const body = await readBody(request, limits);
  if ('status' in body) return body;
  if (!isUtf8(body)) return { status: 400, message: 'Invalid JSON: the body is not UTF-8' };
  const text = nodeTextCodec.utf8(body, 0, body.length);
  if (isNestedDeeperThan(text, limits.maxDepth)) {
    return { status: 413, message: `A message may be nested ${limits.maxDepth} levels deep` };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { status: 400, message: `Invalid JSON: ${describeSyntaxError(error)}` };
  }
  if (Array.isArray(value)) return BATCH;
  if (typeof value !== 'object' || value === null) return { status: 400, message: 'Invalid JSON-RPC message' };
  const message = value as Record<string, unknown>;
  return refuseId(message.id, limits) ?? { message, bytes: body.length };
}

/** An answer could not name an id of another type, so whoever waits for it would wait for ever. */
function refuseId(id: unknown, { maxIdLength }: ListenLimits): Refusal | undefined {
  if (typeof id === 'number' && Number.isInteger(id) && !Number.isSafeInteger(id))
    return { status: 400, message: 'Invalid JSON-RPC message: an id beyond 2^53 - 1 cannot be answered exactly' };
  if (id === undefined || id === null || typeof id === 'number') return undefined;
  if (typeof id !== 'string')
    return { status: 400, message: 'Invalid JSON-RPC message: an id is a string or a number' };
  return id.length > maxIdLength ? { status: 400, message: `An id may have ${maxIdLength} characters` } : undefined;
}

export function isRefusal(result: PostedMessage | Refusal): result is Refusal {
  return 'status' in result;
}

/** ACP has no batches, and its RFD for HTTP answers them with 501. This refusal is a JSON-RPC response, since a client that sends one waits for that. */
const BATCH: Refusal = {
  status: 501,
  message: JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32600, message: 'JSON-RPC batches are not supported' },
  }),
  isJson: true,
};

/** Reads a body up to the limit. A larger one is refused as soon as that is known, and what still comes is passed over. */
function readBody(request: HttpRequest, { maxBodyBytes, requestTimeoutMs }: ListenLimits): Promise<Buffer | Refusal> {
  const tooLarge = { status: 413, message: `A message may have ${maxBodyBytes} bytes` };
  if (Number(headerOf(request, 'content-length')) > maxBodyBytes) {
    passOver(request, 2 * maxBodyBytes);
    return Promise.resolve(tooLarge);
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => settle(TOO_SLOW), requestTimeoutMs);
    const settle = (result: Buffer | Refusal): void => {
      clearTimeout(timer);
      request.off('data', take);
      if ('status' in result) passOver(request, 2 * maxBodyBytes);
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBodyBytes) settle(tooLarge);
    };
    request.on('data', take);
    request.once('end', () => settle(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes)));
    request.once('close', () => settle(ABORTED));
    request.once('error', () => settle(ABORTED));
  });
}

/** The rest of the body is not waited for: the socket ends with the answer. */
const TOO_SLOW: Refusal = { status: 408, message: 'The body took too long to arrive', isLast: true };

/** Nobody is left to read it; the number is what servers log for it. */
const ABORTED: Refusal = { status: 499, message: 'The request was aborted' };

/** Lets a client that writes before it reads come to its answer; one that goes on and on is cut off. */
function passOver(request: HttpRequest, maxBytes: number): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) request.destroy();
  });
  request.on('error', () => {});
}
