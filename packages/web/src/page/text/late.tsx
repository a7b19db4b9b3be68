import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * A component whose code is loaded when it is first drawn. Until then, and where it cannot be loaded, a line says so, or `Meanwhile`
 * is drawn; once loaded it is drawn at once.
 */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile?: ComponentType<Props>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Late(props: Props): JSX.Element {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(loaded ? 'loaded' : 'loading');
    useEffect(() => {
      if (loaded) return;
      let isWanted = true;
      load().then(
        (component) => {
          loaded = component;
          if (isWanted) setState('loaded');
        },
        () => isWanted && setState('failed'),
      );
      return () => {
        isWanted = false;
      };
    }, []);
    const Loaded = loaded;
    if (Loaded) return <Loaded {...props} />;
    if (Meanwhile) return <Meanwhile {...props} />;
    return (
      <div class="text-late">
        {state === 'failed' ? 'This part of the page could not be loaded. Reload the page.' : '…'}
      </div>
    );
  };
}
