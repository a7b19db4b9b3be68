import { fileUri, isAbsolutePath } from '@parley/protocol';
import type {
  BackgroundWork as V2Background,
  ToolCallContent as V2Content,
  ContentBlock as V2ContentBlock,
  Diff as V2Diff,
  DiffChange as V2DiffChange,
} from '@parley/protocol/v2';
import { firstLineOf, type ShownChange } from '../diff/changed-region.ts';
import { gitPatch } from '../diff/git-patch.ts';
import type { BackgroundWork, Content, FileChange, FileChanges, ToolCallContent, UnknownPart } from '../parts.ts';

// What messages and tool calls are made of. Content blocks are the same in both versions; those that only a newer one knows
// are passed on as they are.

/** Version 2 refuses a resource whose address is no URI, which some clients and agents of version 1 have: it is made one. */
export function blockToV2(block: Content): V2ContentBlock {
  if (block.type === 'resource_link') {
    const uri = uriOf(block.uri);
    return uri === block.uri ? block : { ...block, uri };
  }
  if (block.type !== 'resource') return block;
  const uri = uriOf(block.resource.uri);
  return uri === block.resource.uri ? block : { ...block, resource: { ...block.resource, uri } };
}

function uriOf(address: string): string {
  // A drive of Windows reads as the scheme of an address.
  if (isAbsolutePath(address)) return fileUri(address);
  return URL.canParse(address) ? address : `urn:${encodeURIComponent(address)}`;
}

export function blocksFromV2(blocks: readonly V2ContentBlock[]): readonly Content[] {
  return blocks as readonly Content[];
}

export function contentToV2(part: ToolCallContent): V2Content {
  if (part.type === 'diff') return diffToV2(part);
  if (part.type === 'changes') return changesToV2(part);
  if (part.type === 'content') return { ...part, content: blockToV2(part.content) };
  return part.type === 'unknown' ? (part.raw as unknown as V2Content) : part;
}

export function contentFromV2(part: V2Content): ToolCallContent {
  if (part.type === 'content' || part.type === 'terminal') return part as ToolCallContent;
  return (part.type === 'diff' ? changesFromV2(part as V2Diff) : undefined) ?? unknownPart(part);
}

type TextDiff = Extract<ToolCallContent, { type: 'diff' }>;

/** Version 2 shows no texts of files: it names what was done to which file, and shows a patch of it. */
function diffToV2(diff: TextDiff): V2Content {
  const { path, oldText, _meta } = diff;
  const text = patchOf(diff);
  return {
    type: 'diff',
    changes: [
      oldText == null ? { operation: 'add', path, fileType: 'text' } : { operation: 'modify', path, fileType: 'text' },
    ],
    ...(text !== undefined && { patch: { format: 'git_patch', text } }),
    ...(_meta !== undefined && { _meta }),
  };
}

/** Texts together longer than this are not held on to. */
const MAX_KEPT_CHARACTERS = 256 * 1024;

let latest: { readonly diff: ShownChange; readonly patch: string | undefined } | undefined;

/** The latest patch is kept: an edit is told when it is asked about, when it begins and when it is done, and to every viewer. */
function patchOf(diff: ShownChange): string | undefined {
  const { path, oldText, newText } = diff;
  const known = latest?.diff;
  const isKnown = known?.newText === newText && known.oldText === oldText && known.path === path;
  if (isKnown && firstLineOf(known) === firstLineOf(diff)) return latest?.patch;
  const patch = gitPatch(diff);
  if (newText.length + (oldText?.length ?? 0) <= MAX_KEPT_CHARACTERS) latest = { diff, patch };
  return patch;
}

function changesToV2({ changes, patch, patchFormat = 'git_patch', _meta }: FileChanges): V2Content {
  return {
    type: 'diff',
    changes: changes.map((change) => change as V2DiffChange),
    ...(patch !== undefined && { patch: { format: patchFormat, text: patch } }),
    ...(_meta !== undefined && { _meta }),
  };
}

/** Undefined when one of the changes is of a kind that names no path: then nobody here knows what it says. */
function changesFromV2({ changes, patch, _meta }: V2Diff): FileChanges | undefined {
  if (!changes.every((change) => typeof (change as { readonly path?: unknown }).path === 'string')) return undefined;
  return {
    type: 'changes',
    changes: changes.map(withoutNulls),
    ...(patch && { patch: patch.text }),
    ...(patch && patch.format !== 'git_patch' && { patchFormat: patch.format }),
    ...(_meta !== undefined && { _meta }),
  };
}

function withoutNulls(change: V2DiffChange): FileChange {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null)) as unknown as FileChange;
}

export function backgroundToV2(work: readonly BackgroundWork[]): V2Background[] {
  return work.map((each) => (each.type === 'unknown' ? (each.raw as unknown as V2Background) : each));
}

export function backgroundFromV2(work: readonly V2Background[]): BackgroundWork[] {
  return work.map((each) =>
    each.type === 'terminal' || each.type === 'tool_call' ? (each as BackgroundWork) : unknownPart(each),
  );
}

function unknownPart(raw: object): UnknownPart {
  return { type: 'unknown', raw: raw as Readonly<Record<string, unknown>> };
}
