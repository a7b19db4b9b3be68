import { quoteWords } from '@parley/host/terminal';
import { ConformanceError } from '../errors.ts';
import type { OpenWire } from '../wire/wire.ts';

/** Who is checked: a command that is started, an address that is dialled, or anything that a function can open. */
export type Target =
  | { readonly kind: 'command'; readonly argv: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly kind: 'address'; readonly url: URL }
  | { readonly kind: 'open'; readonly label: string; readonly open: OpenWire };

const ADDRESS = /^(wss?|https?):\/\//i;

/** Reads what stood after `--`: an address if it looks like one, else a command with its arguments. */
export function parseTarget(words: readonly string[]): Target {
  const [first, ...rest] = words;
  if (first === undefined || first === '') {
    throw new ConformanceError(
      'check_target',
      'Nothing to check. Give the command after "--": parley check -- my-agent --acp',
    );
  }
  if (!ADDRESS.test(first)) return { kind: 'command', argv: words };
  if (rest.length > 0) {
    throw new ConformanceError('check_target', `An address stands alone, but "${rest.join(' ')}" follows ${first}.`);
  }
  if (!URL.canParse(first)) throw new ConformanceError('check_target', `"${first}" is not a valid address.`);
  return { kind: 'address', url: new URL(first) };
}

/** The target as one would type it again. */
export function describeTarget(target: Target): string {
  if (target.kind === 'address') return target.url.href;
  return target.kind === 'open' ? target.label : quoteWords(target.argv);
}
