import type { PermissionOption } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseByVerdict,
  chooseOption,
  findPermissionOption,
  isApproval,
  isLasting,
  meaningOf,
  whyPersonChooses,
} from './choose-option.ts';

const all: PermissionOption[] = [
  { optionId: 'aa', name: 'Always', kind: 'allow_always' },
  { optionId: 'ao', name: 'Once', kind: 'allow_once' },
  { optionId: 'ra', name: 'Never', kind: 'reject_always' },
  { optionId: 'ro', name: 'No', kind: 'reject_once' },
];
/** A question in the form of a permission request. */
const databases: PermissionOption[] = [
  { optionId: 'prod', name: 'Production', kind: 'allow_once' },
  { optionId: 'test', name: 'Test', kind: 'allow_once' },
  { optionId: 'none', name: 'None', kind: 'reject_once' },
];
const cancelled = { outcome: 'cancelled' };
const selected = (optionId: string) => ({ outcome: 'selected', optionId });
const only = (...kinds: string[]) => all.filter((option) => kinds.includes(option.kind));
/** An option as a later protocol might have it. */
const unknown = { optionId: 'af', name: 'For an hour', kind: 'allow_hour' } as unknown as PermissionOption;

describe('choosing an option', () => {
  it('allows once before always, unless the person chose always', () => {
    expect(chooseOption(all, 'allow')).toEqual(selected('ao'));
    expect(chooseOption(all, 'allow_once')).toEqual(selected('ao'));
    expect(chooseOption(all, 'allow_always')).toEqual(selected('aa'));
    expect(chooseOption(only('allow_once'), 'allow_always')).toEqual(selected('ao'));
  });

  it('never makes an approval longer than it was meant', () => {
    expect(findPermissionOption(only('allow_always', 'reject_once'), 'allow_once')).toBeUndefined();
    expect(chooseOption(only('allow_always', 'reject_once'), 'allow')).toEqual(cancelled);
    expect(chooseOption(only('allow_always'), 'allow')).toEqual(cancelled);
  });

  it('takes a lasting approval rather than none only where that is asked for', () => {
    expect(chooseOption(all, 'allow_any')).toEqual(selected('ao'));
    expect(chooseOption(only('allow_always', 'reject_once'), 'allow_any')).toEqual(selected('aa'));
  });

  it('rejects with a reject option, be it a longer one', () => {
    expect(chooseOption(all, 'reject')).toEqual(selected('ro'));
    expect(chooseOption(all, 'reject_always')).toEqual(selected('ra'));
    expect(chooseOption(only('allow_once', 'reject_always'), 'reject')).toEqual(selected('ra'));
    expect(chooseOption(only('reject_once'), 'reject_always')).toEqual(selected('ro'));
  });

  it('never picks one of several approvals of a kind; only an id does', () => {
    for (const answer of ['allow', 'allow_once', 'allow_any', 'allow_always'] as const) {
      expect(chooseOption(databases, answer), answer).toEqual(cancelled);
      // A lasting approval is no way around the choice.
      expect(chooseOption([...databases, ...only('allow_always')], answer), answer).toEqual(cancelled);
    }
    expect(chooseOption(databases, { optionId: 'test' })).toEqual(selected('test'));
    expect(chooseOption(databases, 'reject')).toEqual(selected('none'));
  });

  it('takes the only approval for once where the lasting ones reach differently far', () => {
    const further: PermissionOption = { optionId: 'bypass', name: 'Yes, and never ask again', kind: 'allow_always' };
    expect(chooseOption([further, ...all], 'allow_always')).toEqual(selected('ao'));
    expect(chooseOption([further, ...all], 'allow')).toEqual(selected('ao'));
    expect(chooseOption([further, ...only('allow_always')], 'allow_any')).toEqual(cancelled);
    expect(chooseOption([further, ...only('allow_always')], 'allow_always')).toEqual(cancelled);
  });

  it('never allows what cannot be said with the offered options', () => {
    expect(findPermissionOption(only('allow_once'), 'reject_once')).toBeUndefined();
    expect(chooseOption(only('allow_once', 'allow_always'), 'reject')).toEqual(cancelled);
    expect(chooseOption(only('allow_once', 'allow_always'), { optionId: 'unknown' })).toEqual(cancelled);
    expect(chooseOption([], 'allow')).toEqual(cancelled);
    expect(chooseOption([unknown], 'allow_any')).toEqual(cancelled);
  });

  it('takes an id that was not offered for a rejection', () => {
    expect(chooseOption(all, { optionId: 'aa' })).toEqual(selected('aa'));
    expect(chooseOption(all, { optionId: 'yes' })).toEqual(selected('ro'));
  });

  it('is cancelled when cancelled, whatever is offered', () => {
    expect(chooseOption(all, 'cancel')).toEqual(cancelled);
  });
});

describe('choosing by verdict', () => {
  it('answers what the rules allow and deny, and leaves the rest to the person', () => {
    expect(chooseByVerdict(all, 'allow')).toEqual(selected('ao'));
    expect(chooseByVerdict(all, 'deny')).toEqual(selected('ro'));
    expect(chooseByVerdict(all, 'ask')).toBeUndefined();
  });

  it('lets the person choose where only a lasting approval is offered, unless the approval may last', () => {
    expect(chooseByVerdict(only('allow_always', 'reject_once'), 'allow')).toBeUndefined();
    expect(chooseByVerdict(only('allow_always', 'reject_once'), 'allow', true)).toEqual(selected('aa'));
    expect(chooseByVerdict(all, 'allow', true)).toEqual(selected('ao'));
  });

  it('leaves every choice among approvals to the person, and says why', () => {
    expect(chooseByVerdict(databases, 'allow')).toBeUndefined();
    expect(chooseByVerdict(databases, 'allow', true)).toBeUndefined();
    expect(whyPersonChooses(databases)).toBe('Several answers are offered; only a person can choose one.');
    expect(whyPersonChooses(only('allow_always'))).toBe('Only a lasting approval is offered.');
    expect(whyPersonChooses(only('reject_once'))).toBe('No approval is offered.');
  });

  it('never turns a denial into a question', () => {
    expect(chooseByVerdict(only('allow_once'), 'deny')).toEqual(cancelled);
    expect(chooseByVerdict(only('allow_once', 'reject_always'), 'deny')).toEqual(selected('ra'));
  });
});

describe('what an option means', () => {
  it('is told by its kind', () => {
    expect(all.map((option) => meaningOf(all, { outcome: 'selected', optionId: option.optionId }))).toEqual([
      'allowed',
      'allowed',
      'rejected',
      'rejected',
    ]);
    expect(all.filter(isLasting).map(({ optionId }) => optionId)).toEqual(['aa', 'ra']);
    expect(meaningOf(all, { outcome: 'cancelled' })).toBe('cancelled');
  });

  it('is no approval, and nothing that lasts, where the kind or the id is not known', () => {
    expect(isApproval(unknown)).toBe(false);
    expect(isLasting({ ...unknown, kind: 'allow_hour_always' as never })).toBe(false);
    expect(meaningOf([unknown], { outcome: 'selected', optionId: 'af' })).toBe('rejected');
    expect(meaningOf(all, { outcome: 'selected', optionId: 'yes' })).toBe('rejected');
  });
});

describe('for any list of options', () => {
  const KINDS = ['allow_once', 'allow_always', 'reject_once', 'reject_always', 'allow_hour'] as const;
  const optionLists = fc
    .array(fc.constantFrom(...KINDS), { maxLength: 8 })
    .map((kinds) => kinds.map((kind, index) => ({ optionId: `o${index}`, name: `Option ${index}`, kind }) as never));
  const count = (options: readonly PermissionOption[], kind: string) =>
    options.filter((option) => option.kind === kind).length;

  it('an approval without an id is the only one of its kind, and never skips a choice for once', () => {
    const answers = fc.constantFrom('allow', 'allow_once', 'allow_any', 'allow_always' as const);
    fc.assert(
      fc.property(optionLists, answers, (options: PermissionOption[], answer) => {
        const outcome = chooseOption(options, answer as 'allow');
        if (meaningOf(options, outcome) !== 'allowed' || outcome.outcome !== 'selected') return;
        const chosen = options.find(({ optionId }) => optionId === outcome.optionId);
        expect(count(options, chosen?.kind ?? '')).toBe(1);
        expect(count(options, 'allow_once')).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('a rule approves the only approval for once, or, where it may last, the only lasting one', () => {
    fc.assert(
      fc.property(optionLists, fc.boolean(), (options: PermissionOption[], mayLast) => {
        const [once, always] = [count(options, 'allow_once'), count(options, 'allow_always')];
        const isClear = once === 1 || (mayLast && once === 0 && always === 1);
        expect(chooseByVerdict(options, 'allow', mayLast) !== undefined).toBe(isClear);
      }),
    );
  });

  it('the order of the options decides nothing about an approval', () => {
    fc.assert(
      fc.property(optionLists, (options: PermissionOption[]) => {
        expect(chooseByVerdict([...options].reverse(), 'allow', true)).toEqual(chooseByVerdict(options, 'allow', true));
      }),
    );
  });
});
