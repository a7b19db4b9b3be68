import { GLOBSTAR, type Glob, matchesText } from '../glob.ts';
import type { PatternProblem } from './command-pattern.ts';

/** The inside of `Fetch(...)`: `domain:example.com`, or an address with `*`. */
export interface UrlPattern {
  readonly type: 'url';
  readonly domain?: string;
  readonly glob?: Glob;
}

export function parseUrlPattern(text: string): UrlPattern | PatternProblem {
  if (text.startsWith('domain:')) {
    const domain = text.slice('domain:'.length).toLowerCase();
    if (!DOMAIN.test(domain)) return { offset: 'domain:'.length, problem: 'expected a host name such as example.com' };
    return { type: 'url', domain };
  }
  if (!/^https?:\/\/[^*/]+\//.test(text)) {
    return { offset: 0, problem: 'expected domain:<host>, or an address such as https://example.com/docs/*' };
  }
  return { type: 'url', glob: [...text].map((character) => (character === '*' ? GLOBSTAR : character.charCodeAt(0))) };
}

/** A wide match also takes every subdomain; an address with a user name in it is never narrowly matched. */
export function matchUrl(pattern: UrlPattern, text: string, isWide: boolean): boolean {
  const url = readUrl(text);
  if (url === undefined) return false;
  if (pattern.domain !== undefined) {
    const isSub = url.host.endsWith(`.${pattern.domain.replace(/^\*\./, '')}`);
    if (pattern.domain.startsWith('*.')) return isSub;
    return url.host === pattern.domain || (isWide && isSub);
  }
  return pattern.glob !== undefined && matchesText(pattern.glob, url.href);
}

/** Host and canonical text of an http address, or nothing when it is no such address or carries credentials. */
export function readUrl(text: string): { readonly host: string; readonly href: string } | undefined {
  try {
    const url = new URL(text);
    if (!HTTP.test(url.href) || AUTHORITY_USER.test(url.href)) return undefined;
    return { host: url.hostname.toLowerCase().replace(/\.$/, ''), href: url.href };
  } catch {
    return undefined;
  }
}

const DOMAIN = /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;
const HTTP = /^https?:\/\//;
const AUTHORITY_USER = /^https?:\/\/[^/?#]*@/;
