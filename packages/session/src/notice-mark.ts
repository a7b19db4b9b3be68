import type { WithMeta } from './event.ts';
import { META } from './meta.ts';

/** Which notice it is, so that what changes in it is told in one line. */
export interface NoticeMark {
  readonly id: string;
  /** Another of the same id may follow. */
  readonly isOpen: boolean;
}

export function noticeMark({ id, isOpen }: NoticeMark): Readonly<Record<string, unknown>> {
  return { [META.notice]: { id, isOpen } };
}

/** Undefined for a notice that stands by itself. */
export function readNoticeMark({ meta }: Pick<WithMeta, 'meta'>): NoticeMark | undefined {
  const mark = meta?.[META.notice];
  if (typeof mark !== 'object' || mark === null) return undefined;
  const { id, isOpen } = mark as { readonly id?: unknown; readonly isOpen?: unknown };
  return typeof id === 'string' ? { id, isOpen: isOpen === true } : undefined;
}
