import { ConformanceError } from '../../errors.ts';
import { openProcessWire } from '../../wire/open-process-wire.ts';
import type { OpenWireOptions, Wire } from '../../wire/wire.ts';
import type { Target } from '../agent-target.ts';

/** Opens one wire to the target: the only place that knows which kinds of target there are. */
export async function openWire(target: Target, options: OpenWireOptions): Promise<Wire> {
  if (target.kind === 'command') {
    return openProcessWire({ ...options, argv: target.argv, ...(target.env && { env: target.env }) });
  }
  if (target.kind === 'open') return target.open(options);
  throw new ConformanceError(
    'check_target',
    `This checks what speaks ACP on its stdio, and ${target.url.protocol}// does not. \`parley check\` puts a program between: ` +
      'parley check -- parley connect wss://host/acp',
  );
}
