import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Api } from '../connection/api.ts';
import { FaultBorder } from '../parts/fault-border.tsx';
import type { InspectorRoute } from './route.ts';

type InspectorView = typeof import('../inspector/inspector.tsx')['Inspector'];

export interface LateInspectorProps {
  readonly api: Api;
  readonly route: InspectorRoute;
  readonly onMenu: () => void;
}

/** The inspector, which is loaded when it is first shown. */
export function LateInspector({ api, route, onMenu }: LateInspectorProps): JSX.Element {
  const [view, setView] = useState<{ readonly Inspector: InspectorView }>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    import('../inspector/inspector.tsx').then(setView, (error: Error) => setProblem(error.message));
  }, []);
  return (
    <>
      <header class="app-head">
        <button type="button" class="button button-plain app-narrow" aria-label="Sessions" onClick={onMenu}>
          ☰
        </button>
        <h1>Inspector</h1>
      </header>
      {problem !== undefined && (
        <p class="problem" role="alert">
          The inspector cannot be loaded: {problem}. Reload the page.
        </p>
      )}
      {view ? (
        <FaultBorder what="The inspector">
          <view.Inspector api={api} route={route} />
        </FaultBorder>
      ) : (
        problem === undefined && <p class="app-waiting">Loading the inspector</p>
      )}
    </>
  );
}
