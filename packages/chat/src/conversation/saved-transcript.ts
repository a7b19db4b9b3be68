import type { ClientSession, Transcript } from '@parley/client';

export interface SavedTranscriptOptions {
  /** Writes down what was told so far; undefined when all of it is. Without it nobody writes anything down. */
  readonly save: (() => Promise<void> | undefined) | undefined;
  /** More may be shown now. */
  readonly onChange: () => void;
}

/** The transcript of the session that is followed, as far as it is written down: nothing is shown that could be lost. */
export class SavedTranscript {
  readonly #options: SavedTranscriptOptions;
  #session: ClientSession | undefined;
  /** As it was when it was last written down; undefined where nobody writes it down. */
  #saved: Transcript | undefined;
  #saving: Promise<void> | undefined;

  constructor(options: SavedTranscriptOptions) {
    this.#options = options;
  }

  /** What may be shown. */
  get current(): Transcript | undefined {
    return this.#saved ?? this.#session?.transcript;
  }

  follow(session: ClientSession): void {
    this.#session = session;
    this.#saved = this.#options.save && session.transcript;
    session.on('change', () => this.#changed(session));
  }

  /** Takes nothing more of the session; what was written down of it stays. */
  unfollow(): void {
    this.#session = undefined;
  }

  /** Resolves when everything that was told may be shown. */
  async settled(): Promise<void> {
    while (this.#saving) await this.#saving;
  }

  /** Shows a change when it is written down; what comes meanwhile is shown together, after the next write. */
  #changed(session: ClientSession): void {
    if (session !== this.#session || this.#saving) return;
    const { transcript } = session;
    const show = (): void => {
      if (this.#saved) this.#saved = transcript;
      this.#options.onChange();
    };
    const saving = this.#options.save?.();
    if (!saving) return show();
    this.#saving = saving.then(() => {
      this.#saving = undefined;
      if (session !== this.#session) return;
      show();
      if (session.transcript !== transcript) this.#changed(session);
    });
  }
}
