import type { ContextUsage } from '@parley/client';
import { wordTokens, wordUsage } from '@parley/session/view';
import type { JSX } from 'preact';

/** How full the context is, and what the session has cost. */
export function Usage({ usage }: { readonly usage: ContextUsage | undefined }): JSX.Element | null {
  if (!usage) return null;
  const { used, size } = usage;
  const isPlausible = size > 0 && used >= 0 && used <= size;
  return (
    <span class="composer-usage" title={`${wordTokens(used)} of ${wordTokens(size)} tokens in the context`}>
      {isPlausible && <meter min={0} max={size} high={size * 0.8} value={used} aria-label="Context in use" />}
      {wordUsage(usage).join(' · ')}
    </span>
  );
}
