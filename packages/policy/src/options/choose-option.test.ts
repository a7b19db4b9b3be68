import type { PermissionOption } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import {
  chooseByVerdict,
  chooseOption,
  findPermissionOption,
  isApproval,
  isLasting,
  meaningOf,
} from './choose-option.ts';

const all: PermissionOption[] = [
  { optionId: 'aa', name: 'Always', kind: 'allow_always' },
  { optionId: 'ao', name: 'Once', kind: 'allow_once' },
  { optionId: 'ao2', name: 'Once, and tell me', kind: 'allow_once' },
  { optionId: 'ra', name: 'Never', kind: 'reject_always' },
  { optionId: 'ro', name: 'No', kind: 'reject_once' },
];
const cancelled = { outcome: 'cancelled' };
const selected = (optionId: string) => ({ outcome: 'selected', optionId });
const only = (...kinds: string[]) => all.filter((option) => kinds.includes(option.kind));
/** An option as a later protocol might have it. */
const unknown = { optionId: 'af', name: 'For an hour', kind: 'allow_hour' } as unknown as PermissionOption;

describe('choosing an option', () => {
  it('allows once before always, unless the person chose always; of two of one kind the first', () => {
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

  it('never allows what cannot be said with the offered options', () => {
    expect(findPermissionOption(only('allow_once'), 'reject_once')).toBeUndefined();
    expect(chooseOption(only('allow_once', 'allow_always'), 'reject')).toEqual(cancelled);
    expect(chooseOption(only('allow_once', 'allow_always'), { optionId: 'unknown' })).toEqual(cancelled);
    expect(chooseOption([], 'allow')).toEqual(cancelled);
    expect(chooseOption([unknown], 'allow_any')).toEqual(cancelled);
  });

  it('takes an id that was not offered for a rejection', () => {
    expect(chooseOption(all, { optionId: 'ao2' })).toEqual(selected('ao2'));
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
