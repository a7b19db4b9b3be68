import type { Token } from 'marked';
import { Component, type JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { BlockParser } from './block-parser.ts';
import { Blocks } from './blocks.tsx';

/** Blocks that are drawn as one, so that a long message costs no more with each of them. */
const GROUP_SIZE = 16;

export interface MarkdownProps {
  readonly text: string;
  /** More text may come. */
  readonly isLive?: boolean;
}

/** Text in Markdown, of whoever wrote it: nothing in it can become markup of this page. */
export function Markdown({ text, isLive = false }: MarkdownProps): JSX.Element {
  const holder = useRef<BlockParser>(undefined);
  holder.current ??= new BlockParser();
  if (!holder.current.update(text)) {
    holder.current = new BlockParser();
    holder.current.update(text);
  }
  const parser = holder.current;
  if (!isLive) parser.finish();
  const { blocks } = parser;
  const groups: JSX.Element[] = [];
  for (let start = 0; start < blocks.length; start += GROUP_SIZE) {
    const end = Math.min(blocks.length, start + GROUP_SIZE);
    groups.push(<BlockGroup key={start} blocks={blocks} start={start} end={end} />);
  }
  return (
    <div class="text">
      {groups}
      {!parser.isFinished && <Blocks key="tail" tokens={parser.tail} isLive />}
    </div>
  );
}

interface BlockGroupProps {
  readonly blocks: readonly Token[];
  readonly start: number;
  readonly end: number;
}

/** Blocks that are final; they are drawn once. */
class BlockGroup extends Component<BlockGroupProps> {
  override shouldComponentUpdate({ blocks, end }: BlockGroupProps): boolean {
    return blocks !== this.props.blocks || end !== this.props.end;
  }

  override render({ blocks, start, end }: BlockGroupProps): JSX.Element {
    return <Blocks tokens={blocks.slice(start, end)} />;
  }
}
