import { describe, expect, it } from 'vitest';
import { decodeEntities } from './markdown/entities.ts';
import { readLink } from './markdown/safe-link.ts';
import { visibleLine, visibleText } from './visible-text.ts';

describe('text of others', () => {
  it('shows what would hide or turn it', () => {
    expect(visibleText('photo_\u202egpj.exe')).toBe('photo_[U+202E]gpj.exe');
    expect(visibleText('a\x1b[31mb\u200bc\x7f')).toBe('a␛[31mb[U+200B]c␡');
    expect(visibleText('two\nlines')).toBe('two\nlines');
    expect(visibleLine('two\nlines')).toBe('two␊lines');
  });

  it('has references of characters resolved once', () => {
    expect(decodeEntities('&lt;b&gt; &amp;lt; &#x41;&#66; &nope; &#0;')).toBe('<b> &lt; AB &nope; \ufffd');
  });

  it.each([
    ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
    ['HTTP://EXAMPLE.org', 'http://example.org/'],
    ['mailto:a@b.c', 'mailto:a@b.c'],
    ['javascript:alert(1)', undefined],
    ['JaVaScRiPt:alert(1)', undefined],
    ['java\tscript:alert(1)', undefined],
    ['data:text/html,<script>', undefined],
    ['file:///etc/passwd', undefined],
    ['vbscript:x', undefined],
    ['blob:https://a/b', undefined],
    ['//evil.example', undefined],
    ['/relative', undefined],
    ['#/s/other', undefined],
    ['https://', undefined],
  ])('makes a link of %j only when it is one of the web or of mail', (address, expected) => {
    expect(readLink(address)?.href).toBe(expected);
  });
});
