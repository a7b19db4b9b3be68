import { RpcError } from '@parley/jsonrpc';
import type { AvailableCommand } from '@parley/protocol';
import { readEntry, shownBy } from '@parley/session';
import { isExpired, type NumberedEvent, readEvents, readKept, type SharedLog } from '@parley/session/log';
import type { SessionLog } from '@parley/store';
import type { ClientPeer } from '../contract/client-peer.ts';
import type { Viewer } from '../viewers/viewer.ts';
import type { Viewers } from '../viewers/viewers.ts';
import { EventLoopPause } from './event-loop-pause.ts';
import type { EventPipe } from './event-pipe.ts';

export interface CatchUpOptions {
  readonly sessionId: string;
  readonly log: SessionLog;
  readonly pipe: EventPipe<ClientPeer>;
  readonly signal: AbortSignal;
}

export interface ReplayOptions extends CatchUpOptions {
  readonly shared: SharedLog | undefined;
  readonly viewers: Viewers;
  /** The client that is shown the past. */
  readonly peer: ClientPeer;
  readonly isRunning: () => boolean;
  /** The last event that the client has; 0 for none. */
  readonly after: number;
  readonly commands: () => readonly AvailableCommand[];
}

/** Events between two looks at the clock. */
const EVENTS_PER_LOOK = 256;

/** Shows a client the conversation after what it has, and then everything that happens, with nothing lost or twice in between. */
export async function replay(options: ReplayOptions): Promise<void> {
  const { sessionId, log, shared, pipe, viewers, peer, signal, after } = options;
  const viewer = viewers.addBehind(peer);
  if (after > 0) peer.resume(sessionId);
  else peer.forget(sessionId);
  try {
    const isElsewhere = (await shared?.catchUp()) ?? false;
    // Events that waited for this viewer before the cut are part of the past that it is shown.
    let isRunning = isElsewhere;
    const upTo = await pipe.cut(() => {
      viewer.hold();
      isRunning ||= options.isRunning();
    });
    if (after > upTo) throw cursorAhead(after, upTo);
    await tell(viewer, sessionId, readEvents({ log, sessionId, after, upTo, signal, isRunning })).catch((error) => {
      throw isExpired(error) ? cursorExpired(after) : error;
    });
    showCommands(peer, sessionId, options.commands());
    viewer.seen = upTo;
    if (!viewer.release()) await catchUp(viewer, options);
  } catch (error) {
    viewers.remove(peer);
    throw error;
  }
}

function cursorAhead(after: number, upTo: number): RpcError {
  return RpcError.invalidParams(`the cursor ${after} is beyond the last event of this session, which is ${upTo}`, {
    reason: 'cursor_ahead',
  });
}

/** The client opens the session again without a cursor, and is told all that is kept. */
function cursorExpired(after: number): RpcError {
  return RpcError.invalidParams(
    `the events after cursor ${after} are no longer kept in this session; load it as a whole, without a cursor`,
    { reason: 'cursor_expired' },
  );
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

async function* readOn(viewer: Viewer, options: ReadOnOptions): AsyncGenerator<NumberedEvent> {
  const { log, sessionId, after, upTo, signal } = options;
  for await (const logged of readKept(log, sessionId, { after, upTo, signal })) {
    const entry = readEntry(logged);
    for (const event of entry ? shownBy(entry) : []) yield { event, seq: logged.seq };
    // The viewer has seen these; after a failure of the log it goes on from here.
    viewer.seen = logged.seq;
  }
}

/** Waits for the client where it reads slowly, and lets others have their turn. */
async function tell(viewer: Viewer, sessionId: string, events: AsyncIterable<NumberedEvent>): Promise<void> {
  const pause = new EventLoopPause();
  let told = 0;
  for await (const { event, seq } of events) {
    viewer.signal.throwIfAborted();
    const slow =
      viewer.peer.publish(sessionId, event, seq) ?? (++told % EVENTS_PER_LOOK === 0 ? pause.take() : undefined);
    if (slow) await slow;
  }
}

export function showCommands(peer: ClientPeer, sessionId: string, commands: readonly AvailableCommand[]): void {
  if (commands.length > 0) void peer.publish(sessionId, { type: 'commands', commands });
}
