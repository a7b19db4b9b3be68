import type { PermissionDecision, TurnResult } from '@parley/client';
import { shellLine } from '@parley/host/terminal';
import { findPermissionOption } from '@parley/policy/options';
import { shortLine } from '@parley/terminal';
import type { Denial } from '../output/run-outcome.ts';
import { suggestRules } from '../permissions/suggest-rules.ts';
import type { RunSettings } from './settings/run-settings.ts';

export interface DenialOptions {
  readonly settings: RunSettings;
  readonly home: string | undefined;
  /** Whether a person is at the terminal, and decides what no rule does. */
  readonly isSomebodyThere: boolean;
}

/** Collects what was denied by a rule, a mode, or for want of somebody to ask. */
export class Denials {
  readonly #options: DenialOptions;
  readonly #found: Promise<Denial>[] = [];

  constructor(options: DenialOptions) {
    this.#options = options;
  }

  add(decision: PermissionDecision): void {
    const { outcome, by } = decision;
    const isByPerson = by === 'cancelled' || (by === 'person' && this.#options.isSomebodyThere);
    if (outcome === 'allowed' || isByPerson || this.#found.length >= MAX_DENIALS) return;
    this.#found.push(this.#explain(decision));
  }

  /** Each once, oldest first. */
  async list(): Promise<readonly Denial[]> {
    const all = await Promise.all(this.#found);
    return all.filter((each, index) => all.findIndex((other) => isSame(other, each)) === index);
  }

  async #explain({ question, by, because = '' }: PermissionDecision): Promise<Denial> {
    const { settings, home } = this.#options;
    const title = shortLine(question.toolCall.title ?? question.toolCall.toolCallId);
    if (by === 'rule') return { title, because, next: [] };
    const alone = settings.permissions.mayAsk
      ? 'Nobody can be asked: this is no terminal.'
      : 'The policy denies what no rule allows.';
    const next = await allowFlags(question, settings, home);
    return { title, because: because === '' ? alone : `${because} ${alone}`, next };
  }
}

/** Tool calls that failed under `--deny-all`, where the agent was told of it and did not even ask. */
export function deniedUnasked(failures: TurnResult['failures']): readonly Denial[] {
  return failures.map(({ title }) => ({
    title: shortLine(title),
    because: '--deny-all allows nothing.',
    next: [],
  }));
}

/**
 * The flags that would allow a tool call: rules for exactly it where there are such, and everything else. No flag chooses
 * among several answers.
 */
export async function allowFlags(
  { toolCall, options }: Pick<PermissionDecision['question'], 'toolCall' | 'options'>,
  { session: { cwd, additionalDirectories = [] } }: RunSettings,
  home: string | undefined,
): Promise<readonly string[]> {
  if (!findPermissionOption(options, 'allow_any')) return [];
  const rules = await suggestRules(toolCall, { cwd, additionalDirectories, home }).catch(() => []);
  const allow = rules.map((rule) => shellLine`--allow ${rule}`).join(' ');
  return [...(allow === '' ? [] : [allow]), '--approve-all'];
}

function isSame(a: Denial, b: Denial): boolean {
  return a.title === b.title && a.because === b.because;
}

/** More than anybody reads. */
const MAX_DENIALS = 20;
