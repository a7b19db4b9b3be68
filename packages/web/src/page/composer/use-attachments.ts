import type { ContentBlock } from '@parley/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OpenSession } from '../sessions/open-session.ts';
import { nameOf } from '../thread/entry-view.tsx';
import { type Attachment, attach, attachmentOf, refuse } from './attachment.ts';

export interface Attachments {
  readonly list: readonly Attachment[];
  add(files: Iterable<File>): Promise<void>;
  /** Attaches again what was attached to prompts that are not sent. */
  restore(blocks: readonly ContentBlock[]): void;
  remove(id: string): void;
  clear(): void;
}

const MAX_ATTACHMENTS = 20;

/** The names of what was attached, which a prompt does not hold. */
const names = new WeakMap<ContentBlock, string>();

/** The files that go along with the next prompt. What cannot go along is told at once, by `onProblem`. */
export function useAttachments(open: OpenSession, onProblem: (problem: string) => void): Attachments {
  const [list, setList] = useState<readonly Attachment[]>([]);
  const lastId = useRef(0);
  const shown = useRef(list);
  shown.current = list;
  const forget = (attachments: readonly Attachment[]): void => {
    for (const { preview } of attachments) if (preview !== undefined) URL.revokeObjectURL(preview);
  };
  useEffect(() => () => forget(shown.current), []);
  return {
    list,
    async add(files) {
      const picked = [...files];
      const { offers } = open.connection;
      const refused = picked.flatMap((file) => refuse(file, offers, nameOf(open)) ?? []);
      const taken = picked.filter((file) => refuse(file, offers, nameOf(open)) === undefined);
      if (taken.length + shown.current.length > MAX_ATTACHMENTS)
        refused.push(`At most ${MAX_ATTACHMENTS} files go along with one prompt.`);
      onProblem(refused.join(' '));
      for (const file of taken.slice(0, MAX_ATTACHMENTS - shown.current.length)) {
        lastId.current += 1;
        const attachment = await attach(file, String(lastId.current));
        names.set(attachment.block, attachment.name);
        const preview = attachment.block.type === 'image' ? { preview: URL.createObjectURL(file) } : {};
        setList((before) => [...before, { ...attachment, ...preview }]);
      }
    },
    restore(blocks) {
      const restored = blocks.map((block) => {
        lastId.current += 1;
        const attachment = attachmentOf(block, String(lastId.current));
        return { ...attachment, name: names.get(block) ?? attachment.name };
      });
      setList((before) => [...before, ...restored]);
    },
    remove(id) {
      forget(list.filter((each) => each.id === id));
      setList(list.filter((each) => each.id !== id));
    },
    clear() {
      forget(list);
      setList([]);
    },
  };
}
