import type { PermissionOption, PermissionOptionKind, RequestPermissionOutcome } from '@parley/protocol';

/**
 * One of the agent's own options by its id, or one by its kind. `allow` and `reject` mean this once.
 * `cancel` is no answer at all, and ends the whole turn with some agents.
 */
export type PermissionAnswer = { readonly optionId: string } | PermissionOptionKind | 'allow' | 'reject' | 'cancel';

/** What an option is picked for; `allow_any` takes a lasting approval rather than none. */
export type OptionChoice = PermissionOptionKind | 'allow_any';

export const CANCELLED: RequestPermissionOutcome = { outcome: 'cancelled' };

/**
 * Which kinds stand for a choice, best first. An approval is never made longer than it was meant; a rejection may be, rather
 * than be lost.
 */
const KINDS: { readonly [Choice in OptionChoice]: readonly PermissionOptionKind[] } = {
  allow_once: ['allow_once'],
  allow_any: ['allow_once', 'allow_always'],
  allow_always: ['allow_always', 'allow_once'],
  reject_once: ['reject_once', 'reject_always'],
  reject_always: ['reject_always', 'reject_once'],
};

/**
 * The offered option that comes closest to a choice, by its kind. Undefined when no option does.
 *
 * An approval is picked only where it is the only option of its kind. Several `allow_once` options are different answers
 * ("Production", "Test"), and none of them is "yes": only the person chooses among them, whatever the rule, mode or flag, and
 * no lasting option stands in for them either. Several `allow_always` options reach differently far; the only `allow_once`
 * stands in for them. Of several rejections the first is picked: each of them allows nothing.
 *
 * Rules, modes, flags, remembered answers and handlers that answer with a kind all come through here.
 */
export function findPermissionOption(
  options: readonly PermissionOption[],
  choice: OptionChoice,
): PermissionOption | undefined {
  const offered = (kind: PermissionOptionKind) => options.filter((option) => option.kind === kind);
  const isApproving = choice.startsWith('allow');
  if (isApproving && offered('allow_once').length > 1) return undefined;
  for (const kind of KINDS[choice]) {
    const [found, ...others] = offered(kind);
    if (found && !(isApproving && others.length > 0)) return found;
  }
  return undefined;
}

/**
 * The outcome for an answer: always one of the offered ids. An id that was not offered is a rejection, and an answer that no
 * option can express is `cancelled`, which never allows anything.
 */
export function chooseOption(
  options: readonly PermissionOption[],
  answer: PermissionAnswer | OptionChoice,
): RequestPermissionOutcome {
  if (answer === 'cancel') return CANCELLED;
  if (typeof answer === 'object') {
    const isOffered = options.some(({ optionId }) => optionId === answer.optionId);
    return isOffered ? selected(answer.optionId) : chooseOption(options, 'reject');
  }
  const found = findPermissionOption(options, answer === 'allow' || answer === 'reject' ? `${answer}_once` : answer);
  return found ? selected(found.optionId) : CANCELLED;
}

/**
 * What the rules say, in the agent's options; undefined when the person must choose. A rule approves one request, so where the
 * agent offers only lasting approvals the person chooses, unless the approval `mayLast`. A denial never becomes a question.
 */
export function chooseByVerdict(
  options: readonly PermissionOption[],
  verdict: 'allow' | 'ask' | 'deny',
  mayLast = false,
): RequestPermissionOutcome | undefined {
  if (verdict === 'ask') return undefined;
  if (verdict === 'deny') return chooseOption(options, 'reject');
  const found = findPermissionOption(options, mayLast ? 'allow_any' : 'allow_once');
  return found && selected(found.optionId);
}

/** Why an approval by rule leaves the choice to the person, in a sentence. */
export function whyPersonChooses(options: readonly PermissionOption[]): string {
  const approvals = options.filter(isApproval);
  if (approvals.length > 1) return 'Several answers are offered; only a person can choose one.';
  return approvals.length === 1 ? 'Only a lasting approval is offered.' : 'No approval is offered.';
}

/** What an outcome means, by the kind of the option that was chosen. */
export function meaningOf(
  options: readonly PermissionOption[],
  outcome: RequestPermissionOutcome,
): 'allowed' | 'rejected' | 'cancelled' {
  if (outcome.outcome !== 'selected') return 'cancelled';
  const chosen = options.find(({ optionId }) => optionId === outcome.optionId);
  return chosen && isApproval(chosen) ? 'allowed' : 'rejected';
}

/** Does this option approve? One of a kind that is not known does not. */
export function isApproval({ kind }: Pick<PermissionOption, 'kind'>): boolean {
  return kind === 'allow_once' || kind === 'allow_always';
}

/** Does this option stand for the next requests, too? */
export function isLasting({ kind }: Pick<PermissionOption, 'kind'>): boolean {
  return kind === 'allow_always' || kind === 'reject_always';
}

function selected(optionId: string): RequestPermissionOutcome {
  return { outcome: 'selected', optionId };
}
