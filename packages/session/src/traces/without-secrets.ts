import { REDACTED, type RedactOptions, redact, redactText } from './redact.ts';
import type { TracedMessage, TraceEntry } from './trace-entry.ts';

/** An entry of a trace without secrets. */
export function withoutSecrets(entry: TraceEntry, options: RedactOptions = {}): TraceEntry {
  return entry.kind === 'message'
    ? { ...entry, message: redact(entry.message, options) as TracedMessage }
    : { ...entry, text: redactText(entry.text, options.secrets) };
}

/** How many values were taken out of a text. */
export function countRedacted(text: string): number {
  let count = 0;
  for (let at = text.indexOf(REDACTED); at !== -1; at = text.indexOf(REDACTED, at + REDACTED.length)) count += 1;
  return count;
}
