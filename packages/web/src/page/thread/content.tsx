import type { ContentBlock } from '@parley/protocol';
import { wordBytes } from '@parley/session/view';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { CodeBlock } from '../text/code/code-block.tsx';
import { Markdown } from '../text/markdown/late-markdown.tsx';
import { readLink } from '../text/markdown/safe-link.ts';
import { shortPath } from '../text/short-path.ts';
import { visibleLine } from '../text/visible-text.ts';
import { RawCard } from './raw-card.tsx';

/** Kinds of media that a browser shows by itself. */
const IMAGE = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;
const AUDIO = /^audio\/[a-z0-9.+-]+$/;

interface ContentProps {
  readonly block: ContentBlock;
  readonly cwd: string;
  readonly isLive?: boolean;
  /** Words of the person are shown as they were written. */
  readonly isPlain?: boolean;
}

/** One block of content, of whatever kind. */
export function Content({ block, cwd, isLive = false, isPlain = false }: ContentProps): JSX.Element {
  switch (block.type) {
    case 'text':
      return isPlain ? (
        <p class="content-plain" dir="auto">
          {block.text}
        </p>
      ) : (
        <Markdown text={block.text} isLive={isLive} />
      );
    case 'image':
      return <Media kind="image" mimeType={block.mimeType} data={block.data} />;
    case 'audio':
      return <Media kind="audio" mimeType={block.mimeType} data={block.data} />;
    case 'resource_link':
      return <ResourceLink uri={block.uri} name={block.title ?? block.name} size={block.size ?? undefined} cwd={cwd} />;
    case 'resource': {
      const { resource } = block;
      const size = 'text' in resource ? resource.text.length : sizeOf(resource.blob);
      return (
        <details class="content-resource">
          <summary>
            <ResourceName uri={resource.uri} cwd={cwd} /> <span class="content-size">{wordBytes(size)}</span>
          </summary>
          {'text' in resource ? (
            <CodeBlock code={resource.text} language="" label={resource.mimeType ?? 'text'} />
          ) : (
            <p>Not text ({visibleLine(resource.mimeType ?? 'unknown type')})</p>
          )}
        </details>
      );
    }
    default:
      return <RawCard label="Content of a kind that this page does not know" raw={block} />;
  }
}

function Media({
  kind,
  mimeType,
  data,
}: {
  readonly kind: 'image' | 'audio';
  readonly mimeType: string;
  readonly data: string;
}): JSX.Element {
  const [isBroken, setBroken] = useState(false);
  const label = `${kind === 'image' ? 'Image' : 'Audio'}, ${visibleLine(mimeType)}, ${wordBytes(sizeOf(data))}`;
  const isShown = (kind === 'image' ? IMAGE : AUDIO).test(mimeType) && /^[A-Za-z0-9+/=\s_-]*$/.test(data) && !isBroken;
  if (!isShown) return <p class="content-note">{label}: it cannot be shown here.</p>;
  const source = `data:${mimeType};base64,${data}`;
  return (
    <figure class="content-media">
      {kind === 'image' ? (
        <img src={source} alt={label} onError={() => setBroken(true)} />
      ) : (
        // biome's rule for captions has nothing to find in what an agent sends.
        <AudioPlayer source={source} label={label} onError={() => setBroken(true)} />
      )}
      <figcaption>{label}</figcaption>
    </figure>
  );
}

function AudioPlayer({
  source,
  label,
  onError,
}: {
  readonly source: string;
  readonly label: string;
  readonly onError: () => void;
}): JSX.Element {
  return (
    <audio controls preload="metadata" src={source} aria-label={label} onError={onError}>
      <track kind="captions" />
    </audio>
  );
}

interface ResourceLinkProps {
  readonly uri: string;
  readonly name: string;
  readonly size?: number | undefined;
  readonly cwd: string;
}

function ResourceLink({ uri, name, size, cwd }: ResourceLinkProps): JSX.Element {
  const link = readLink(uri);
  return (
    <p class="content-link">
      {link ? (
        <a href={link.href} target="_blank" rel="noopener noreferrer" title={link.href}>
          {visibleLine(name)}
        </a>
      ) : (
        <ResourceName uri={uri} cwd={cwd} />
      )}
      {link && <span class="text-place"> ({link.host})</span>}
      {size !== undefined && <span class="content-size"> {wordBytes(size)}</span>}
    </p>
  );
}

/** A file is named by its path, everything else by its address. */
export function ResourceName({ uri, cwd }: { readonly uri: string; readonly cwd: string }): JSX.Element {
  return <code title={visibleLine(uri)}>{nameOfUri(uri, cwd)}</code>;
}

function nameOfUri(uri: string, cwd: string): string {
  if (!uri.startsWith('file://')) return visibleLine(uri);
  const path = uri.slice('file://'.length);
  try {
    return shortPath(decodeURIComponent(path), cwd);
  } catch {
    return shortPath(path, cwd);
  }
}

/** Bytes of something that is written as base64. */
function sizeOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}
