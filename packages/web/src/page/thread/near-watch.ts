/** How far from what is seen an element still counts as near, above and below. */
const MARGIN_PX = 1500;

/** Tells elements inside of one that scrolls when they come near to what is seen, and when they leave again. */
export class NearWatch {
  readonly #listeners = new Map<Element, (isNear: boolean) => void>();
  #observer: IntersectionObserver | undefined;

  /** Elements may ask before the one that scrolls is known. */
  start(root: Element): void {
    this.#observer = new IntersectionObserver((entries) => this.#tell(entries), {
      root,
      rootMargin: `${MARGIN_PX}px 0px`,
    });
    for (const element of this.#listeners.keys()) this.#observer.observe(element);
  }

  stop(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
  }

  observe(element: Element, listener: (isNear: boolean) => void): () => void {
    this.#listeners.set(element, listener);
    this.#observer?.observe(element);
    return () => {
      this.#listeners.delete(element);
      this.#observer?.unobserve(element);
    };
  }

  #tell(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) this.#listeners.get(target)?.(isIntersecting);
  }
}
