/** Calls back when an element comes near to being seen, once. Returns a function that ends the watch. */
export function onceVisible(element: Element, callback: () => void): () => void {
  observer ??= new IntersectionObserver(onIntersections, { rootMargin: '200px' });
  callbacks.set(element, callback);
  observer.observe(element);
  return () => forget(element);
}

/** One observer serves all elements. */
let observer: IntersectionObserver | undefined;
const callbacks = new Map<Element, () => void>();

function onIntersections(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    const callback = callbacks.get(target);
    forget(target);
    callback?.();
  }
}

function forget(element: Element): void {
  callbacks.delete(element);
  observer?.unobserve(element);
}
