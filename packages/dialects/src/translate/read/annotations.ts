import { type Fields, isRecord } from '../../fields.ts';
import { keepFacts, restore } from '../kept-facts.ts';

const PRIORITIES: Readonly<Record<string, number>> = { high: 1, medium: 0.5, low: 0 };

/** S4:496 has a title, a priority in words, and custom keys that begin with an underscore. */
export function readAnnotations(annotations: Fields): Fields {
  const { title, priority, _meta: meta, ...rest } = annotations;
  const known = Object.entries(rest).filter(([name]) => !name.startsWith('_'));
  const custom = Object.entries(rest).filter(([name]) => name.startsWith('_'));
  const isWord = typeof priority === 'string' && Object.hasOwn(PRIORITIES, priority);
  if (title === undefined && custom.length === 0 && !isWord) return restore(annotations);
  const read = {
    ...Object.fromEntries(known),
    ...(priority === undefined ? {} : { priority: isWord ? PRIORITIES[priority] : priority }),
    ...(isRecord(meta) ? { _meta: meta } : {}),
  };
  return restore(keepFacts(read, { title, custom: custom.length > 0 ? Object.fromEntries(custom) : undefined }));
}
