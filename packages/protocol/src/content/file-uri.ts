/** The `file:` address of an absolute path, POSIX or Windows: `/a b` is `file:///a%20b`, `C:\x` is `file:///C:/x`. */
export function fileUri(path: string): string {
  const isUnc = /^\\\\[^\\]/.test(path);
  const forward = /^[A-Za-z]:|^\\\\/.test(path) ? path.replaceAll('\\', '/') : path;
  const encoded = forward.split('/').map(encodeSegment).join('/');
  if (isUnc) return `file:${encoded}`;
  return encoded.startsWith('/') ? `file://${encoded}` : `file:///${encoded}`;
}

/** The path of a `file:` address, or undefined for another kind of address. */
export function pathOfFileUri(uri: string): string | undefined {
  const match = /^file:\/\/([^/?#]*)(\/[^?#]*)/i.exec(uri);
  if (match === null) return undefined;
  const [, host = '', encoded = ''] = match;
  const path = decodeSegments(encoded);
  if (path === undefined) return undefined;
  if (/^\/[A-Za-z]:(\/|$)/.test(path)) return path.slice(1).replaceAll('/', '\\');
  return host === '' || host.toLowerCase() === 'localhost' ? path : `\\\\${host}${path.replaceAll('/', '\\')}`;
}

/** A drive's colon stays readable; everything that an address gives a meaning is escaped. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/^([A-Za-z])%3A$/, '$1:');
}

function decodeSegments(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
