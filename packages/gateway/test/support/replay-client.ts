import type { Message, Transport } from '@parley/jsonrpc';
import { until } from './hosting.ts';
import { answers, type RecordedLine, type RecordedMessage } from './recording.ts';

/** A message without what differs each time: ids, and the name of the session. */
export interface Told {
  readonly kind: 'notification' | 'request' | 'answer';
  /** The method, or that of the request that is answered. */
  readonly method: string;
  readonly body: unknown;
  /** How many notifications were told before. */
  readonly notificationsBefore: number;
}

export interface Replayed {
  readonly sent: readonly Told[];
  readonly received: readonly Told[];
}

/** Plays the client of a recording on a wire: sends what it sent, each time when all that had come before has come again. */
export async function replayClient(
  wire: Transport,
  recording: readonly RecordedLine[],
  protocolVersion: number,
): Promise<Replayed> {
  const received: RecordedMessage[] = [];
  wire.onMessage((message) => received.push(message as RecordedMessage));
  const client = recording.filter(({ from }) => from === 'client').map(({ message }) => message);
  const sent: RecordedMessage[] = [];
  const foreignId = sessionIdIn(recording.filter(({ from }) => from === 'agent').map(({ message }) => message));
  for (const { from, message } of recording) {
    if (from === 'agent') {
      sent.push(message);
      continue;
    }
    await until(() => hasAll(received, sent));
    const named = rename(message, foreignId, sessionIdIn(received) ?? '') as RecordedMessage;
    if (answers(message)) void wire.send({ ...named, id: requestLike(received, sent, message) } as Message);
    else if (message.method === 'initialize')
      void wire.send({ ...named, params: { ...named.params, protocolVersion } } as Message);
    else void wire.send(named as Message);
  }
  await until(() => hasAll(received, sent));
  return { sent: told(sent, client), received: told(received, client) };
}

/** Whether as much has come as was sent; what exactly it was is compared at the end. */
function hasAll(received: readonly RecordedMessage[], sent: readonly RecordedMessage[]): boolean {
  return [isAnswer, isRequest, isTold].every((is) => received.filter(is).length >= sent.filter(is).length);
}

const isAnswer = answers;

/** A notification that the gateway does not tell in words of its own. */
function isTold({ method, id, params }: RecordedMessage): boolean {
  return method !== undefined && id === undefined && !isOwn(params);
}

/** The id of the request that stands where the one stood that was answered. */
function requestLike(
  received: readonly RecordedMessage[],
  sent: readonly RecordedMessage[],
  { id }: RecordedMessage,
): unknown {
  const index = sent.filter(isRequest).findIndex((request) => request.id === id);
  return received.filter(isRequest)[index]?.id;
}

/** What the log of the session tells: what its prompts are, what it does, and how it is set. */
export function isOwn(params: unknown): boolean {
  const { update } = (params ?? {}) as { readonly update?: { readonly sessionUpdate?: string } };
  return OWN.has(update?.sessionUpdate ?? '');
}

const OWN: ReadonlySet<string> = new Set([
  'user_message',
  'user_message_chunk',
  'state_update',
  'current_mode_update',
  'config_option_update',
  'available_commands_update',
]);

function isRequest({ method, id }: RecordedMessage): boolean {
  return method !== undefined && id !== undefined;
}

function sessionIdIn(messages: readonly RecordedMessage[]): string | undefined {
  return messages.map(({ result }) => result?.sessionId).find((id) => typeof id === 'string');
}

function rename(value: unknown, from: string | undefined, to: string): unknown {
  return from === undefined ? value : JSON.parse(JSON.stringify(value).replaceAll(from, to));
}

function told(messages: readonly RecordedMessage[], client: readonly RecordedMessage[]): Told[] {
  const sessionId = sessionIdIn(messages);
  let notificationsBefore = 0;
  return messages.map((message) => {
    const { method, id, params, result, error } = rename(message, sessionId, 'SESSION') as RecordedMessage;
    if (method !== undefined && id === undefined)
      return { kind: 'notification', method, body: params, notificationsBefore: notificationsBefore++ };
    if (method !== undefined) return { kind: 'request', method, body: params, notificationsBefore };
    const asked = client.find((each) => each.id === id && each.method !== undefined)?.method ?? '';
    return { kind: 'answer', method: asked, body: error === undefined ? result : { error }, notificationsBefore };
  });
}
