import { useEffect, useState } from 'preact/hooks';
import type { Store } from './store.ts';

/** The value of a store; the view is drawn again when it is another one. */
export function useStore<Value>(store: Store<Value>): Value {
  const [, draw] = useState({});
  useEffect(() => {
    const seen = store.value;
    const end = store.subscribe(() => draw({}));
    // It may have changed between drawing and following.
    if (!Object.is(seen, store.value)) draw({});
    return end;
  }, [store]);
  return store.value;
}
