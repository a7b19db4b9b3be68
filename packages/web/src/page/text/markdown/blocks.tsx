import type { Token, Tokens } from 'marked';
import type { ComponentChildren, JSX } from 'preact';
import { CodeBlock } from '../code/code-block.tsx';
import { Inline } from './inline.tsx';

/** Deeper nesting than any person writes is shown as its source. */
const MAX_DEPTH = 24;

interface BlocksProps {
  readonly tokens: readonly Token[];
  /** The last of them is still being written. */
  readonly isLive?: boolean;
  readonly depth?: number;
}

/** Blocks of Markdown as nodes. A kind that is not known is shown as its source. */
export function Blocks({ tokens, isLive = false, depth = 0 }: BlocksProps): JSX.Element {
  return (
    <>{tokens.map((token, index) => drawBlock(token, { depth, isLive: isLive && index === tokens.length - 1 }))}</>
  );
}

function drawBlock(
  token: Token,
  { depth, isLive }: { readonly depth: number; readonly isLive: boolean },
): ComponentChildren {
  if (depth > MAX_DEPTH) return <p>{token.raw}</p>;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return drawHeading(token as Tokens.Heading, depth);
    case 'paragraph':
      return (
        <p dir="auto">
          <Inline tokens={token.tokens ?? []} />
        </p>
      );
    case 'text':
      return token.tokens ? <Inline tokens={token.tokens} /> : token.text;
    case 'code':
      return <CodeBlock code={token.text} language={token.lang ?? ''} isOpen={isLive} />;
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens ?? []} depth={depth + 1} isLive={isLive} />
        </blockquote>
      );
    case 'list':
      return drawList(token as Tokens.List, depth, isLive);
    case 'table':
      return drawTable(token as Tokens.Table);
    case 'hr':
      return <hr />;
    default:
      // Markup is shown as it was written.
      return <p class="text-source">{token.raw.trimEnd()}</p>;
  }
}

/** A message stands below headings of the page. */
function drawHeading({ depth, tokens }: Tokens.Heading, nested: number): JSX.Element {
  const content = <Inline tokens={tokens} />;
  if (nested > 0) return <p class="text-heading">{content}</p>;
  if (depth === 1) return <h3 class="text-h1">{content}</h3>;
  if (depth === 2) return <h4 class="text-h2">{content}</h4>;
  return <h5 class="text-h3">{content}</h5>;
}

function drawList({ ordered, start, items }: Tokens.List, depth: number, isLive: boolean): JSX.Element {
  const children = items.map((item, index) => (
    <li key={index} dir="auto" class={item.task ? 'text-task' : undefined}>
      {item.task && (
        <input type="checkbox" checked={item.checked === true} disabled aria-label={item.checked ? 'done' : 'to do'} />
      )}
      <Blocks
        tokens={item.tokens.filter(({ type }) => type !== 'checkbox')}
        depth={depth + 1}
        isLive={isLive && index === items.length - 1}
      />
    </li>
  ));
  return ordered ? <ol start={typeof start === 'number' ? start : 1}>{children}</ol> : <ul>{children}</ul>;
}

function drawTable({ header, rows }: Tokens.Table): JSX.Element {
  return (
    <div class="text-table">
      <table>
        <thead>
          <tr>
            {header.map(({ tokens, align }, index) => (
              <th key={index} class={alignment(align)} scope="col">
                <Inline tokens={tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {row.map(({ tokens, align }, index) => (
                <td key={index} class={alignment(align)}>
                  <Inline tokens={tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function alignment(align: Tokens.TableCell['align']): string | undefined {
  return align === 'right' || align === 'center' ? `text-${align}` : undefined;
}
