/** What a scrolled element tells about its place. */
export interface ScrollPlace {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** As near to the end as this counts as at the end. */
const NEAR_PX = 40;

/**
 * Whether a view stays at the end of what grows. It does until the reader goes up, and again when the reader comes back to the end, or
 * says something.
 */
export class EndFollower {
  #isFollowing = true;
  #lastTop = 0;
  #lengthSeen = 0;

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** After each scroll, whoever caused it: what grows below moves nothing, so only a reader makes the top smaller. */
  onScroll(place: ScrollPlace): void {
    const isAtEnd = place.scrollHeight - place.scrollTop - place.clientHeight < NEAR_PX;
    if (isAtEnd) this.#isFollowing = true;
    else if (place.scrollTop < this.#lastTop - 1) this.#isFollowing = false;
    this.#lastTop = place.scrollTop;
  }

  follow(): void {
    this.#isFollowing = true;
  }

  /** How many entries have come since the reader left the end. */
  countNew(length: number): number {
    if (this.#isFollowing || length < this.#lengthSeen) this.#lengthSeen = length;
    return length - this.#lengthSeen;
  }
}
