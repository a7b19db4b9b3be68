import type { PlanEntry, ToolCallStatus } from '@parley/session';
import type { FileDiff } from './signal.ts';

type Values = Readonly<Record<string, unknown>>;

/** A value as text: lists of content blocks are the texts in them, anything else that is no text is JSON. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return textOfList(value);
  if (typeof value !== 'object') return String(value);
  const { text, content } = value as Values;
  if (typeof text === 'string') return text;
  return typeof content === 'string' ? content : JSON.stringify(value);
}

function textOfList(list: readonly unknown[]): string | undefined {
  if (list.length === 0) return undefined;
  const isContent = list.every((each) => typeof each === 'string' || typeof (each as Values | null)?.text === 'string');
  if (!isContent) return list.length === 1 ? textOf(list[0]) : JSON.stringify(list);
  return list.map((each) => (typeof each === 'string' ? each : (each as Values).text)).join('');
}

/** What a tool is given. Some command lines write it as the text of its JSON. */
export function inputOf(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{')) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Texts and numbers, for what is to be read by people and can be nothing else. */
export function plainTextOf(value: unknown): string | undefined {
  const [only] = Array.isArray(value) && value.length === 1 ? value : [value];
  if (Array.isArray(only)) return textOfList(only);
  return typeof only === 'string' || typeof only === 'number' ? String(only) : undefined;
}

export function numberOf(value: unknown): number | undefined {
  const [only] = Array.isArray(value) ? value : [value];
  const number = typeof only === 'string' && only.trim() !== '' ? Number(only) : only;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** Whether a value says yes: true, or a text that is not a word for no. */
export function isTrue(value: unknown): boolean {
  if (typeof value === 'string') return !['', 'false', 'no', 'ok', 'success', 'null'].includes(value.toLowerCase());
  return Array.isArray(value) ? value.some(isTrue) : Boolean(value);
}

const STATUSES: Readonly<Record<string, ToolCallStatus>> = {
  pending: 'pending',
  queued: 'pending',
  in_progress: 'in_progress',
  inprogress: 'in_progress',
  running: 'in_progress',
  started: 'in_progress',
  executing: 'in_progress',
  completed: 'completed',
  complete: 'completed',
  success: 'completed',
  succeeded: 'completed',
  ok: 'completed',
  done: 'completed',
  finished: 'completed',
  failed: 'failed',
  failure: 'failed',
  error: 'failed',
  errored: 'failed',
  declined: 'failed',
  rejected: 'failed',
  denied: 'failed',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  aborted: 'cancelled',
};

/** A status of the protocol, by the words that command lines have for it. */
export function statusOf(value: unknown): ToolCallStatus | undefined {
  if (typeof value !== 'string') return undefined;
  return STATUSES[value.toLowerCase().replace(/[\s-]/g, '_')];
}

export function locationsOf(value: unknown): readonly string[] | undefined {
  const list = (Array.isArray(value) ? value.flat() : [value]).flatMap((each) => {
    if (typeof each === 'string') return each === '' ? [] : [each];
    const path = (each as Values | null | undefined)?.path;
    return typeof path === 'string' ? [path] : [];
  });
  return list.length > 0 ? list : undefined;
}

export function diffOf(path: unknown, oldText: unknown, newText: unknown): FileDiff | undefined {
  if (typeof path !== 'string' || path === '' || typeof newText !== 'string') return undefined;
  return { path, newText, ...(typeof oldText === 'string' && { oldText }) };
}

/** The steps of a plan, wherever they have their text, status and priority. */
export function planOf(value: unknown, read: (entry: unknown) => Values = (entry) => entry as Values): PlanEntry[] {
  const list = Array.isArray(value) ? value.flat() : [];
  return list.flatMap((each) => {
    if (typeof each === 'string') return [{ content: each, status: 'pending', priority: 'medium' }];
    if (typeof each !== 'object' || each === null) return [];
    const { content, step, text, title, description, status, completed, priority } = read(each);
    const words = [content, step, text, title, description].find((word) => typeof word === 'string');
    if (words === undefined) return [];
    const known = statusOf(status) ?? (completed === true ? 'completed' : 'pending');
    return [
      {
        content: words as string,
        status: known === 'failed' ? 'cancelled' : known,
        priority: priority === 'high' || priority === 'low' ? priority : 'medium',
      },
    ];
  });
}
