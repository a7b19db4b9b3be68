import type { JSX } from 'preact';
import type { Api } from '../connection/api.ts';
import { Late } from '../parts/late.tsx';
import type { InspectorRoute } from './route.ts';

export interface LateInspectorProps {
  readonly api: Api;
  readonly route: InspectorRoute;
  readonly onMenu: () => void;
}

const load = async () => (await import('../inspector/inspector.tsx')).Inspector;

/** The inspector with its head; it is loaded when it is first shown. */
export function LateInspector({ api, route, onMenu }: LateInspectorProps): JSX.Element {
  return (
    <>
      <header class="app-head">
        <button type="button" class="button button-plain app-narrow" aria-label="Sessions" onClick={onMenu}>
          ☰
        </button>
        <h1>Inspector</h1>
      </header>
      <Late what="the inspector" load={load} props={{ api, route }} />
    </>
  );
}
