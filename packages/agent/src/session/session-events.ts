import { cloneJson } from '@parley/jsonrpc/internal';
import type { AvailableCommand } from '@parley/protocol';
import {
  type ConfigEvent,
  isPassing,
  type MessageChunk,
  type ModeEvent,
  type SessionEvent,
  type ThoughtChunk,
} from '@parley/session';
import type { ClientPeer } from '../contract/client-peer.ts';
import type { OwnSettings } from '../contract/settings.ts';
import type { EventPipe } from '../log/event-pipe.ts';
import { withAbsolutePaths } from '../turn/paths.ts';
import { titleOf } from '../turn/prompt-text.ts';
import type { TurnInProgress } from '../turn/turn-session.ts';
import type { SessionFacts } from './facts.ts';
import { type SettingChange, toChanges } from './session-settings.ts';
import { MODE_OPTION_ID } from './settings.ts';

export interface SessionEventsOptions {
  readonly pipe: () => EventPipe<ClientPeer>;
  readonly facts: SessionFacts;
  readonly cwd: () => string;
  readonly running: () => TurnInProgress | undefined;
  /** Whether events come from another agent, and are passed on as they came. */
  readonly isRelay: boolean;
}

/** Where the events of a session go: all to its log and its viewers, and some also change what holds of the session. */
export class SessionEvents {
  readonly #options: SessionEventsOptions;
  /** The message without an id that goes on when more of it is said. */
  #unnamed: { readonly kind: string; readonly localId: string } | undefined;

  constructor(options: SessionEventsOptions) {
    this.#options = options;
  }

  /** Takes what an author tells. Returns a promise only when it is better to wait. */
  take(event: SessionEvent): void | Promise<void> {
    const { facts, cwd, running, isRelay } = this.#options;
    switch (event.type) {
      case 'message_chunk':
      case 'thought_chunk':
        if (event.messageId === undefined) return this.#pipe.push(this.#named(event));
        this.#unnamed = undefined;
        return this.#pipe.push(event);
      case 'tool_call':
        // A call that begins has a title.
        if (event.title !== undefined) this.#unnamed = undefined;
        return this.#pipe.push(isRelay ? event : withAbsolutePaths(event, cwd()));
      case 'mode':
      case 'config':
        if (facts.settings.current.own) return this.#tell(event);
        if (event.type === 'mode') return this.set({ id: MODE_OPTION_ID, value: event.modeId });
        return this.change(...toChanges(event));
      case 'plan': {
        const room = this.#pipe.push(event);
        // What another agent plans is told by that agent to the end.
        if (!isRelay) running()?.seePlan(event);
        return room;
      }
      case 'commands': {
        const room = this.#pipe.pass(event);
        facts.commands = cloneJson(event.commands) as AvailableCommand[];
        if (facts.settings.current.own && !running()) facts.saveLater();
        return room;
      }
      case 'compaction':
        this.#unnamed = undefined;
        break;
      case 'info':
        if (event.title !== undefined) facts.saveTitle(event.title);
        break;
    }
    return isPassing(event) ? this.#pipe.pass(event) : this.#pipe.push(event);
  }

  /** Changes one setting; refuses what is not there. */
  set(change: SettingChange): void {
    this.#options.facts.settings.require(change);
    this.change(change);
  }

  /** Makes the changes that can be made, and tells of them. */
  change(...changes: readonly SettingChange[]): void {
    this.#push(this.#options.facts.settings.change(...changes));
  }

  /** Gives the session settings of its own. Clients that know others hear of what is new. */
  own(settings: OwnSettings): void {
    const { facts } = this.#options;
    const events = facts.settings.own({ ...(cloneJson(settings) as OwnSettings), commands: facts.commands });
    if (settings.commands) void this.take({ type: 'commands', commands: settings.commands });
    this.#push(events);
  }

  #tell(event: ModeEvent | ConfigEvent): void {
    const told = this.#options.facts.settings.tell(event);
    if (told) this.#push([told]);
  }

  #push(events: readonly SessionEvent[]): void {
    const { facts, running } = this.#options;
    for (const event of events) void this.#pipe.push(event);
    if (!running()) facts.saveLater();
  }

  /** A client that knows what it said does not hear it; the others do now, and all of them when they load. */
  showPrompt(events: readonly SessionEvent[], { content, asker, isSteered }: TurnInProgress): void {
    const { facts } = this.#options;
    this.#unnamed = undefined;
    const except = asker?.hearsOwnPrompts || isSteered ? undefined : asker;
    for (const event of events) void this.#pipe.push(event, except);
    if (facts.title === null) facts.saveTitle(titleOf(content) ?? null);
  }

  /** What is said into a turn is told to everybody: who said it learns by this that the turn has it. */
  showMessage(events: readonly SessionEvent[]): void {
    this.#unnamed = undefined;
    for (const event of events) void this.#pipe.push(event);
  }

  get #pipe(): EventPipe<ClientPeer> {
    return this.#options.pipe();
  }

  /** Pieces without an id are of one message until something else happens that a conversation shows. */
  #named(event: MessageChunk | ThoughtChunk): SessionEvent {
    const kind = event.type === 'message_chunk' ? event.speaker : 'thought';
    if (this.#unnamed?.kind !== kind) this.#unnamed = { kind, localId: `message-${crypto.randomUUID()}` };
    return { ...event, localId: this.#unnamed.localId };
  }
}
