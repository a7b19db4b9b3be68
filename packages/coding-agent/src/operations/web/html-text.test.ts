import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfHtml } from './html-text.ts';

describe('the text of a page', () => {
  it('has headings, paragraphs, lists and links, and nothing that is not for reading', () => {
    const html = `<!doctype html><html><head><title>T</title><style>a{}</style></head><body>
      <script>if (a < b) alert("x")</script><!-- <p>hidden</p> -->
      <h2>Install</h2><p>Run <code>npm i</code> &amp; wait.</p>
      <ul><li>one<li>two</ul><a href="https://example.com/a?b=1">here</a> <a href="#top">up</a>
      <svg><text>drawn</text></svg></body></html>`;
    expect(textOfHtml(html)).toBe(
      '## Install\n\nRun npm i & wait.\n\n- one\n- two\nhere (https://example.com/a?b=1) up',
    );
  });

  it('reads entities, and leaves what is none', () => {
    expect(textOfHtml('&lt;b&gt; &#65;&#x42; &unknown; &#99999999; AT&T')).toBe('<b> AB &unknown; &#99999999; AT&T');
  });

  it('survives every kind of broken markup', () => {
    expect(textOfHtml('a < b')).toBe('a');
    expect(textOfHtml('<script>never closed')).toBe('');
    expect(textOfHtml('<!-- never closed')).toBe('');
    expect(textOfHtml('</a></a><li><a href=x')).toBe('-');
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.constantFrom('<', '>', '</a>', '<a href="', '<!--', '<script>', '&#x', ';', 'x')),
        (text, pieces) => {
          expect(typeof textOfHtml(text + pieces.join(''))).toBe('string');
        },
      ),
      { seed: 8 },
    );
  });

  it('takes one pass, however hostile the page', () => {
    expect(textOfHtml('<a '.repeat(200_000))).toBe('');
    expect(textOfHtml('<script>'.repeat(100_000))).toBe('');
    expect(textOfHtml('<p>x'.repeat(50_000)).length).toBeGreaterThan(50_000);
  });
});
