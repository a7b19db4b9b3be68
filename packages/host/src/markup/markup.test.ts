import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { escapeMarkup, htmlDocument } from './index.ts';

describe('text in markup', () => {
  it('cannot end the element or the attribute that it stands in', () => {
    expect(escapeMarkup(`</p><script>"a" & 'b'`)).toBe('&lt;/p&gt;&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;');
  });

  it('loses what neither XML nor HTML can write, and keeps lines, tabs and other alphabets', () => {
    expect(escapeMarkup('a\u0000\u0001\ud800b\uffff\t\n\r😀 Ω')).toBe('ab\t\n\r😀 Ω');
  });
});

describe('a page in one file', () => {
  it('allows its own style and script by their hashes, and nothing else', () => {
    const page = htmlDocument({ title: 'a < b', style: 'p{}', body: '<p>x</p>', script: 'void 0' });
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(page).toContain(`default-src 'none'; style-src ${hash('p{}')}; script-src ${hash('void 0')};`);
    expect(page).toContain('<title>a &lt; b</title>');
    expect(htmlDocument({ title: '', style: '', body: '' })).not.toContain('script');
  });
});
