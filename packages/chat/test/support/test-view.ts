import { chooseMarks } from '../../src/view/marks.ts';
import type { ViewOptions } from '../../src/view/view-options.ts';

/** Options for views in tests: a wide terminal and a clock that stands still. */
export const TEST_VIEW: ViewOptions = {
  width: 60,
  marks: chooseMarks({ LANG: 'C.UTF-8' }),
  cwd: '/proj',
  home: '/home/me',
  isDetailed: false,
  showsThoughts: false,
  now: 100_000,
};
