import type { Transport } from '@parley/jsonrpc';
import type { DialectSetting } from './options.ts';
import { type WatchDialectOptions, watchDialect } from './transport/watch-dialect.ts';

export type { DialectChoice, DialectNote, DialectOptions, DialectSetting } from './options.ts';
export { type WatchDialectOptions, watchDialect };

/**
 * Puts a dialect on a transport, by name or by finding out. What translates is loaded when it is needed: for `auto`, when a
 * message shows a dialect; for `canonical`, never.
 */
export async function speakDialect(transport: Transport, setting: DialectSetting): Promise<Transport> {
  const options = typeof setting === 'string' ? { dialect: setting } : setting;
  if (options.dialect === 'canonical') return transport;
  if (options.dialect === 'auto') return watchDialect(transport, options);
  const { withDialect } = await import('./transport/with-dialect.ts');
  return withDialect(transport, options);
}
