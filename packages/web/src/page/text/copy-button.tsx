import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

const SHOWN_MS = 1500;

interface CopyButtonProps {
  /** What is copied; a function where it takes some work. */
  readonly text: string | (() => string | Promise<string>);
  /** What it is, for whoever does not see the button's place. */
  readonly what: string;
}

/** Puts a text on the clipboard, and says whether that worked. */
export function CopyButton({ text, what }: CopyButtonProps): JSX.Element {
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setSaid('Copied');
    } catch {
      setSaid('Not copied: the browser does not allow it');
    }
    setTimeout(() => setSaid(''), SHOWN_MS);
  };
  return (
    <button
      type="button"
      class="text-button"
      onClick={() => void copy()}
      aria-label={said === '' ? `Copy ${what}` : said}
    >
      {said === '' ? 'Copy' : said}
    </button>
  );
}
