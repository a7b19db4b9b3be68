import { printableLine } from './printable.ts';

/** What an agent has to say besides its answer, in one line. */
export function describeNotice({
  title,
  description,
}: {
  readonly title: string;
  readonly description?: string;
}): string {
  const body =
    description === undefined || description.trim() === '' ? '' : `: ${printableLine(description, MAX_BODY)}`;
  return `[notice] ${printableLine(title)}${body}`;
}

const MAX_BODY = 1000;
