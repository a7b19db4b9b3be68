import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type BuiltPage, buildPage } from '../scripts/build-page.mjs';

const KIB = 1024;
/** Before a session is opened, and with everything that an open session needs at once. */
const MAX_INITIAL = 40 * KIB;
const MAX_SESSION = 130 * KIB;
const MAX_INSPECTOR = 40 * KIB;

describe('the page as it is built', () => {
  it('keeps to its budgets: what is loaded at once, with a session, and with the inspector', async () => {
    const page = await buildPage();
    const initial = new Set(page.initial);
    const session = new Set([
      ...initial,
      ...loadedWith(page, 'src/page/sessions/session-view.tsx'),
      ...loadedWith(page, 'src/page/connection/connect-to.ts'),
    ]);
    // The validators of both versions come later, and count.
    const inspector = new Set(
      ['src/page/inspector/inspector.tsx', '../session/src/traces/judge.ts'].flatMap((source) => {
        const loaded = loadedWith(page, source);
        expect(loaded).not.toEqual([]);
        return loaded.filter((path) => !session.has(path));
      }),
    );
    expect(weigh(page, initial)).toBeLessThan(MAX_INITIAL);
    expect(weigh(page, session)).toBeLessThan(MAX_SESSION);
    expect(weigh(page, inspector)).toBeLessThan(MAX_INSPECTOR);
  });

  it('holds no secret, no inline script and no inline style', async () => {
    const { files } = await buildPage();
    const html = new TextDecoder().decode(files.get('index.html'));
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bon\w+=|\bstyle=/);
    expect(html).toMatch(/<script type="module" src="\/assets\/main-[A-Z0-9]+\.js"><\/script>/);
  });
});

/** What is loaded with a chunk: the chunk itself, and all that it imports at once. */
function loadedWith({ metafile: { outputs } }: BuiltPage, source: string): string[] {
  const found = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === source));
  for (const path of found)
    for (const each of outputs[path]?.imports ?? []) if (each.kind === 'import-statement') found.add(each.path);
  return [...found].map((path) => path.replace('dist/page/', ''));
}

function weigh({ files }: BuiltPage, paths: Iterable<string>): number {
  let bytes = 0;
  for (const path of paths) bytes += gzipSync(files.get(path) ?? new Uint8Array()).length;
  return bytes;
}
