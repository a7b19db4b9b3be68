import type { CancellablePart } from '@parley/session';
import type { OpenShownTerminal } from './shown-terminal.ts';
import type { OpenToolCall } from './tool-call.ts';

/** The tool calls and terminals of a turn that have not ended: each can end by itself, and at the latest with the turn. */
export class TurnParts {
  readonly #calls = new Set<OpenToolCall>();
  readonly #terminals = new Set<OpenShownTerminal>();

  get size(): number {
    return this.#calls.size + this.#terminals.size;
  }

  addCall(call: OpenToolCall): void {
    this.#calls.add(call);
  }

  removeCall(call: OpenToolCall): void {
    this.#calls.delete(call);
  }

  addTerminal(terminal: OpenShownTerminal): void {
    this.#terminals.add(terminal);
  }

  removeTerminal(terminal: OpenShownTerminal): void {
    this.#terminals.delete(terminal);
  }

  /** Asks one of them to end; false when it is unknown, has ended, or cannot be cancelled. */
  cancel(part: CancellablePart): boolean {
    if ('toolCallId' in part) return find(this.#calls, part.toolCallId)?.requestCancel() ?? false;
    return find(this.#terminals, part.terminalId)?.requestCancel() ?? false;
  }

  /** Ends them all; `onLeftOpen` hears of tool calls that the turn should have ended. */
  end(isCancelled: boolean, onLeftOpen: (call: OpenToolCall) => void): void {
    for (const terminal of [...this.#terminals]) terminal.exit();
    for (const call of [...this.#calls]) {
      if (isCancelled) call.cancel('Cancelled.');
      else {
        onLeftOpen(call);
        call.fail('The turn ended before this was finished.');
      }
    }
  }
}

function find<Part extends { readonly id: string }>(parts: ReadonlySet<Part>, id: string): Part | undefined {
  for (const part of parts) if (part.id === id) return part;
  return undefined;
}
