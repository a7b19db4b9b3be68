import type { JSX } from 'preact';
import type { InspectorRoute } from '../app/route.ts';
import type { Api } from '../connection/api.ts';

export function Inspector({ route }: { readonly api: Api; readonly route: InspectorRoute }): JSX.Element {
  return <div class="inspector">{route.query.toString()}</div>;
}
