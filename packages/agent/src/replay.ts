import type { AvailableCommand } from '@parley/protocol';
import type { SessionLog } from '@parley/store';
import { Breath } from './breath.ts';
import { readEvents } from './history.ts';
import type { EventPipe } from './pipe/event-pipe.ts';
import type { SharedLog } from './shared-log.ts';
import type { Viewers } from './viewers.ts';
import type { Wire } from './wire/wire.ts';

export interface ReplayOptions {
  readonly sessionId: string;
  readonly log: SessionLog;
  readonly shared: SharedLog | undefined;
  readonly pipe: EventPipe<Wire>;
  readonly viewers: Viewers;
  /** Who is told. */
  readonly wire: Wire;
  readonly isRunning: () => boolean;
  readonly commands: () => readonly AvailableCommand[];
  readonly signal: AbortSignal;
}

/** Events between two looks at the clock. */
const BREATH_EVENTS = 256;

/** Shows a client the whole conversation, and then everything that happens, with nothing lost or twice in between. */
export async function replay(options: ReplayOptions): Promise<void> {
  const { sessionId, log, shared, pipe, viewers, wire, signal } = options;
  wire.forget(sessionId);
  viewers.addWaiting(wire);
  try {
    const isElsewhere = (await shared?.catchUp()) ?? false;
    // What it was to hear until the cut is part of the past that it is told.
    let isRunning = isElsewhere;
    const upTo = await pipe.cut(() => {
      viewers.addWaiting(wire);
      isRunning ||= options.isRunning();
    });
    const breath = new Breath();
    let shown = 0;
    for await (const event of readEvents({ log, sessionId, upTo, signal, isRunning })) {
      const slow = wire.publish(sessionId, event) ?? (++shown % BREATH_EVENTS === 0 ? breath.take() : undefined);
      if (slow) await slow;
    }
    showCommands(wire, sessionId, options.commands());
    viewers.release(wire);
  } catch (error) {
    viewers.remove(wire);
    throw error;
  }
}

export function showCommands(wire: Wire, sessionId: string, commands: readonly AvailableCommand[]): void {
  if (commands.length > 0) void wire.publish(sessionId, { type: 'commands', commands });
}
