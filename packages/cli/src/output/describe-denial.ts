import { shortLine } from '@parley/terminal';
import type { Denial } from './run-outcome.ts';

/** What was denied, what decided, and what would allow it. */
export function describeDenial({ title, because, next }: Denial): readonly string[] {
  return [
    `parley: not allowed: ${title}. ${shortLine(because, MAX_REASON)}`,
    ...(next.length === 0 ? [] : [`try: ${next.join('   or: ')}`]),
  ];
}

const MAX_REASON = 600;
