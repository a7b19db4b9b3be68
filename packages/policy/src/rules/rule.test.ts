import { describe, expect, it } from 'vitest';
import { formatRule } from '../helpers.ts';
import { parseRule, parseRules, RuleSyntaxError } from '../index.ts';
import { MAX_RULE_CHARS } from '../rules/rule.ts';

function columnOf(text: string): number | undefined {
  try {
    parseRule(text);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(RuleSyntaxError);
    return error instanceof RuleSyntaxError ? error.column : undefined;
  }
}

describe('parseRule', () => {
  it.each([
    'Read',
    'Grep',
    'Bash(git *)',
    'Bash(npm test)',
    'Edit(src/**)',
    'mcp__github__create_issue',
    'mcp__github__*',
    '*',
    'Fetch(domain:example.com)',
    'read_file(src/**)',
  ])('reads %s as a rule that allows', (text) => {
    expect(parseRule(text)).toMatchObject({ effect: 'allow', text });
  });

  it('reads the effect before the tool', () => {
    expect(parseRule('deny Bash(rm *)')).toMatchObject({ effect: 'deny', text: 'Bash(rm *)' });
    expect(parseRule('  ask   Edit  ')).toMatchObject({ effect: 'ask', text: 'Edit' });
  });

  it('takes tool families in any case', () => {
    for (const text of ['bash(git *)', 'BASH(git *)', 'Bash(git *)'])
      expect(parseRule(text).target).toMatchObject({ type: 'class' });
  });

  it.each([
    ['', 1, 'nothing'],
    ['Bash(git *', 11, 'no closing parenthesis'],
    ['Bash(git *) x', 14, 'text after the parenthesis'],
    ['Bash()', 6, 'nothing in the parentheses'],
    ['Bash(git; rm)', 9, 'an operator in a command'],
    ['Bash(git | sh)', 10, 'a pipe in a command'],
    ['Bash(echo $HOME)', 11, 'an expansion in a command'],
    ["Bash(git 'a)", 10, 'a quote without an end'],
    ['Bash(git \\)', 10, 'a backslash with nothing behind it'],
    ['deny Read(../x)', 11, 'a path that climbs'],
    ['Edit(a/../b)', 8, 'a path that climbs in the middle'],
    ['Re$ad', 3, 'a sign in a tool name'],
    ['Bash extra', 5, 'a word after the tool'],
    ['mcp__a__b(x)', 10, 'a pattern for a tool that takes none'],
    ['Fetch(example.com)', 7, 'an address without a scheme'],
    ['Bash(a\nb)', 7, 'a line break'],
  ])('names the column in %j', (text, column) => {
    expect(columnOf(text)).toBe(column);
  });

  it('refuses a rule that is too long', () => {
    expect(() => parseRule(`Bash(${'a'.repeat(MAX_RULE_CHARS)})`)).toThrow(RuleSyntaxError);
  });

  it('says what is wrong and what to do', () => {
    expect(() => parseRule('Bash(git; rm)')).toThrow(
      'Cannot read the rule "Bash(git; rm)": column 9: a pattern is one simple command; put ; in quotes if it is part of a word',
    );
  });
});

describe('parseRules', () => {
  it('reads the lists of a file and keeps where they came from', () => {
    const source = { scope: 'project', file: 'parley.json' } as const;
    const rules = parseRules({ allow: ['Read'], deny: ['Bash(rm *)'], ask: ['Bash(git push *)'] }, source);
    expect(rules.map((rule) => rule.effect)).toEqual(['deny', 'ask', 'allow']);
    expect(rules.map(formatRule)).toContain('deny Bash(rm *) (parley.json)');
  });
});
