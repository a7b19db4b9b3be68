import type { ModelEvent } from '../model/model.ts';
import { type JsonObject, stringAt } from './json.ts';

/** A page that was found, where it has an address. */
export function sourceEvent(url: string | undefined, page: JsonObject | undefined): readonly ModelEvent[] {
  return url ? [{ type: 'source', url, title: stringAt(page, 'title') ?? '' }] : [];
}
