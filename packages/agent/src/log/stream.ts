import type { AvailableCommand } from '@parley/protocol';
import { isSetting, type LogEntry, type SessionEvent, shownBy } from '@parley/session';
import { readHistory, SharedLog, type SharedLogOptions } from '@parley/session/log';
import type { Appended, NewEvent, SessionLog, SessionRecord } from '@parley/store';
import type { ClientPeer } from '../contract/client-peer.ts';
import type { AgentDefinition } from '../contract/definition.ts';
import { Viewers } from '../viewers/viewers.ts';
import { CommitFirstPipe } from './commit-first.ts';
import type { EventPipe, EventPipeOptions } from './event-pipe.ts';
import { ownEvent } from './own-event.ts';
import { PublishFirstPipe } from './publish-first.ts';
import { catchUp, replay } from './replay.ts';
import { Retention } from './retention.ts';

type SharedLogListeners = Pick<SharedLogOptions, 'onInput' | 'onOwned' | 'onInterruption'>;

export interface SessionStreamOptions extends SharedLogListeners {
  readonly definition: AgentDefinition;
  readonly log: SessionLog;
  /** Whether other processes may write to the log, and a crash does not take it away. */
  readonly isShared: boolean;
  readonly record: SessionRecord;
  /** The id of the turn that runs here. */
  readonly running: () => string | undefined;
  readonly commands: () => readonly AvailableCommand[];
  /** Takes entries of other processes before clients see them, and entries of this one that are no events. */
  readonly onEntry: (written: { readonly entry: LogEntry; readonly isOwn: boolean }) => void;
  /** A client has the session no longer open. */
  readonly onViewerGone: (peer: ClientPeer) => void;
  /** Whether a client receives the updates of a turn. */
  readonly isFor: (peer: ClientPeer, turnId: string | undefined) => boolean;
  /** The log could not be written, or is no longer ours to write. */
  readonly onFailure: (error: unknown) => void;
}

/** How long a turn waits for a process that holds the session outside of turns, as to drop old ones. */
const PATIENCE_MS = 5000;

/** The one stream of a session's events: from whoever emits them into the log, and to all clients that have the session open. */
export class SessionStream {
  readonly viewers: Viewers;
  /** Undefined when the log is this process's own. */
  readonly shared: SharedLog | undefined;
  #pipe: EventPipe<ClientPeer>;
  readonly #options: SessionStreamOptions;
  readonly #retention: Retention;
  /** The turn that another process runs, once its beginning was read. */
  #turnElsewhere: string | undefined;
  readonly #replays = new WeakMap<ClientPeer, Promise<void>>();

  constructor(options: SessionStreamOptions) {
    const { definition, log, record, isShared } = options;
    const { limits, report } = definition;
    this.#options = options;
    // Events of a shared log must not be shown before the log has them.
    const shared = isShared ? this.#share() : undefined;
    this.shared = shared;
    this.#retention = new Retention({
      log,
      sessionId: record.id,
      shared,
      limits,
      onFault: (error) =>
        report({ kind: 'log_failed', message: 'The oldest turns could not be deleted.', error, sessionId: record.id }),
    });
    this.viewers = new Viewers({
      sessionId: record.id,
      limits,
      place: () => this.pipe.place(),
      catchUp: (viewer) => catchUp(viewer, { sessionId: record.id, log, pipe: this.pipe, signal: viewer.signal }),
      onWatched: (isWatched) => shared?.watch(isWatched),
      onGone: options.onViewerGone,
      isWaitedFor: !definition.isRelay,
      report,
    });
    this.#pipe = shared
      ? new CommitFirstPipe<ClientPeer>({
          ...this.#pipeOptions(),
          append: (events) => shared.append(events),
          shown: () => shared.shown,
          onShow: (seq) => shared.show(seq),
        })
      : new PublishFirstPipe<ClientPeer>({ ...this.#pipeOptions(), append: (events) => this.#append(events, true) });
  }

  get pipe(): EventPipe<ClientPeer> {
    return this.#pipe;
  }

  /** From now on events are shown when the log has them, and therefore with their numbers. */
  async numberEvents(): Promise<void> {
    while (this.#pipe instanceof PublishFirstPipe) {
      const pipe = this.#pipe;
      let shown = await pipe.cut();
      if (this.#pipe !== pipe || !pipe.isIdle) continue;
      this.#pipe = new CommitFirstPipe<ClientPeer>({
        ...this.#pipeOptions(),
        append: (events) => this.#append(events, false),
        shown: () => shown,
        onShow: (seq) => {
          shown = seq;
        },
      });
    }
  }

  /** The conversation as a model should see it. */
  async *history(): AsyncGenerator<SessionEvent> {
    const { log, record } = this.#options;
    const upTo = await this.pipe.cut();
    yield* readHistory({ log, sessionId: record.id, upTo });
  }

  /** Shows a client the whole conversation, and makes it one of those who see what happens. One at a time per client. */
  async replayTo(peer: ClientPeer, { signal, after = 0 }: { signal: AbortSignal; after?: number }): Promise<void> {
    const before = this.#replays.get(peer) ?? Promise.resolve();
    const { log, record, running, commands } = this.#options;
    const isRunning = (): boolean => running() !== undefined;
    const { shared, viewers } = this;
    const replaying = before.then(() =>
      replay({ sessionId: record.id, log, pipe: this.pipe, shared, viewers, peer, isRunning, commands, signal, after }),
    );
    this.#replays.set(
      peer,
      replaying.catch(() => {}),
    );
    return replaying;
  }

  /** A turn, or something else that held the session, has ended. */
  async release(): Promise<void> {
    this.#retention.turnEnded();
    await this.shared?.release();
  }

  /** Resolves when the oldest turns that are to go are gone; never rejects. */
  whenTrimmed(): Promise<void> {
    return this.#retention.done;
  }

  #share(): SharedLog {
    const { definition, log, record, isFor, onEntry, onInput, onOwned, onInterruption, onFailure } = this.#options;
    const sessionId = record.id;
    return new SharedLog({
      log,
      record,
      leaseMs: definition.limits.leaseMs,
      patienceMs: PATIENCE_MS,
      onEntry: (entry, seq) => {
        onEntry({ entry, isOwn: false });
        // The turn may have begun before the session was opened here.
        if (entry.type === 'turn_started' || entry.type === 'input_taken')
          this.#turnElsewhere = entry.turnId ?? this.#turnElsewhere;
        let slow: Promise<void> | undefined;
        for (const event of shownBy(entry)) {
          const hides = (peer: ClientPeer): boolean => !isSetting(event) && !isFor(peer, this.#turnElsewhere);
          slow = this.viewers.show(event, seq, hides) ?? slow;
        }
        if (entry.type === 'turn_ended' && !entry.neverBegan) this.#turnElsewhere = undefined;
        return slow;
      },
      onWritten: (entry) => onEntry({ entry, isOwn: true }),
      onInput,
      onOwned,
      onInterruption,
      onLost: onFailure,
      onFault: (message, error) => definition.report({ kind: 'log_failed', message, error, sessionId }),
    });
  }

  #append(events: readonly NewEvent[], isFinal: boolean): Promise<Appended> {
    return this.#options.log.append(this.#options.record.id, events, { isFinal });
  }

  #pipeOptions(): Omit<EventPipeOptions<ClientPeer>, 'append'> {
    const { definition, record, running, isFor, onFailure } = this.#options;
    const { limits, customContent, isRelay } = definition;
    return {
      publish: (event, seq, except) => {
        const turnId = running();
        const hides = (peer: ClientPeer): boolean => peer === except || (turnId !== undefined && !isFor(peer, turnId));
        return this.viewers.show(event, seq, hides);
      },
      onFailure,
      shown: () => record.head,
      limits,
      own: (event) => ownEvent(event, { maxBytes: limits.maxUpdateBytes, customContent, isRelay }),
    };
  }
}
