import type { MessageEntry, ThoughtEntry } from '@parley/client';
import { type Line, restyle, STYLES } from '@parley/terminal';
import { MarkdownStream, renderBlocks } from '@parley/terminal/markdown';
import { wordContent } from '../../view/entry-view.ts';

/** How far an entry has been read: so many of its blocks, and so much of the next. */
export interface ReadPosition {
  readonly block: number;
  readonly offset: number;
}

export const UNREAD: ReadPosition = { block: 0, offset: 0 };

const INDENT = '  ';
/** So much of a message is made into lines for one frame; the rest comes with the next ones, and keys in between. */
const MAX_FRAME_CHARACTERS = 32_768;

/** One message or thought while it comes: its finished part as lines, each of them once, and its tail. */
export class SpokenStream {
  readonly index: number;
  readonly isThought: boolean;
  readonly startedAt: number | undefined;
  readonly #markdown = new MarkdownStream();
  #position: ReadPosition;

  constructor(index: number, entry: MessageEntry | ThoughtEntry, position: ReadPosition) {
    this.index = index;
    this.isThought = entry.type === 'thought';
    this.startedAt = entry.at;
    this.#position = position;
  }

  get position(): ReadPosition {
    return this.#position;
  }

  /** Takes in what has been added to the entry. */
  read(entry: MessageEntry | ThoughtEntry): void {
    let { block: place, offset } = this.#position;
    for (; place < entry.content.length; place += 1) {
      const block = entry.content.at(place);
      const isLast = place === entry.content.length - 1;
      if (block?.type === 'text') {
        this.#markdown.push(block.text.slice(offset));
        if (isLast) {
          this.#position = { block: place, offset: block.text.length };
          return;
        }
      } else if (block && offset === 0) this.#markdown.push(`\n\n${wordContent(block)}\n\n`);
      offset = 0;
    }
    this.#position = { block: place, offset };
  }

  /** True while more has come than one frame takes. */
  get isBehind(): boolean {
    return this.#markdown.isBehind;
  }

  takeFinished(width: number): Line[] {
    return this.#indent(renderBlocks(this.#markdown.takeFinished(MAX_FRAME_CHARACTERS), width - INDENT.length));
  }

  tail(width: number): Line[] {
    return this.#indent(renderBlocks(this.#markdown.readTail(), width - INDENT.length));
  }

  finish(width: number): Line[] {
    return this.#indent(renderBlocks(this.#markdown.finish(), width - INDENT.length));
  }

  /** What an agent says never begins in the first column, where our own signs stand. */
  #indent(lines: readonly Line[]): Line[] {
    return lines.map((line) => {
      if (line.length === 0) return line;
      return [{ text: INDENT }, ...(this.isThought ? restyle(line, STYLES.dim) : line)];
    });
  }
}

export function hasUnread(entry: MessageEntry | ThoughtEntry, position: ReadPosition): boolean {
  const last = entry.content.length - 1;
  if (position.block < last) return true;
  const block = entry.content.at(last);
  return position.block === last && (block?.type === 'text' ? block.text.length > position.offset : true);
}
