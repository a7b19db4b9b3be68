import type { AvailableCommand } from '@parley/protocol';
import type { SessionEvent } from '@parley/session';
import type { SessionLog } from '@parley/store';
import type { Wire } from '../peer/client-peer.ts';
import type { Viewer } from '../viewers/viewer.ts';
import type { Viewers } from '../viewers/viewers.ts';
import { Breath } from './event-loop-pause.ts';
import type { EventPipe } from './event-pipe.ts';
import { isEvent, readEvents } from './history.ts';
import type { SharedLog } from './shared-log.ts';

export interface CatchUpOptions {
  readonly sessionId: string;
  readonly log: SessionLog;
  readonly pipe: EventPipe<Wire>;
  readonly signal: AbortSignal;
}

export interface ReplayOptions extends CatchUpOptions {
  readonly shared: SharedLog | undefined;
  readonly viewers: Viewers;
  /** Who is told. */
  readonly wire: Wire;
  readonly isRunning: () => boolean;
  readonly commands: () => readonly AvailableCommand[];
}

/** Events between two looks at the clock. */
const BREATH_EVENTS = 256;

/** Shows a client the whole conversation, and then everything that happens, with nothing lost or twice in between. */
export async function replay(options: ReplayOptions): Promise<void> {
  const { sessionId, log, shared, pipe, viewers, wire, signal } = options;
  const viewer = viewers.addBehind(wire);
  wire.forget(sessionId);
  try {
    const isElsewhere = (await shared?.catchUp()) ?? false;
    // What it was to hear until the cut is part of the past that it is told.
    let isRunning = isElsewhere;
    const upTo = await pipe.cut(() => {
      viewer.hold();
      isRunning ||= options.isRunning();
    });
    await tell(viewer, sessionId, readEvents({ log, sessionId, upTo, signal, isRunning }));
    showCommands(wire, sessionId, options.commands());
    viewer.seen = upTo;
    if (!viewer.release()) await catchUp(viewer, options);
  } catch (error) {
    viewers.remove(wire);
    throw error;
  }
}

/** Tells a viewer what the log holds beyond what it has seen, until that is all there is and it sees everything at once. */
export async function catchUp(viewer: Viewer, options: CatchUpOptions): Promise<void> {
  do {
    const after = await viewer.seen;
    const upTo = await options.pipe.cut(() => viewer.hold());
    if (after < upTo) await tell(viewer, options.sessionId, readOn(viewer, { ...options, after, upTo }));
    viewer.seen = upTo;
  } while (!viewer.release());
}

interface ReadOnOptions extends CatchUpOptions {
  readonly after: number;
  readonly upTo: number;
}

async function* readOn(viewer: Viewer, options: ReadOnOptions): AsyncGenerator<SessionEvent> {
  const { log, sessionId, after, upTo, signal } = options;
  for await (const entry of log.read(sessionId, { after, upTo, signal })) {
    if (isEvent(entry)) yield entry.body;
    // Told by now: should the log fail, it goes on from here.
    viewer.seen = entry.seq;
  }
}

/** Waits for the client where it reads slowly, and lets others have their turn. */
async function tell(viewer: Viewer, sessionId: string, events: AsyncIterable<SessionEvent>): Promise<void> {
  const breath = new Breath();
  let told = 0;
  for await (const event of events) {
    viewer.signal.throwIfAborted();
    const slow = viewer.wire.publish(sessionId, event) ?? (++told % BREATH_EVENTS === 0 ? breath.take() : undefined);
    if (slow) await slow;
  }
}

export function showCommands(wire: Wire, sessionId: string, commands: readonly AvailableCommand[]): void {
  if (commands.length > 0) void wire.publish(sessionId, { type: 'commands', commands });
}
