import type { ToolCallHandle, Turn } from '@parley/agent';
import { nestedMark } from '../turn/nested-mark.ts';
import type { ToolTurn } from '../turn/tool-turn.ts';

export interface NestedTurnOptions {
  /** Who makes the calls. */
  readonly name: string;
  /** The call of ours under which they are shown. */
  readonly parentId: string | undefined;
  readonly signal: AbortSignal;
}

/** The turn of the parent as a sub-agent's calls see it: they are shown below the parent's call, under the sub-agent's name. */
export class NestedTurn implements ToolTurn, Disposable {
  readonly #turn: Turn;
  readonly #options: NestedTurnOptions;
  readonly #calls = new Set<ToolCallHandle>();

  constructor(turn: Turn, options: NestedTurnOptions) {
    this.#turn = turn;
    this.#options = options;
  }

  get session(): Turn['session'] {
    return this.#turn.session;
  }

  get client(): Turn['client'] {
    return this.#turn.client;
  }

  get signal(): AbortSignal {
    return this.#options.signal;
  }

  /** Without the tool's name and the model's id: calls that have them are calls of the parent. */
  toolCall: Turn['toolCall'] = ({ name, title, meta: _meta, ...call }) => {
    const { parentId, signal } = this.#options;
    const shown = this.#turn.toolCall({
      ...call,
      title: `${this.#options.name}: ${title ?? name ?? 'a tool call'}`,
      signal,
      ...(parentId !== undefined && { meta: nestedMark(parentId) }),
    });
    this.#calls.add(shown);
    return shown;
  };

  askPermission: Turn['askPermission'] = (call, options) => this.#turn.askPermission(call, options);

  showTerminal: Turn['showTerminal'] = (terminal) => this.#turn.showTerminal(terminal);

  /** Nothing stays open that nobody works at any more. */
  [Symbol.dispose](): void {
    for (const call of this.#calls) if (!call.isFinal) call.cancel();
  }
}
