import { describe, expect, it } from 'vitest';
import { checksOfRule, RULE_COUNT, UNCHECKED_RULES } from './rules.ts';

const rules = Array.from({ length: RULE_COUNT }, (_, index) => index + 1);

describe('the rules of the specification', () => {
  it('each have a check or a reason why there is none', () => {
    expect(rules.filter((rule) => checksOfRule(rule).length === 0 && UNCHECKED_RULES[rule] === undefined)).toEqual([]);
  });

  it('never have both', () => {
    expect(rules.filter((rule) => checksOfRule(rule).length > 0 && UNCHECKED_RULES[rule] !== undefined)).toEqual([]);
  });

  it('are all that checks and reasons speak of', () => {
    const named = Object.keys(UNCHECKED_RULES).map(Number);
    expect(named.filter((rule) => !rules.includes(rule))).toEqual([]);
  });
});
