import type { JSX } from 'preact';

/** Lines on a field of 16 by 16. */
const PATHS = {
  done: 'M3 8.5 6.5 12 13 4.5',
  failed: 'M4 4l8 8M12 4l-8 8',
  cancelled: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M4.2 4.2l7.6 7.6',
  pending: 'M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3',
  running: 'M8 3a5 5 0 0 1 5 5',
  read: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  edit: 'M3 13l.8-3.2 7-7 2.4 2.4-7 7zM9.5 4.1l2.4 2.4',
  delete: 'M3.5 4.5h9M6.5 4.5v-2h3v2M4.5 4.5l.7 9h5.6l.7-9',
  move: 'M2.5 8h11M10 4.5 13.5 8 10 11.5',
  search: 'M7 2.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4M10.2 10.2l3.3 3.3',
  execute: 'M2.5 3.5h11v9h-11zM5 6.5l2 1.7-2 1.8M8.5 10.2h2.5',
  think: 'M8 2.5a4 4 0 0 1 2.2 7.3v1.7H5.8V9.8A4 4 0 0 1 8 2.5M6.3 13.5h3.4',
  fetch: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M2.5 8h11M8 2.5c-3.4 3.5-3.4 7.5 0 11M8 2.5c3.4 3.5 3.4 7.5 0 11',
  switch_mode: 'M3 5.5h9M9.5 3 12 5.5 9.5 8M13 10.5H4M6.5 8 4 10.5 6.5 13',
  other: 'M8 2.8v2M8 11.2v2M2.8 8h2M11.2 8h2M8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4',
  fold: 'M6 4l4 4-4 4',
  attach: 'M11.5 7.5 7 12a2.5 2.5 0 0 1-3.5-3.5l5-5a1.7 1.7 0 0 1 2.4 2.4L6 10.8',
  stop: 'M4.5 4.5h7v7h-7z',
  send: 'M8 13V3.5M4 7.5l4-4 4 4',
  warn: 'M8 2.5 14 13H2zM8 6.5v3M8 11.2v.3',
} as const;

export type IconName = keyof typeof PATHS;

/** A sign beside words that say the same; nobody needs to see it. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class={`thread-icon thread-icon-${name}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.4"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

export function isIconName(name: string): name is IconName {
  return Object.hasOwn(PATHS, name);
}
