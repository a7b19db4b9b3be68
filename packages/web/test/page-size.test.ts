import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type BuiltPage, buildPage, loadedWith } from '../scripts/build-page.mjs';

const KIB = 1024;
/** Before a session is opened, with everything that an open session needs at once, and what comes with the first text of an agent. */
const MAX_INITIAL = 20 * KIB;
/** Sub-agents belong to every connection: an agent may announce one at any time. */
const MAX_SESSION = 92 * KIB;
const MAX_MARKDOWN = 20 * KIB;
const MAX_INSPECTOR = 40 * KIB;

describe('the page as it is built', () => {
  it('keeps to its budgets: what is loaded at once, with a session, and with the inspector', async () => {
    const page = await buildPage();
    const session = new Set([
      ...page.initial,
      ...scriptsOf(page, 'src/page/sessions/session-view.tsx', 'src/page/connection/connect-to.ts'),
    ]);
    const besides = (...sources: string[]): number =>
      weigh(page, new Set(scriptsOf(page, ...sources).filter((path) => !session.has(path))));
    expect(weigh(page, page.initial)).toBeLessThan(MAX_INITIAL);
    expect(weigh(page, session)).toBeLessThan(MAX_SESSION);
    expect(besides('src/page/text/markdown/markdown.tsx')).toBeLessThan(MAX_MARKDOWN);
    // The validators of both versions come later, and count.
    expect(besides('src/page/inspector/inspector.tsx', '../session/src/traces/judge.ts')).toBeLessThan(MAX_INSPECTOR);
  });

  it('holds no secret, no inline script and no inline style', async () => {
    const { files } = await buildPage();
    const html = new TextDecoder().decode(files.get('index.html'));
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bon\w+=|\bstyle=/);
    expect(html).toMatch(/<script type="module" src="\/assets\/main-[\w-]+\.js"><\/script>/);
  });
});

/** What is loaded at once with source files that have scripts of their own. */
function scriptsOf({ scripts }: BuiltPage, ...sources: string[]): string[] {
  return sources.flatMap((source) => {
    const loaded = loadedWith(scripts, source);
    expect(loaded).not.toEqual([]);
    return loaded;
  });
}

function weigh({ files }: BuiltPage, paths: Iterable<string>): number {
  let bytes = 0;
  for (const path of paths) bytes += gzipSync(files.get(path) ?? new Uint8Array()).length;
  return bytes;
}
