/** What the person has chosen to see, and what the status line says about keys. */
export class DisplaySettings {
  #isDetailed = false;
  #showsThoughts = false;
  #hint = '';

  /** Tool calls are shown whole. */
  get isDetailed(): boolean {
    return this.#isDetailed;
  }

  get showsThoughts(): boolean {
    return this.#showsThoughts;
  }

  /** What the status line says about keys, until the next key; empty for nothing special. */
  get hint(): string {
    return this.#hint;
  }

  /** True when tool calls are shown whole from now on. */
  toggleDetails(): boolean {
    this.#isDetailed = !this.#isDetailed;
    return this.#isDetailed;
  }

  /** True when thoughts are shown from now on. */
  toggleThoughts(): boolean {
    this.#showsThoughts = !this.#showsThoughts;
    return this.#showsThoughts;
  }

  showHint(hint: string): void {
    this.#hint = hint;
  }

  clearHint(): void {
    this.#hint = '';
  }
}
