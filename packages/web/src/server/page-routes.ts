import type { Route, RouteReply } from '@parley/transports/listen';
import { loadPage, type PageFiles } from './page/page-files.ts';

/**
 * Nothing but files of this server runs here, and nobody may frame it. Styles of single elements are set by script, which `style-src`
 * allows; pictures and sounds that an agent has sent come as data.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  'media-src data: blob:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** The page and its files, which hold no secret. The page is read, or built, when it is first asked for. */
export function pageRoutes(): Readonly<Record<string, Route>> {
  let loading: Promise<PageFiles> | undefined;
  const files = (): Promise<PageFiles> => {
    loading ??= loadPage();
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  return {
    '/': { access: 'anyone', handle: async () => replyWith(await files(), 'index.html', 'no-cache') },
    '/assets/': {
      access: 'anyone',
      handle: async ({ path }) => replyWith(await files(), path.slice(1), 'public, max-age=31536000, immutable'),
    },
  };
}

function replyWith(files: PageFiles, path: string, caching: string): RouteReply {
  const body = files.get(path);
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
  if (!body || !type)
    return { status: 404, headers: HEADERS, body: 'Not Found: reload the page, it may be an older one.\n' };
  return { status: 200, headers: { ...HEADERS, 'content-type': type, 'cache-control': caching }, body };
}
