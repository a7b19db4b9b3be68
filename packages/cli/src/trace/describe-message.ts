import { isRecord } from '../config/check-config.ts';
import { shortLine } from '../terminal/text/clean-text.ts';
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
      return describeTool(params.toolCall);
    case 'fs/read_text_file':
    case 'fs/write_text_file':
      return shortLine(String(params.path ?? ''));
    case 'terminal/create':
      return shortLine([params.command, ...(Array.isArray(params.args) ? params.args : [])].join(' '));
    case 'initialize':
      return `version ${params.protocolVersion}`;
    case 'session/new':
    case 'session/load':
    case 'session/resume':
      return shortLine([params.sessionId, params.cwd].filter((each) => each !== undefined).join(' '));
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
  const variant = String(update.sessionUpdate ?? '?');
  if (variant.startsWith('tool_call')) return `${variant} ${describeTool(update)}`;
  if (isChunk(variant)) return `${variant} ${textOf([update.content])}`;
  return variant;
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
  const { stopReason, sessionId, protocolVersion, agentInfo, outcome } = result;
  if (stopReason !== undefined) return String(stopReason);
  if (sessionId !== undefined) return String(sessionId);
  if (protocolVersion !== undefined) {
    const { name = '', version = '' } = isRecord(agentInfo) ? agentInfo : {};
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
