import type { Transcript } from '@parley/client';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Announcer } from './announcer.ts';

/** Screen readers drop what is replaced too quickly. */
const MIN_APART_MS = 1000;

/** Says politely what is finished. */
export function Announcements({ transcript }: { readonly transcript: Transcript }): JSX.Element {
  const announcer = useRef<Announcer>(undefined);
  announcer.current ??= new Announcer();
  const [said, setSaid] = useState('');
  const waiting = useRef<{ words: string[]; timer: ReturnType<typeof setTimeout> | undefined }>({
    words: [],
    timer: undefined,
  });
  useEffect(() => {
    const words = announcer.current?.see(transcript);
    if (words === undefined) return;
    const { current } = waiting;
    current.words.push(words);
    current.timer ??= setTimeout(() => {
      current.timer = undefined;
      setSaid(current.words.splice(0).join('. '));
    }, MIN_APART_MS);
  }, [transcript]);
  useEffect(() => () => clearTimeout(waiting.current.timer), []);
  return (
    <p class="visually-hidden" role="status">
      {said}
    </p>
  );
}
