import type { TargetedKeyboardEvent } from 'preact';

/** In a toolbar the arrows go from button to button; Tab leaves it. */
export function moveInToolbar(event: TargetedKeyboardEvent<HTMLElement>): void {
  const step =
    event.key === 'ArrowRight' || event.key === 'ArrowDown'
      ? 1
      : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
        ? -1
        : 0;
  if (step === 0) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
  const index = buttons.indexOf(document.activeElement as HTMLElement);
  if (index < 0) return;
  event.preventDefault();
  buttons[(index + step + buttons.length) % buttons.length]?.focus();
}
