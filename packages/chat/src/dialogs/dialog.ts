import type { Line } from '@parley/terminal';
import type { Editor, Key } from '@parley/terminal/input';
import type { ViewOptions } from '../view/view-options.ts';

/** Something that asks the person and takes the keyboard until it is answered. */
export interface Dialog {
  /** The question it belongs to, where the agent asked it. */
  readonly questionId?: string;
  /** A text that is being written in it; stands where the prompt stood. */
  readonly editor?: Editor | undefined;
  /** Whether Escape closes it. */
  readonly canClose?: boolean;
  /** At most so many rows, where that is possible: what can be answered goes before everything else. */
  view(options: ViewOptions, maxRows?: number): Line[];
  /** False when the key means nothing to it and others may have it. */
  press(key: Key): boolean;
  /** Answers no, for this reason. Without it, what is written beside the question is an ordinary prompt. */
  readonly reject?: ((reason: string) => void) | undefined;
}
