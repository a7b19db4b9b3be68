import type { WorkspaceRecord } from '../../formats/index.ts';
import { Markup, markup } from '../page/markup.ts';

/** Longest patch that is shown. */
const MAX_PATCH_LINES = 600;

/** What an agent changed in its workspace, and where it still is. */
export function formatWorkspace({ kind, path, isKept, changes }: WorkspaceRecord): Markup {
  const place = isKept ? markup`kept in <code>${path}</code>` : 'removed';
  if (changes === undefined) return markup`<p class="dim">Workspace (${kind}): ${place}.</p>`;
  const { files, insertions, deletions, patch } = changes;
  const size =
    files.length === 0
      ? 'nothing was changed'
      : markup`${files.length} ${files.length === 1 ? 'file' : 'files'} changed, <span class="good">+${insertions}</span> <span class="bad">−${deletions}</span>`;
  return markup`<details class="workspace"${new Markup(files.length > 0 && files.length <= 3 ? ' open' : '')}><summary>Workspace: ${size}</summary><p class="dim">A workspace of the kind "${kind}", ${place}.</p>
${files.length > 0 && markup`<ul class="files">${files.map((file) => markup`<li><code>${file.path}</code> ${file.insertions !== undefined && markup`<span class="good">+${file.insertions}</span>`} ${file.deletions !== undefined && markup`<span class="bad">−${file.deletions}</span>`}</li>`)}</ul>`}${patch !== undefined && formatPatch(patch)}</details>`;
}

function formatPatch(patch: string): Markup {
  const lines = patch.replace(/\n$/, '').split('\n');
  const more = lines.length - MAX_PATCH_LINES;
  return markup`<div class="patch" role="group" aria-label="Changes" tabindex="0">${lines
    .slice(0, MAX_PATCH_LINES)
    .map((line) =>
      formatLine(line),
    )}${more > 0 && markup`<div class="cut">… ${more} more lines in the results</div>`}</div>`;
}

function formatLine(line: string): Markup {
  if (line.startsWith('+') && !line.startsWith('+++')) return markup`<ins>${line}</ins>`;
  if (line.startsWith('-') && !line.startsWith('---')) return markup`<del>${line}</del>`;
  if (line.startsWith('@@')) return markup`<div class="hunk">${line}</div>`;
  return /^(diff |index |--- |\+\+\+ )/.test(line)
    ? markup`<div class="file">${line}</div>`
    : markup`<div>${line === '' ? ' ' : line}</div>`;
}
