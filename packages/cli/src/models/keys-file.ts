import { dirname, join } from 'node:path';
import type { Places } from '../places.ts';

/** Where the keys of `parley login` are: beside the settings, for nobody else to read. */
export function keysFile({ config }: Pick<Places, 'config'>): string {
  return join(dirname(config), 'keys.json');
}
