import { describe, expect, it } from 'vitest';
import { checksOfRule, FIRST_VERSION_RULES, RULE_COUNT, SECOND_VERSION_RULES, UNCHECKED_RULES } from './rules.ts';

const rules = Array.from({ length: RULE_COUNT }, (_, index) => index + 1);

describe('the rules of the specification', () => {
  it('each have a check or a reason why there is none', () => {
    expect(rules.filter((rule) => checksOfRule(rule).length === 0 && UNCHECKED_RULES[rule] === undefined)).toEqual([]);
  });

  it('each have such a check in every version that they belong to', () => {
    const ofFirst = rules.filter((rule) => !SECOND_VERSION_RULES.includes(rule));
    const ofSecond = rules.filter((rule) => !FIRST_VERSION_RULES.includes(rule));
    const isMissing = (rule: number, protocol: 1 | 2): boolean =>
      checksOfRule(rule, protocol).length === 0 && UNCHECKED_RULES[rule] === undefined;
    expect(ofFirst.filter((rule) => isMissing(rule, 1))).toEqual([]);
    expect(ofSecond.filter((rule) => isMissing(rule, 2))).toEqual([]);
  });

  it('never have both', () => {
    expect(rules.filter((rule) => checksOfRule(rule).length > 0 && UNCHECKED_RULES[rule] !== undefined)).toEqual([]);
  });

  it('are all that checks and reasons speak of', () => {
    const named = Object.keys(UNCHECKED_RULES).map(Number);
    expect(named.filter((rule) => !rules.includes(rule))).toEqual([]);
  });
});
