import type { JSX } from 'preact';
import type { OpenSession } from '../sessions/open-session.ts';

export function Questions({ open }: { readonly open: OpenSession }): JSX.Element {
  return <div class="questions">{open.session.id}</div>;
}
