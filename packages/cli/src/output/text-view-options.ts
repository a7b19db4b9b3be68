import { chooseMarks, type TextWriterOptions } from '@parley/chat/view';
import { hasColor, isAsciiOnly } from '@parley/terminal';
import type { CliContext } from '../context.ts';
import type { OutputSettings } from './output-settings.ts';

/** What is written to no terminal is not broken into lines. */
const UNBROKEN = Number.MAX_SAFE_INTEGER;
const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 20;

export interface TextViewSettings extends Pick<OutputSettings, 'isVerbose' | 'hidesReads' | 'color'> {
  /** The folder within which paths are told without it. */
  readonly cwd: string;
  /** Default: true. */
  readonly showsThoughts?: boolean;
}

/** How text is shown on a stream: as wide as its window, in its colours, with the signs that it can show. */
export function textViewOptions(
  { isVerbose, hidesReads, color, cwd, showsThoughts = true }: TextViewSettings,
  context: CliContext,
  stream: { readonly isTTY?: boolean; readonly columns?: number },
): Pick<TextWriterOptions, 'view' | 'paint'> {
  const { env } = context;
  const marks = chooseMarks(env);
  const isColored = hasColor(context, stream, { color });
  return {
    view: () => ({
      // A terminal that was told no size, as in a container, says 0.
      width: stream.isTTY ? Math.max(MIN_WIDTH, (stream.columns || DEFAULT_WIDTH) - 1) : UNBROKEN,
      marks,
      cwd,
      home: env.HOME,
      isDetailed: isVerbose,
      showsAll: '--verbose',
      hidesReads,
      showsThoughts,
      now: Date.now(),
    }),
    paint: { hasColor: isColored, isStyled: isColored, isAscii: isAsciiOnly(env) },
  };
}
