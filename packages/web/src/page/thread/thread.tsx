import type { JSX } from 'preact';
import type { OpenSession } from '../sessions/open-session.ts';

export function Thread({ open }: { readonly open: OpenSession }): JSX.Element {
  return <div class="thread">{open.session.id}</div>;
}
