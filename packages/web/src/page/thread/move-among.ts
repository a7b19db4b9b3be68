import type { TargetedKeyboardEvent } from 'preact';

/** Alt+Up and Alt+Down go from message to message, `[` and `]` from tool call to tool call. */
export function moveAmong(event: TargetedKeyboardEvent<HTMLElement>): void {
  const move = moveOf(event);
  if (!move || isTyping(event.target)) return;
  const targets = [...event.currentTarget.querySelectorAll<HTMLElement>(move.selector)];
  const scroller = event.currentTarget.querySelector('.thread-scroll');
  if (targets.length === 0 || !scroller) return;
  event.preventDefault();
  const focused = targets.findIndex((target) => target.contains(document.activeElement));
  const next = focused >= 0 ? focused + move.step : nearest(targets, scroller, move.step);
  targets[Math.max(0, Math.min(targets.length - 1, next))]?.focus();
}

function moveOf({
  key,
  altKey,
  ctrlKey,
  metaKey,
}: KeyboardEvent): { readonly selector: string; readonly step: 1 | -1 } | undefined {
  if (ctrlKey || metaKey) return undefined;
  if (altKey) {
    if (key === 'ArrowUp') return { selector: '.message', step: -1 };
    return key === 'ArrowDown' ? { selector: '.message', step: 1 } : undefined;
  }
  if (key === '[') return { selector: '.tool-call', step: -1 };
  return key === ']' ? { selector: '.tool-call', step: 1 } : undefined;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

/** Where nothing has the focus, the first that is seen, or the last before it. */
function nearest(targets: readonly HTMLElement[], scroller: Element, step: 1 | -1): number {
  const { top, bottom } = scroller.getBoundingClientRect();
  if (step > 0) return targets.findIndex((target) => target.getBoundingClientRect().bottom > top + 1);
  return targets.findLastIndex((target) => target.getBoundingClientRect().top < bottom - 1);
}
