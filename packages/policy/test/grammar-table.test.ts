import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createPolicy, decide } from '../src/index.ts';
import { GRAMMAR } from '../src/shell/grammar.ts';
import { PLAIN_DISK } from './memory-disk.ts';
import { bash } from './requests.ts';

const DOCUMENT = new URL('../../../docs/concepts/permissions.md', import.meta.url);
const [START, END] = [
  '<!-- grammar: made by packages/policy/test/grammar-table.test.ts -->',
  '<!-- end of grammar -->',
];

describe('the grammar of lines that may run unasked', () => {
  const { realPath, listFolder } = PLAIN_DISK;
  const workspace = { cwd: '/proj/app', home: '/home/me', realPath, ...(listFolder && { listFolder }) };
  const policy = createPolicy({ workspace, rules: ['Bash'], shell: 'bash', protectedPaths: [] });
  const cases = Object.entries(GRAMMAR).map(([name, { example, because }]) => ({ name, example, because }));

  it.each(cases)('has an example of "$name" that is decided as the table says: $example', ({ example, because }) => {
    const decision = decide(policy, bash(example === "cat <<'EOF'" ? `${example}\na\nEOF` : example));
    if (because === undefined) expect(decision.reason).not.toBe('opaque');
    else expect(decision).toMatchObject({ verdict: 'ask', reason: 'opaque' });
  });

  it('stands in docs/concepts/permissions.md; PARLEY_UPDATE_DOCS=1 writes it', () => {
    const rows = cases.map(
      ({ name, example, because }) =>
        `| ${name} | \`${example.replaceAll('|', '\\|')}\` | ${because === undefined ? 'may run' : `asks: it ${because}`} |`,
    );
    const table = ['| construct | example | |', '|---|---|---|', ...rows].join('\n');
    const text = readFileSync(DOCUMENT, 'utf8');
    const [before = '', rest = ''] = text.split(START);
    const after = rest.slice(rest.indexOf(END));
    const expected = `${before}${START}\n${table}\n${after}`;
    if (process.env.PARLEY_UPDATE_DOCS === '1') writeFileSync(DOCUMENT, expected);
    expect(readFileSync(DOCUMENT, 'utf8')).toBe(expected);
  });
});
