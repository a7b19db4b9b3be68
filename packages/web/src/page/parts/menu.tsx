import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

export interface MenuItem {
  readonly label: string;
  readonly onChoose: () => void;
  /** Why it cannot be chosen. */
  readonly problem?: string;
  readonly isDangerous?: boolean;
}

/** A button that opens a list of things to do. Arrow keys move in it, Escape closes it. */
export function Menu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    itemsIn(root.current)[0]?.focus();
    const closeOutside = (event: Event): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = itemsIn(root.current);
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) all.at(to % all.length)?.focus();
    else if (event.key === 'Escape') close();
    else if (event.key === 'Tab') return setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu" ref={root}>
      <button
        ref={button}
        type="button"
        class="button button-plain"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      {isOpen && (
        <div class="menu-items" role="menu" tabIndex={-1} id={id} aria-label={label} onKeyDown={onKeyDown}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              class={item.isDangerous ? 'menu-item menu-item-dangerous' : 'menu-item'}
              aria-disabled={item.problem !== undefined}
              onClick={() => {
                if (item.problem !== undefined) return;
                close();
                item.onChoose();
              }}
            >
              {item.label}
              {item.problem !== undefined && <small>{item.problem}</small>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function itemsIn(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
}
