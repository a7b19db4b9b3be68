import { ListenError } from '../listen-error.ts';
import type { Route } from './route.ts';

const DEFAULT_METHODS: readonly string[] = ['GET'];

/** A route as the router needs it. */
export interface PlacedRoute {
  readonly route: Route;
  /** The methods it has, as the `Allow` header says them. */
  readonly methods: readonly string[];
}

/** The routes of a listener: by their whole path, or below a path that ends with a slash; of several the longest. `/` is that path alone. */
export class RouteTable {
  readonly #exact = new Map<string, PlacedRoute>();
  readonly #below: (readonly [prefix: string, route: PlacedRoute])[] = [];

  constructor(routes: Readonly<Record<string, Route>>, isTaken: (path: string) => boolean) {
    for (const [path, route] of Object.entries(routes)) {
      const placed = { route, methods: withHead(route.methods ?? DEFAULT_METHODS) };
      requirePath(path, isTaken);
      if (path !== '/' && path.endsWith('/')) this.#below.push([path, placed]);
      else this.#exact.set(path, placed);
    }
    this.#below.sort(([one], [other]) => other.length - one.length);
  }

  find(path: string): PlacedRoute | undefined {
    return this.#exact.get(path) ?? this.#below.find(([prefix]) => path.startsWith(prefix))?.[1];
  }
}

function withHead(methods: readonly string[]): readonly string[] {
  return methods.includes('GET') && !methods.includes('HEAD') ? [...methods, 'HEAD'] : methods;
}

function requirePath(path: string, isTaken: (path: string) => boolean): void {
  if (!/^\/[\w./~-]*$/.test(path) || new URL(path, 'http://localhost').pathname !== path)
    throw new ListenError(`"${path}" is no path for a route; write it like /healthz, or /web/ for all that is below.`);
  if (isTaken(path)) throw new ListenError(`A route cannot be at "${path}": agents are served there.`);
}
