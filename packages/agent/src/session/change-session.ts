import type { TurnSession } from '../turn/turn-session.ts';

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
