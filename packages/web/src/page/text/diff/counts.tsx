import type { JSX } from 'preact';

/** How many lines came and went: `+4 −2`. */
export function Counts({ added, removed }: { readonly added: number; readonly removed: number }): JSX.Element {
  return (
    <span class="diff-counts">
      <span class="diff-added">+{added}</span> <span class="diff-removed">−{removed}</span>
    </span>
  );
}
