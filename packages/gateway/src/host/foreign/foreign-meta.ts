import type { Meta } from '@parley/agent';
import { META } from '@parley/session';

const OWN: ReadonlySet<string> = new Set(Object.values(META));

/** `_meta` of a request without what is said to this host, and not to its agent. */
export function foreignMeta(meta: Meta | undefined): Meta | undefined {
  if (!meta) return undefined;
  const rest = Object.entries(meta).filter(([name]) => !OWN.has(name));
  return rest.length > 0 ? Object.fromEntries(rest) : undefined;
}
