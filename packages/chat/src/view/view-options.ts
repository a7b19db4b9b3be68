import type { Theme } from '@parley/terminal';
import type { Marks } from './marks.ts';

/** What every view needs to know. */
export interface ViewOptions {
  /** How many columns a line may have. */
  readonly width: number;
  readonly marks: Marks;
  readonly cwd: string;
  readonly home?: string | undefined;
  /** Tool calls are shown whole. */
  readonly isDetailed: boolean;
  /** The key or the flag that shows what is left out: `ctrl+o`. Undefined where there is none. */
  readonly showsAll?: string;
  /** Leaves out what files contain. Default: false. */
  readonly hidesReads?: boolean;
  readonly showsThoughts: boolean;
  /** What the terminal looks like, where that is known and there are colours. */
  readonly theme?: Theme | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}
