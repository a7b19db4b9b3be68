import type { PermissionOption, PermissionOptionKind } from '../v1/types.gen.ts';

/** The key in `_meta` of an answer under which Parley's client says why not, where a rule said no or nobody was there to ask. */
export const PERMISSION_REASON = 'parley/because';

/** What an answer to a permission request wishes for; `allow_any` takes a lasting yes rather than none. */
export type PermissionWish = PermissionOptionKind | 'allow_any';

/** Which kinds stand for a wish, best first. A yes is never made longer than it was meant; a no may be, rather than be lost. */
const KINDS: { readonly [Wish in PermissionWish]: readonly PermissionOptionKind[] } = {
  allow_once: ['allow_once'],
  allow_any: ['allow_once', 'allow_always'],
  allow_always: ['allow_always', 'allow_once'],
  reject_once: ['reject_once', 'reject_always'],
  reject_always: ['reject_always', 'reject_once'],
};

/** The offered option that comes closest to a wish, by its kind; of two of one kind the first. Undefined when none says it. */
export function findPermissionOption(
  options: readonly PermissionOption[],
  wish: PermissionWish,
): PermissionOption | undefined {
  for (const kind of KINDS[wish]) {
    const found = options.find((option) => option.kind === kind);
    if (found) return found;
  }
  return undefined;
}
