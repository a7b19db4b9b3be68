import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesOfPackages, root } from './repository.ts';

/** Nicknames that once stood for a queue, a table or an owner; docs/glossary.md has the words to use. */
const NICKNAMES = /breath|shelf|shelves|desk(?!top)|keeper|workings|open-?ends|stash|passage|forgettable|errand/i;

describe('names', () => {
  it('of files are none that only their author would search for', () => {
    expect(filesOfPackages.filter((file) => NICKNAMES.test(basename(file)))).toEqual([]);
  });

  it('of types, classes, functions and constants are none that only their author would search for', () => {
    const named = filesOfPackages.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const found = text.matchAll(
        /^(?:export )?(?:abstract |async )?(?:class|interface|type|function\*?|const) (\w+)/gm,
      );
      return [...found].map(([, name = '']) => `${file}: ${name}`);
    });
    expect(named.filter((each) => NICKNAMES.test(each.slice(each.indexOf(':'))))).toEqual([]);
  });
});
