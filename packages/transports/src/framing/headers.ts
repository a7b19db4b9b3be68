/** Says whether a line begins a header block. Any order is fine, so `Content-Type` may come first. */
export function isHeaderLine(line: string): boolean {
  return /^content-(?:length|type)\s*:/i.test(line);
}

/** The length that a header line states, undefined if it is another header, or `malformed`. */
export function parseContentLength(line: string): number | 'malformed' | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon).trimEnd().toLowerCase();
  if (colon === -1 || !/^[a-z0-9-]+$/.test(name)) return 'malformed';
  if (name !== 'content-length') return undefined;
  const value = line.slice(colon + 1).trim();
  return /^\d{1,15}$/.test(value) ? Number(value) : 'malformed';
}

/** The part of a line from the first `Content-Length` header on. */
export function searchContentLength(line: string): string | undefined {
  const index = line.search(/content-length\s*:/i);
  return index === -1 ? undefined : line.slice(index);
}
