import type { Transcript } from '@parley/client';
import { wordUsage } from '@parley/session/view';
import { cleanLine, clip, type Line, type Span, STYLES, type Style, textWidth, widthOf } from '@parley/terminal';
import { valueName } from '../../conversation/session-modes.ts';
import type { ViewOptions } from '../../view/view-options.ts';
import { wordPath } from '../../view/wording.ts';
import type { PermissionWords } from './word-permissions.ts';

export interface StatusFacts {
  readonly agentTitle: string;
  readonly transcript: Transcript | undefined;
  readonly branch?: string | undefined;
  /** What runs without asking, where that is unusual. */
  readonly permissions?: readonly PermissionWords[];
  /** Whether shift+tab switches that, and not the agent's own mode. */
  readonly isSwitched?: boolean;
  /** The state of the keys, such as NORMAL. */
  readonly keys?: string | undefined;
  /** Which keys matter now. */
  readonly hint: string;
}

/** A rule with what is worth knowing on it: it stands above the prompt, so that nothing stands below the caret. */
export function viewStatus(facts: StatusFacts, options: ViewOptions): Line {
  const { marks, width } = options;
  const parts: Span[] = [
    ...(facts.keys === undefined ? [] : [{ text: facts.keys, style: STYLES.bold }]),
    { text: facts.agentTitle },
    ...wordSwitched(facts),
    ...[...wordSettings(facts), ...wordUsage(facts.transcript?.usage), wordPlace(facts, options)].map((text) => ({
      text,
    })),
  ];
  const left = parts.flatMap(({ text, style = STYLES.dim }, index): Span[] => [
    ...(index === 0 ? [] : [{ text: ` ${marks.separator} `, style: STYLES.dim }]),
    { text: cleanLine(text), style },
  ]);
  const start: Span[] = [{ text: `${marks.rule}${marks.rule} `, style: STYLES.dim }, ...left, { text: ' ' }];
  const right = facts.hint === '' ? '' : ` ${facts.hint} ${marks.rule}`;
  // A hint says what the next key does; the rest gives way to it.
  const shown = clip(start, Math.max(0, width - textWidth(right)));
  const room = Math.max(0, width - widthOf(shown) - textWidth(right));
  return clip([...shown, { text: marks.rule.repeat(room) + right, style: STYLES.dim }], width);
}

/** What is asked, with the key that changes it. That everything is asked is nothing to notice. */
function wordSwitched({ permissions = [], isSwitched = false }: StatusFacts): Span[] {
  const key = isSwitched ? ' (shift+tab)' : '';
  if (permissions.length === 0) return isSwitched ? [{ text: `asks${key}` }] : [];
  return permissions.map(({ text, isAlarming }) => ({ text: text + key, style: isAlarming ? ALARM : STYLES.bold }));
}

const ALARM: Style = { ...STYLES.bad, ...STYLES.bold };

/** The mode and the model, by the names the agent gives them. */
function wordSettings({ transcript, isSwitched }: StatusFacts): string[] {
  const { mode, options = [] } = transcript ?? {};
  const words: string[] = [];
  const current = mode?.availableModes.find(({ id }) => id === mode.currentModeId)?.name ?? mode?.currentModeId;
  const modeOption = options.find(({ category }) => category === 'mode');
  const modeName = current ?? (modeOption && valueName(modeOption));
  if (modeName !== undefined) words.push(isSwitched ? modeName : `${modeName} (shift+tab)`);
  const model = options.find(({ category }) => category === 'model');
  if (model) words.push(valueName(model));
  const sandbox = options.find(({ category }) => category === '_sandbox');
  const shown = SANDBOX_WORDS[String(sandbox?.currentValue)];
  if (shown !== undefined) words.push(shown);
  return words;
}

/** The states of our own agent's sandbox. */
const SANDBOX_WORDS: Readonly<Record<string, string>> = {
  unasked: 'sandbox',
  off: 'sandbox off',
  always: 'sandbox always',
  unavailable: 'no sandbox',
};

function wordPlace({ branch }: StatusFacts, { cwd, home }: ViewOptions): string {
  const place = wordPath(cwd, cwd, home);
  return branch === undefined ? place : `${place} ${branch}`;
}
