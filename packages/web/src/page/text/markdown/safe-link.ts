import { visibleLine } from '../visible-text.ts';

/** A link that may be followed; anything else is shown as text, with where it wanted to lead. */
export interface SafeLink {
  readonly href: string;
  /** Where it leads, for whoever looks before clicking. */
  readonly host: string;
}

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** Only addresses of the web and of mail are links. Relative ones would lead into this page, and are none. */
export function readLink(address: string): SafeLink | undefined {
  // What a browser would strip inside a scheme, such as a tab in `java script:`, makes no link at all.
  if (!/^[a-z][a-z0-9+.-]*:[^\s]*$/i.test(address)) return undefined;
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return undefined;
  }
  if (!SCHEMES.has(url.protocol)) return undefined;
  return { href: url.href, host: visibleLine(url.protocol === 'mailto:' ? url.pathname : url.host) };
}
