import { RpcError } from '@parley/jsonrpc';
import { handlerError } from '../refusals.ts';
import type { TurnSession } from '../turn/turn-session.ts';
import type { OwnedSession } from './owned-session.ts';
import type { SettingChange } from './session-settings.ts';

/** Makes a change outside of turns, while no other process works in the session. */
export async function changeSession(
  session: Pick<TurnSession, 'hold' | 'settle' | 'release'>,
  make: () => void,
): Promise<void> {
  await session.hold();
  try {
    make();
    await session.settle();
  } finally {
    await session.release();
  }
}

/** Changes a setting as a person chose it: the agent's own handler hears of it first, and may refuse. */
export async function changeSetting(session: OwnedSession, { id, value }: SettingChange): Promise<void> {
  if (!session.settings.takes({ id, value }))
    throw RpcError.invalidParams(`there is no option "${id}" with the value ${JSON.stringify(value)}`);
  try {
    await session.definition.onSetting?.({ session, id, value });
  } catch (error) {
    session.report({ kind: 'handler_failed', message: 'The setting handler failed.', direction: 'in', error });
    throw handlerError(error, 'to change a setting');
  }
  await changeSession(session, () => session.setOption(id, value));
  session.tell({ kind: 'setting_changed', id, value });
}
