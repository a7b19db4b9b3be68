import { wordBytes } from '@parley/session/view';
import type { JSX } from 'preact';
import { visibleLine } from '../text/visible-text.ts';
import type { Attachment } from './attachment.ts';

/** What goes along with the prompt, each with its size. */
export function AttachmentList({
  attachments,
  onRemove,
}: {
  readonly attachments: readonly Attachment[];
  readonly onRemove: (id: string) => void;
}): JSX.Element {
  return (
    <ul class="composer-attachments" aria-label="Attachments">
      {attachments.map(({ id, name, bytes, preview }) => (
        <li key={id} class="composer-attachment">
          {preview !== undefined && <img src={preview} alt="" />}
          <span class="composer-attachment-name">{visibleLine(name)}</span>
          <span class="content-size">{wordBytes(bytes)}</span>
          <button
            type="button"
            class="text-button"
            aria-label={`Remove ${visibleLine(name)}`}
            onClick={() => onRemove(id)}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}
