import { checkFields, isRecord, type ShapeProblem } from '@parley/host/json-files';
import { CONFIG_KEYS } from './config-keys.ts';

export { formatProblem, isRecord } from '@parley/host/json-files';

/** Everything that is wrong with a settings file's content; unknown names included, since they are mostly typos. */
export function checkConfig(value: unknown): readonly ShapeProblem[] {
  if (!isRecord(value)) return [{ path: '', problem: 'expected an object' }];
  const { $schema: _, ...settings } = value;
  return checkFields({ fields: CONFIG_KEYS }, settings, '');
}
