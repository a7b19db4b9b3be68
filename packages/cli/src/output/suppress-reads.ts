import { isRecord } from '../config/check-config.ts';

const SUPPRESSED = '[suppressed]';
/** Requests whose answers have not come; an agent that never gets one must not grow this for ever. */
const MAX_OPEN = 10_000;

/** Takes what files contain out of messages: answers to `fs/read_text_file`, and what reading tools show. */
export function createReadSuppressor(): (message: unknown) => unknown {
  const reads = new Set<unknown>();
  return (message) => {
    if (!isRecord(message)) return message;
    if (message.method === 'fs/read_text_file' && 'id' in message) {
      if (reads.size < MAX_OPEN) reads.add(message.id);
      return message;
    }
    if (message.method === 'session/update') return withoutToolOutput(message);
    if (!('result' in message) || !reads.delete(message.id) || !isRecord(message.result)) return message;
    return { ...message, result: { ...message.result, content: SUPPRESSED } };
  };
}

function withoutToolOutput(message: Readonly<Record<string, unknown>>): unknown {
  const { params } = message;
  const update = isRecord(params) ? params.update : undefined;
  if (!isRecord(params) || !isRecord(update) || update.kind !== 'read') return message;
  const { content, rawOutput, ...rest } = update;
  const hidden = {
    ...rest,
    ...(content !== undefined && { content: [] }),
    ...(rawOutput !== undefined && { rawOutput: SUPPRESSED }),
  };
  return { ...message, params: { ...params, update: hidden } };
}
