import { isRecord } from '@parley/jsonrpc/internal';
import { shortLine } from './short-line.ts';
import type { TracedMessage } from './trace-entry.ts';

/** What kind of message it is, by its fields. */
export type MessageKind = 'request' | 'notification' | 'response' | 'error';

export function kindOf(message: TracedMessage): MessageKind {
  if ('method' in message) return 'id' in message ? 'request' : 'notification';
  return 'error' in message ? 'error' : 'response';
}

/** A message in a few words: what a person looks for when they look through a trace. */
export function summarize(message: TracedMessage): string {
  if ('error' in message) return describeError(message.error);
  if ('result' in message) return describeResult(message.result);
  const params = isRecord(message.params) ? message.params : {};
  switch (message.method) {
    case 'session/update':
      return describeUpdate(params.update);
    case 'session/prompt':
      return textOf(params.prompt);
    case 'session/request_permission':
      return 'title' in params ? shortLine(String(params.title)) : describeTool(params.toolCall);
    case 'fs/read_text_file':
    case 'fs/write_text_file':
      return shortLine(String(params.path ?? ''));
    case 'terminal/create':
      return shortLine([params.command, ...(Array.isArray(params.args) ? params.args : [])].join(' '));
    case 'initialize':
      return shortLine(`version ${params.protocolVersion}`);
    case 'session/new':
    case 'session/load':
    case 'session/resume':
      return shortLine([params.sessionId, params.cwd, describeReplay(params.replayFrom)].filter(isTold).join(' '));
    case 'session/set_config_option':
      return shortLine(`${params.configId} = ${params.value}`);
    case 'authenticate':
    case 'auth/login':
      return shortLine(String(params.methodId ?? ''));
    case 'tool_call/cancel':
      return shortLine(String(params.toolCallId ?? ''));
    case 'terminal/cancel':
      return shortLine(String(params.terminalId ?? ''));
    case 'elicitation/create':
      return shortLine(String(params.message ?? ''));
    default:
      return '';
  }
}

/** The variant of a `session/update`; undefined for every other message. */
export function updateVariant({ method, params }: TracedMessage): string | undefined {
  if (method !== 'session/update' || !isRecord(params) || !isRecord(params.update)) return undefined;
  const { sessionUpdate } = params.update;
  return typeof sessionUpdate === 'string' ? sessionUpdate : undefined;
}

/** Variants of which one follows the other by the hundred. */
export function isChunk(variant: string | undefined): boolean {
  return variant?.endsWith('_chunk') ?? false;
}

function describeUpdate(update: unknown): string {
  if (!isRecord(update)) return '';
  const variant = shortLine(String(update.sessionUpdate ?? '?'));
  return [variant, describeUpdateOf(variant, update)].filter((part) => part !== '').join(' ');
}

function describeUpdateOf(variant: string, update: Readonly<Record<string, unknown>>): string {
  switch (variant) {
    case 'tool_call':
    case 'tool_call_update':
      return describeTool(update);
    case 'tool_call_content_chunk':
      return shortLine(`${update.toolCallId} ${describeContent(update.content)}`);
    case 'user_message':
    case 'agent_message':
    case 'agent_thought':
      return 'content' in update ? textOf(update.content ?? []) : '';
    case 'state_update': {
      const { state, stopReason } = update;
      return shortLine(`${state}${isTold(stopReason) ? ` (${stopReason})` : ''}`);
    }
    case 'terminal_update':
      return describeTerminal(update);
    case 'terminal_output_chunk':
      return shortLine(`${update.terminalId} ${describeBytes(update.data)}`);
    case 'plan_update':
      return describePlan(update.plan);
    default:
      return isChunk(variant) ? textOf([update.content]) : '';
  }
}

/** What a tool call shows, in version 2 also one piece at a time. */
function describeContent(content: unknown): string {
  if (!isRecord(content)) return '';
  if (content.type === 'content') return textOf([content.content]);
  const changes = Array.isArray(content.changes) ? content.changes.filter(isRecord) : [];
  return [`[${content.type}]`, ...changes.map(({ operation, path }) => `${operation} ${path}`)].join(' ');
}

function describeTerminal({ terminalId, command, exitStatus }: Readonly<Record<string, unknown>>): string {
  const { exitCode, signal } = isRecord(exitStatus) ? exitStatus : {};
  const end = isTold(exitCode) ? ` (exit ${exitCode})` : isTold(signal) ? ` (${signal})` : '';
  return shortLine(`${terminalId}${isTold(command) ? ` ${command}` : ''}${end}`);
}

function describePlan(plan: unknown): string {
  const { planId, type, entries } = isRecord(plan) ? plan : {};
  return shortLine(`${planId} ${Array.isArray(entries) ? `(${entries.length} entries)` : `[${type}]`}`);
}

/** Bytes as the text that they may be. A character that was cut in two is left out of neither piece. */
function describeBytes(data: unknown): string {
  try {
    const bytes = Uint8Array.from(atob(String(data).slice(0, MAX_BASE64)), (letter) => letter.charCodeAt(0));
    return JSON.stringify(shortLine(new TextDecoder().decode(bytes), MAX_TEXT));
  } catch {
    return '[no base64]';
  }
}

/** As much of it as can be shown; four letters are three bytes. */
const MAX_BASE64 = 4096;

function describeReplay(from: unknown): string | undefined {
  return isRecord(from) ? `from ${from.type}` : undefined;
}

function isTold(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function describeTool(toolCall: unknown): string {
  if (!isRecord(toolCall)) return '';
  const { title, toolCallId, status } = toolCall;
  return shortLine(`${title ?? toolCallId ?? ''}${status === undefined ? '' : ` (${status})`}`);
}

function describeError(error: unknown): string {
  if (!isRecord(error)) return 'error';
  return shortLine(`error ${error.code ?? ''} ${error.message ?? ''}`);
}

function describeResult(result: unknown): string {
  if (!isRecord(result)) return '';
  const { stopReason, sessionId, messageId, protocolVersion, outcome } = result;
  if (stopReason !== undefined) return shortLine(String(stopReason));
  if (sessionId !== undefined) return shortLine(String(sessionId));
  if (messageId !== undefined) return shortLine(`message ${messageId}`);
  if (protocolVersion !== undefined) {
    const info = result.info ?? result.agentInfo;
    const { name = '', version = '' } = isRecord(info) ? info : {};
    return shortLine(`version ${protocolVersion} ${name} ${version}`);
  }
  if (isRecord(outcome)) return shortLine(String(outcome.optionId ?? outcome.outcome ?? ''));
  return '';
}

/** Longest piece of a text that is shown. */
const MAX_TEXT = 80;

function textOf(blocks: unknown): string {
  if (!Array.isArray(blocks)) return '';
  const texts = blocks.map((block) =>
    isRecord(block) ? (typeof block.text === 'string' ? block.text : `[${block.type}]`) : '',
  );
  return JSON.stringify(shortLine(texts.join(' '), MAX_TEXT));
}

/** The session that a message names itself: in its params, or as the session that was made. */
export function sessionOf({ params, result }: TracedMessage): string | undefined {
  const holder = isRecord(params) ? params : isRecord(result) ? result : undefined;
  return typeof holder?.sessionId === 'string' ? holder.sessionId : undefined;
}

/** Whom a request waits on: a person who must decide, the agent's work, or the client's machine. */
export type WaitsOn = 'person' | 'agent' | 'client';

/** Requests that a person answers. Time that passes in them is nobody's slowness. */
const ASKS_PERSON: ReadonlySet<string> = new Set(['session/request_permission', 'elicitation/create']);

/** Whom a request of this method waits on. */
export function waitsOn(method: string, direction: 'in' | 'out'): WaitsOn {
  if (ASKS_PERSON.has(method)) return 'person';
  return direction === 'out' ? 'agent' : 'client';
}
