import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteWords } from '../src/helpers.ts';
import {
  createPolicy,
  decide,
  offerOptions,
  parseRule,
  readAnswer,
  rememberedFrom,
  type ToolRequest,
  type Verdict,
} from '../src/index.ts';
import { readCorpus } from './corpus.ts';
import { createRandom, generateLine, mutateLine } from './shell-fuzz.ts';

const RUNS = { seed: 42, numRuns: 250 };
const RANK: Readonly<Record<Verdict, number>> = { allow: 2, ask: 1, deny: 0 };
const workspace = { cwd: '/proj/app', home: '/home/me' };

const known = [...readCorpus('everyday.tsv'), ...readCorpus('adversarial.tsv')].map((entry) => entry.command);
const commands = fc.oneof(
  fc.constantFrom(...known),
  fc.integer().map((seed) => generateLine(createRandom(seed))),
  fc.tuple(fc.constantFrom(...known), fc.integer()).map(([line, seed]) => mutateLine(line, createRandom(seed))),
);
const allowRules = [
  'Bash(git *)',
  'Bash(ls *)',
  'Bash(cat *)',
  'Bash(npm test)',
  'Bash(a *)',
  'Bash(echo *)',
  'Bash(find *)',
  'Bash',
  'Edit(src/**)',
  'Read',
  'Bash(status *)',
];
const denyRules = [
  'deny Bash(rm *)',
  'deny Bash(git push *)',
  'deny Read(.env)',
  'deny Edit(src/**)',
  'deny Bash(*)',
  'deny Read',
  'deny Bash(a b)',
  'deny *',
];
const rules = fc.subarray(allowRules);
const mode = fc.constantFrom('default', 'acceptEdits', 'bypassPermissions', 'plan');

function bash(line: string): ToolRequest {
  return { tool: 'Bash', kind: 'execute', command: { type: 'line', line } };
}

describe('decide', () => {
  it('never allows more because a deny rule was added', () => {
    const property = fc.property(
      commands,
      rules,
      fc.constantFrom(...denyRules),
      mode,
      (line, allowed, denied, permissionMode) => {
        const before = decide(createPolicy({ workspace, mode: permissionMode, rules: allowed }), bash(line));
        const after = decide(
          createPolicy({ workspace, mode: permissionMode, rules: [...allowed, denied] }),
          bash(line),
        );
        expect(RANK[after.verdict]).toBeLessThanOrEqual(RANK[before.verdict]);
      },
    );
    fc.assert(property, RUNS);
  });

  it('never allows more because an ask rule was added', () => {
    const property = fc.property(commands, rules, (line, allowed) => {
      const before = decide(createPolicy({ workspace, rules: allowed }), bash(line));
      const after = decide(
        createPolicy({ workspace, rules: [...allowed, 'ask Bash(git *)', 'ask Edit(./**)'] }),
        bash(line),
      );
      expect(RANK[after.verdict]).toBeLessThanOrEqual(RANK[before.verdict]);
    });
    fc.assert(property, RUNS);
  });

  it('never allows a list of commands more than each of them', () => {
    const joints = fc.constantFrom('; ', ' && ', ' || ', '\n', ' | ', ' & ');
    const property = fc.property(
      commands,
      commands,
      joints,
      rules,
      mode,
      (first, second, joint, allowed, permissionMode) => {
        const policy = createPolicy({ workspace, mode: permissionMode, rules: [...allowed, 'deny Bash(rm *)'] });
        const both = RANK[decide(policy, bash(`${first}${joint}${second}`)).verdict];
        // A line that cannot be read alone may be completed by the other; what can be read counts by itself.
        const parts = [first, second]
          .map((line) => decide(policy, bash(line)))
          .filter((part) => !/opaque|may-be-denied/.test(part.reason));
        if (both === RANK.allow) for (const part of parts) expect(RANK[part.verdict]).toBe(RANK.allow);
      },
    );
    fc.assert(property, RUNS);
  });

  it('never throws, whatever the bytes', () => {
    const policy = createPolicy({ workspace, rules: ['Bash(git *)', 'deny Bash(rm *)', 'deny Read(**/.env)', 'Read'] });
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => String.fromCharCode(...bytes)),
    );
    const property = fc.property(text, (line) => {
      expect(['allow', 'ask', 'deny']).toContain(decide(policy, bash(line)).verdict);
      decide(policy, { tool: line, paths: [line], kind: 'edit' });
      decide(policy, { tool: 'x', kind: 'fetch', url: line });
      decide(policy, { tool: line, command: { type: 'arguments', words: [line, line] } });
    });
    fc.assert(property, RUNS);
  });
});

describe('a remembered decision', () => {
  it('allows exactly what was shown', () => {
    const property = fc.property(commands, commands, (line, other) => {
      const asking = createPolicy({ workspace });
      const offered = offerOptions(bash(line), decide(asking, bash(line)), workspace.cwd, ['session']);
      const always = offered.find(({ isAllow, remember }) => isAllow && remember?.what.type === 'exact');
      if (!always) return;
      const { chosen } = readAnswer(offered, { outcome: 'selected', optionId: always.option.optionId });
      const entry =
        chosen && rememberedFrom(chosen, { id: '1', createdAt: '2025-01-01T00:00:00Z', place: { sessionId: 's' } });
      expect(entry?.shown).toBe(always.remember?.shown);
      const policy = createPolicy({ workspace, remembered: entry ? [entry] : [] });
      expect(decide(policy, bash(line)).verdict).toBe('allow');
      if (other !== line) expect(decide(policy, bash(other)).verdict).toBe(decide(asking, bash(other)).verdict);
      expect(decide(policy, { ...bash(line), cwd: 'elsewhere' }).verdict).not.toBe('allow');
    });
    fc.assert(property, RUNS);
  });
});

describe('quoting', () => {
  it('reads back exactly the words it wrote', () => {
    const word = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 });
    const property = fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      const rule = parseRule(`Bash(${quoteWords(words)})`);
      expect(rule.pattern?.type === 'command' && rule.pattern.words.map((each) => each.literal)).toEqual(words);
    });
    fc.assert(property, RUNS);
  });
});
