import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { FakeEvent, FakeStopReason, StreamReply } from './script.ts';
import type { FakeToolCall, FakeUsage, FakeWire, WholeAnswer, WireEvent, WireWriter } from './wires/wire.ts';

export interface PlayOptions {
  readonly response: ServerResponse;
  readonly wire: FakeWire;
  readonly model: string;
  readonly reply: StreamReply;
  readonly nextCallId: () => string;
}

const DEFAULT_CHUNK_CHARS = 12;
const DEFAULT_HUGE_CHUNK_CHARS = 4_096;

/** Streams a reply in the words of one wire format, misbehaviour included. Returns when it is over or the client left. */
export async function playReply({ response, wire, model, reply, nextCallId }: PlayOptions): Promise<void> {
  const writer = wire.createWriter(model);
  const events = withCallIds(reply.events, nextCallId);
  const usage = usageOf(events);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  const send = createSender(response, reply);
  await send(writer.open(usage));
  for (const event of events) {
    if (response.destroyed) return;
    const isOver = await playEvent(event, { response, writer, send });
    if (isOver) return;
  }
  await send(writer.close(stopReasonOf(events), reply.omitUsage ? undefined : usage));
  response.end();
}

/** The same reply for a request that does not stream; misbehaviour other than text is left out. */
export function wholeReply(reply: StreamReply, nextCallId: () => string): WholeAnswer {
  const events = withCallIds(reply.events, nextCallId);
  const join = (type: 'text' | 'thought'): string =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  return {
    text: join('text'),
    thought: join('thought'),
    calls: events.filter((event) => event.type === 'tool_call').map(callOf),
    reason: stopReasonOf(events),
    usage: usageOf(events),
  };
}

type Send = (events: readonly WireEvent[]) => Promise<void>;

interface Stage {
  readonly response: ServerResponse;
  readonly writer: WireWriter;
  readonly send: Send;
}

/** Plays one event; true when the answer ends with it. */
async function playEvent(event: FakeEvent, { response, writer, send }: Stage): Promise<boolean> {
  switch (event.type) {
    case 'text':
      for (const piece of cut(event.text, event.chunkChars ?? DEFAULT_CHUNK_CHARS)) {
        await send(writer.text(piece, event.phase));
        if (event.delayMs !== undefined) await wait(event.delayMs);
      }
      return false;
    case 'thought':
      await send(writer.thought(event.text, event.signature));
      return false;
    case 'tool_call': {
      const call = callOf(event);
      await send(writer.toolCall(call, cut(call.argumentText, event.chunkChars ?? DEFAULT_CHUNK_CHARS)));
      return false;
    }
    case 'huge':
      await playHuge(event, { response, writer, send });
      return false;
    case 'wait':
      await wait(event.ms);
      return false;
    case 'comment':
      await write(response, `: ${event.text ?? 'keep-alive'}\n\n`);
      return false;
    case 'nonsense':
      await write(response, Buffer.alloc(event.bytes ?? 64, 0xff));
      await write(response, '\n\n');
      return false;
    case 'invalid_json':
      await write(response, 'data: {"this is": not json\n\n');
      return false;
    case 'error':
      await send(writer.error(event.kind, event.message ?? `scripted ${event.kind}`));
      response.end();
      return true;
    case 'end_early':
      response.end();
      return true;
    case 'cut':
      await flush(response);
      response.destroy();
      return true;
    case 'stall':
      return true;
    case 'usage':
    case 'stop':
      return false;
  }
}

async function playHuge(event: Extract<FakeEvent, { type: 'huge' }>, stage: Stage): Promise<void> {
  const size = event.chunkChars ?? DEFAULT_HUGE_CHUNK_CHARS;
  for (let sent = 0; sent < event.chars && !stage.response.destroyed; sent += size) {
    await stage.send(stage.writer.text('x'.repeat(Math.min(size, event.chars - sent))));
  }
}

function createSender(response: ServerResponse, { newline = '\n', pieceBytes }: StreamReply): Send {
  return async (events) => {
    const text = events
      .map(
        ({ event, data }) =>
          `${event === undefined ? '' : `event: ${event}${newline}`}data: ${data}${newline}${newline}`,
      )
      .join('');
    if (text === '') return;
    const bytes = Buffer.from(text);
    const size = pieceBytes ?? bytes.length;
    for (let start = 0; start < bytes.length; start += size) await write(response, bytes.subarray(start, start + size));
  };
}

/** What was said before the cut has really left. */
async function flush(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    if (response.socket === null || response.destroyed) resolve();
    else response.socket.write('', () => resolve());
  });
}

/** Waits for a slow reader instead of filling the memory. */
async function write(response: ServerResponse, bytes: string | Buffer): Promise<void> {
  if (response.destroyed || response.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}

function withCallIds(events: readonly FakeEvent[], nextCallId: () => string): readonly FakeEvent[] {
  return events.map((event) => (event.type === 'tool_call' ? { ...event, id: event.id ?? nextCallId() } : event));
}

function callOf(event: Extract<FakeEvent, { type: 'tool_call' }>): FakeToolCall {
  const { id = '', name, input = {}, rawArguments, signature } = event;
  return { id, name, argumentText: rawArguments ?? JSON.stringify(input), ...(signature && { signature }) };
}

function usageOf(events: readonly FakeEvent[]): FakeUsage {
  const scripted = events.findLast((event) => event.type === 'usage');
  if (scripted) return { input: scripted.input, output: scripted.output, cached: scripted.cached ?? 0 };
  const output = events.reduce(
    (sum, event) => sum + ('text' in event ? Math.ceil((event.text ?? '').length / 4) : 1),
    0,
  );
  return { input: 10, output, cached: 0 };
}

function stopReasonOf(events: readonly FakeEvent[]): FakeStopReason {
  const scripted = events.findLast((event) => event.type === 'stop');
  if (scripted) return scripted.reason;
  return events.some((event) => event.type === 'tool_call') ? 'tool_use' : 'end_turn';
}

function cut(text: string, size: number): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; start += size) pieces.push(text.slice(start, start + size));
  return pieces;
}
