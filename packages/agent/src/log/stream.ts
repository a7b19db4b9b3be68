import type { AvailableCommand } from '@parley/protocol';
import type { SessionEvent } from '@parley/session';
import type { SessionLog, SessionRecord } from '@parley/store';
import type { AgentDefinition } from '../definition.ts';
import type { Wire } from '../peer/client-peer.ts';
import { Viewers } from '../viewers/viewers.ts';
import { CommitFirstPipe } from './commit-first.ts';
import type { EventPipe } from './event-pipe.ts';
import { readHistory } from './history.ts';
import { ownEvent } from './own-event.ts';
import { PublishFirstPipe } from './publish-first.ts';
import { catchUp, replay } from './replay.ts';
import { SharedLog, type SharedLogOptions } from './shared-log.ts';

type ForeignListeners = Pick<SharedLogOptions, 'onOwned' | 'onInterruption'>;

export interface SessionStreamOptions extends ForeignListeners {
  readonly definition: AgentDefinition;
  readonly log: SessionLog;
  readonly record: SessionRecord;
  readonly isRunning: () => boolean;
  readonly commands: () => readonly AvailableCommand[];
  /** Hears of what someone else has written, before clients do. */
  readonly onForeignEvent: (event: SessionEvent) => void;
  /** The log could not be written, or is no longer ours to write. */
  readonly onFailure: (error: unknown) => void;
}

/** The one stream of a session's events: from whoever tells them into the log, and to all clients that have it open. */
export class SessionStream {
  readonly viewers: Viewers;
  /** Undefined when the log is this process's own. */
  readonly shared: SharedLog | undefined;
  readonly pipe: EventPipe<Wire>;
  readonly #options: SessionStreamOptions;
  readonly #replays = new WeakMap<Wire, Promise<void>>();

  constructor(options: SessionStreamOptions) {
    const { definition, log, record, onFailure } = options;
    const { limits, report, customContent } = definition;
    this.#options = options;
    // What others may have read, or taken, must not be shown before it is safe.
    const shared = log.isShared ? this.#share() : undefined;
    this.shared = shared;
    this.viewers = new Viewers({
      sessionId: record.id,
      limits,
      place: () => this.pipe.place(),
      catchUp: (viewer) => catchUp(viewer, { sessionId: record.id, log, pipe: this.pipe, signal: viewer.signal }),
      onWatched: (isWatched) => shared?.watch(isWatched),
      report,
    });
    const own = (event: SessionEvent): SessionEvent =>
      ownEvent(event, { maxBytes: limits.maxUpdateBytes, customContent });
    const publish = (event: SessionEvent, except?: Wire): void | Promise<void> => this.viewers.show(event, except);
    this.pipe = shared
      ? new CommitFirstPipe<Wire>({
          append: (events) => shared.append(events),
          publish,
          onFailure,
          shown: () => shared.shown,
          onShow: (seq) => shared.show(seq),
          limits,
          own,
        })
      : new PublishFirstPipe<Wire>({
          append: (events) => log.append(record.id, events),
          publish,
          onFailure,
          shown: () => record.head,
          limits,
          own,
        });
  }

  /** The conversation as a model should see it. */
  async *history(): AsyncGenerator<SessionEvent> {
    const { log, record } = this.#options;
    const upTo = await this.pipe.cut();
    yield* readHistory({ log, sessionId: record.id, upTo });
  }

  /** Shows a client the whole conversation, and makes it one of those who see what happens. One at a time per client. */
  async replayTo(wire: Wire, signal: AbortSignal): Promise<void> {
    const before = this.#replays.get(wire) ?? Promise.resolve();
    const { log, record, isRunning, commands } = this.#options;
    const { pipe, shared, viewers } = this;
    const replaying = before.then(() =>
      replay({ sessionId: record.id, log, pipe, shared, viewers, wire, isRunning, commands, signal }),
    );
    this.#replays.set(
      wire,
      replaying.catch(() => {}),
    );
    return replaying;
  }

  #share(): SharedLog {
    const { definition, log, record, onForeignEvent, onOwned, onInterruption, onFailure } = this.#options;
    const sessionId = record.id;
    return new SharedLog({
      log,
      record,
      leaseMs: definition.limits.leaseMs,
      onForeignEvent: (event) => {
        onForeignEvent(event);
        return this.viewers.show(event);
      },
      onOwned,
      onInterruption,
      onLost: onFailure,
      onFault: (message, error) => definition.report({ kind: 'log_failed', message, error, sessionId }),
    });
  }
}
