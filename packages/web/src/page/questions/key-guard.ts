/** How long a card is seen before a key answers it: a key that was meant for something else must not. */
export const GUARD_MS = 300;

/** What is known of a key when it is pressed. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** It is held down. */
  readonly repeat: boolean;
}

/** Which choice a number key means, from 0 on; undefined when it means none, or comes too early. */
export function choiceOfKey(
  { key, ctrlKey, metaKey, altKey, repeat }: PressedKey,
  {
    shownForMs,
    isTyping,
    choices,
  }: { readonly shownForMs: number; readonly isTyping: boolean; readonly choices: number },
): number | undefined {
  if (isTyping || repeat || ctrlKey || metaKey || altKey || shownForMs < GUARD_MS) return undefined;
  const number = /^[1-9]$/.test(key) ? Number(key) : 0;
  return number > 0 && number <= choices ? number - 1 : undefined;
}
