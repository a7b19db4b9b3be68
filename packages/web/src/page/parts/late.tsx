import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Loads a component's code when it is first drawn. `Meanwhile` replaces the line that says so, also where loading fails. */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile?: ComponentType<Props>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Late(props: Props): JSX.Element {
    const [problem, setProblem] = useState<string>();
    const [, setLoaded] = useState(loaded !== undefined);
    useEffect(() => {
      if (loaded) return;
      let isMounted = true;
      load().then(
        (component) => {
          loaded = component;
          if (isMounted) setLoaded(true);
        },
        (error: Error) => isMounted && setProblem(error.message),
      );
      return () => {
        isMounted = false;
      };
    }, []);
    const Loaded = loaded;
    if (Loaded) return <Loaded {...props} />;
    if (Meanwhile) return <Meanwhile {...props} />;
    if (problem === undefined) return <p class="late">Loading…</p>;
    return (
      <p class="problem" role="alert">
        Part of the page could not be loaded: {problem}. Reload the page; the server may have stopped.
      </p>
    );
  };
}
