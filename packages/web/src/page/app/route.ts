/** Where the page is. It stands in the fragment, which never reaches a server. */
export type Route = HomeRoute | SessionRoute | NewRoute | InspectorRoute;

export interface HomeRoute {
  readonly name: 'home';
}

/** `#/s/<agent>/<session id>`. */
export interface SessionRoute {
  readonly name: 'session';
  readonly agent: string;
  readonly sessionId: string;
}

/** `#/new?agent=...&cwd=...`. */
export interface NewRoute {
  readonly name: 'new';
  readonly agent?: string;
  readonly cwd?: string;
}

/** `#/inspector?...`: filter, tab and selection are in the query. */
export interface InspectorRoute {
  readonly name: 'inspector';
  readonly query: URLSearchParams;
}

export function parseRoute(fragment: string): Route {
  const text = fragment.replace(/^#/, '');
  const [path = '', search = ''] = splitOnce(text, '?');
  const query = new URLSearchParams(search);
  const [, room, ...rest] = path.split('/').map(decode);
  if (room === 's' && rest[0] && rest[1])
    return { name: 'session', agent: rest[0], sessionId: rest.slice(1).join('/') };
  if (room === 'inspector') return { name: 'inspector', query };
  if (room !== 'new') return { name: 'home' };
  const agent = query.get('agent');
  const cwd = query.get('cwd');
  return { name: 'new', ...(agent !== null && { agent }), ...(cwd !== null && { cwd }) };
}

export function formatRoute(route: Route): string {
  switch (route.name) {
    case 'home':
      return '#/';
    case 'session':
      return `#/s/${encodeURIComponent(route.agent)}/${encodeURIComponent(route.sessionId)}`;
    case 'inspector':
      return withQuery('#/inspector', route.query);
    case 'new': {
      const { agent, cwd } = route;
      return withQuery('#/new', new URLSearchParams({ ...(agent && { agent }), ...(cwd && { cwd }) }));
    }
  }
}

function withQuery(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`;
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** A fragment that somebody has typed may hold a percent sign that means itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
