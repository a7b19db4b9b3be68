import type { JSX } from 'preact';
import type { OpenSession } from '../sessions/open-session.ts';

export function Composer({ open }: { readonly open: OpenSession }): JSX.Element {
  return <div class="composer">{open.session.id}</div>;
}
