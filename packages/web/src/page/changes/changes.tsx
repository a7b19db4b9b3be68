import type { JSX } from 'preact';
import type { OpenSession } from '../sessions/open-session.ts';

export function Changes({ open }: { readonly open: OpenSession }): JSX.Element {
  return <div class="changes">{open.session.id}</div>;
}
