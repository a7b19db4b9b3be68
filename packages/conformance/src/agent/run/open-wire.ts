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
    `Addresses such as ${target.url.protocol}// are not supported yet: network transports come later. ` +
      'Give a command that speaks ACP on its stdio, for example: parley check -- my-agent --acp',
  );
}
