import { cleanLine, clip, EMPTY_LINE, type Line, STYLES, withPrefix, wrapWords } from '@parley/terminal';
import { countChanges, viewDiff } from '@parley/terminal/diff';
import type { ViewOptions } from '../view/view-options.ts';
import { wordCount, wordPath } from '../view/wording.ts';
import type { SessionChanges } from './session-changes.ts';

/** So much of each file is shown. */
const MAX_ROWS = 400;
const MAX_OTHERS = 20;

/** The changes of a session, file by file, each with how much it is. */
export function viewChanges({ files, unchanged, others }: SessionChanges, options: ViewOptions): Line[] {
  const { width, cwd, home } = options;
  const name = (path: string): string => cleanLine(wordPath(path, cwd, home));
  const rows: Line[] = [];
  let [added, removed] = [0, 0];
  for (const { path, note, hunks } of files) {
    const counts = countChanges(hunks);
    added += counts.added;
    removed += counts.removed;
    const view = viewDiff(hunks, { width: Math.max(1, width - 4), maxRows: MAX_ROWS, path, theme: options.theme });
    rows.push(
      EMPTY_LINE,
      clip(
        [
          { text: `  ${name(path)}`, style: STYLES.bold },
          { text: `  +${counts.added} -${counts.removed}${note === undefined ? '' : ` (${note})`}`, style: STYLES.dim },
        ],
        width,
      ),
      ...withPrefix(view.lines, [{ text: '    ' }]),
    );
    if (view.hidden > 0)
      rows.push([{ text: `    … ${wordCount(view.hidden, 'more changed line')}`, style: STYLES.dim }]);
  }
  const say = (words: string): Line[] =>
    withPrefix(wrapWords([{ text: words, style: STYLES.dim }], Math.max(1, width - 2)), [{ text: '  ' }]);
  const list = (paths: readonly string[]): string => {
    const more = paths.length - MAX_OTHERS;
    return `${paths.slice(0, MAX_OTHERS).map(name).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  };
  const sum = `${wordCount(files.length, 'file')} changed by tools in this session, +${added} -${removed}`;
  return [
    ...say(files.length === 0 ? 'The tools of this session have changed no file that is different now.' : sum),
    ...rows,
    ...(unchanged.length > 0 ? [EMPTY_LINE, ...say(`As before again: ${list(unchanged)}`)] : []),
    ...(others.length > 0
      ? [EMPTY_LINE, ...say(`Not by tools, or before this session, says git: ${list(others)}`)]
      : []),
  ];
}
