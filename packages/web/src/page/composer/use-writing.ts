import type { Transcript } from '@parley/client';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { OpenSession } from '../sessions/open-session.ts';
import { type Completing, complete, findCompleting } from './completion.ts';
import { loadDraft, saveDraft } from './draft.ts';
import { promptsOf } from './prompt-history.ts';
import { type Suggestion, useSuggestions } from './use-suggestions.ts';

interface WritingOptions {
  readonly transcript: Transcript;
  readonly input: RefObject<HTMLTextAreaElement | null>;
}

export interface Writing {
  readonly text: string;
  /** Files that were chosen with `@`. */
  readonly chosen: ReadonlySet<string>;
  readonly completing: Completing | undefined;
  readonly suggestions: readonly Suggestion[];
  readonly selected: number;
  /** Puts another text there, with the caret at its end. */
  write(text: string): void;
  /** Puts what was written before below what is written now, with the files that were chosen for it. */
  restore(text: string, chosen: readonly string[]): void;
  choose(suggestion: Suggestion): void;
  close(): void;
  onInput(): void;
  onSelect(): void;
  /** True when the key was taken. */
  onKey(event: KeyboardEvent): boolean;
}

/** The text that is being written: its draft, what is offered for it, and what was written before. */
export function useWriting(open: OpenSession, { transcript, input }: WritingOptions): Writing {
  const { id } = open.session;
  const [text, setText] = useState(() => loadDraft(localStorage, id));
  const [completing, setCompleting] = useState<Completing>();
  const [selected, setSelected] = useState(0);
  const chosen = useRef(new Set<string>());
  const caret = useRef<number>(undefined);
  /** Which of the earlier prompts is shown; -1 is none. */
  const recalled = useRef(-1);
  const suggestions = useSuggestions(open, completing, transcript.commands);
  useEffect(() => saveDraft(localStorage, id, text), [id, text]);
  // Before the next key: a caret that is set a frame later would undo what the person has selected meanwhile.
  useLayoutEffect(() => {
    if (caret.current === undefined) return;
    input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text, input]);

  const put = (next: string, at: number): void => {
    caret.current = at;
    setText(next);
    input.current?.focus();
  };
  const look = (): void => {
    const { current } = input;
    if (!current) return;
    const isPoint = current.selectionStart === current.selectionEnd;
    const next = isPoint ? findCompleting(current.value, current.selectionStart) : undefined;
    if (next?.query !== completing?.query || next?.kind !== completing?.kind) setSelected(0);
    setCompleting(next);
  };
  const close = (): void => setCompleting(undefined);
  const restore = (earlier: string, paths: readonly string[]): void => {
    for (const path of paths) chosen.current.add(path);
    const next = [text, earlier].filter((each) => each.trim() !== '').join('\n\n');
    put(next, next.length);
  };
  const choose = ({ value }: Suggestion): void => {
    if (!completing) return;
    if (completing.kind === 'file') chosen.current.add(value);
    const next = complete(text, completing, value);
    close();
    put(next.text, next.caret);
  };
  const recall = (step: 1 | -1): boolean => {
    const prompts = promptsOf(transcript);
    const next = recalled.current + step;
    const isShown = recalled.current >= 0 && text === prompts[recalled.current];
    if ((text !== '' && !isShown) || next < -1 || next >= prompts.length) return false;
    recalled.current = next;
    const recalledText = next < 0 ? '' : (prompts[next] ?? '');
    put(recalledText, recalledText.length);
    return true;
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const isTaken =
      suggestions.length > 0
        ? onListKey(event)
        : (event.key === 'ArrowUp' && recall(1)) || (event.key === 'ArrowDown' && recall(-1));
    if (isTaken) event.preventDefault();
    return isTaken;
  };
  const onListKey = ({ key }: KeyboardEvent): boolean => {
    const suggestion = suggestions[Math.min(selected, suggestions.length - 1)];
    if (key === 'ArrowDown') setSelected((selected + 1) % suggestions.length);
    else if (key === 'ArrowUp') setSelected((selected + suggestions.length - 1) % suggestions.length);
    else if ((key === 'Enter' || key === 'Tab') && suggestion) choose(suggestion);
    else if (key === 'Escape') close();
    else return false;
    return true;
  };
  return {
    text,
    chosen: chosen.current,
    completing,
    suggestions,
    selected: Math.min(selected, Math.max(0, suggestions.length - 1)),
    write: (next) => put(next, next.length),
    restore,
    choose,
    close,
    onInput() {
      recalled.current = -1;
      setText(input.current?.value ?? '');
      look();
    },
    onSelect: look,
    onKey,
  };
}
