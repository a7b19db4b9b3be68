import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { FaultBorder } from './fault-border.tsx';

export interface LateProps<Props extends object> {
  /** What it is, for those who wait: "the inspector". */
  readonly what: string;
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props;
}

/** A view whose code is loaded when it is first shown. */
export function Late<Props extends object>({ what, load, props }: LateProps<Props>): JSX.Element {
  const [loaded, setLoaded] = useState<{ readonly View: ComponentType<Props> }>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    load().then(
      (View) => setLoaded({ View }),
      (error: Error) => setProblem(error.message),
    );
  }, [load]);
  if (problem !== undefined)
    return (
      <p class="problem" role="alert">
        Parts of the page cannot be loaded: {problem}. Reload the page; the server may be gone, or a newer one.
      </p>
    );
  if (!loaded) return <p class="app-waiting">Loading {what}</p>;
  return (
    <FaultBorder what={what}>
      <loaded.View {...props} />
    </FaultBorder>
  );
}
