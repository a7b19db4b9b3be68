import type { Token } from 'marked';
import type { ComponentChildren, JSX } from 'preact';
import { visibleLine, visibleText } from '../visible-text.ts';
import { decodeEntities } from './entities.ts';
import { readLink } from './safe-link.ts';

const MAX_DEPTH = 24;

/** What stands inside of a block, as nodes. */
export function Inline({
  tokens,
  depth = 0,
}: {
  readonly tokens: readonly Token[];
  readonly depth?: number;
}): JSX.Element {
  return <>{tokens.map((token) => drawInline(token, depth))}</>;
}

function drawInline(token: Token, depth: number): ComponentChildren {
  if (depth > MAX_DEPTH) return token.raw;
  const nested = 'tokens' in token ? (token.tokens as readonly Token[] | undefined) : undefined;
  const children = (): JSX.Element => <Inline tokens={nested ?? []} depth={depth + 1} />;
  switch (token.type) {
    case 'text':
      return nested ? children() : decodeEntities(token.text);
    case 'escape':
      return token.text;
    case 'strong':
      return <strong>{children()}</strong>;
    case 'em':
      return <em>{children()}</em>;
    case 'del':
      return <del>{children()}</del>;
    case 'codespan':
      return <code>{visibleText(token.text)}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link address={token.href} label={children()} text={token.text} />;
    case 'image':
      // Nothing is fetched because somebody wrote its address.
      return <Link address={token.href} label={`Image: ${decodeEntities(token.text) || 'without a name'}`} text="" />;
    default:
      return token.raw;
  }
}

interface LinkProps {
  readonly address: string;
  readonly label: ComponentChildren;
  /** What is written on it. */
  readonly text: string;
}

/** A link that opens apart from this page, or its address as text where it may not be followed. */
export function Link({ address, label, text }: LinkProps): JSX.Element {
  const link = readLink(decodeEntities(address));
  if (!link) {
    const place = visibleLine(address);
    return (
      <>
        {label}
        {place !== text && <span class="text-place"> ({place})</span>}
      </>
    );
  }
  const named = readLink(decodeEntities(text.trim())) ?? readLink(`https://${text.trim()}`);
  const isDeceiving =
    /^[^\s/]+\.[^\s]+$/.test(text.trim().replace(/^https?:\/\//i, '')) &&
    named !== undefined &&
    named.host !== link.host;
  return (
    <>
      <a href={link.href} target="_blank" rel="noopener noreferrer" title={link.href}>
        {label}
      </a>
      {isDeceiving && <span class="text-place"> (leads to {link.host})</span>}
    </>
  );
}
