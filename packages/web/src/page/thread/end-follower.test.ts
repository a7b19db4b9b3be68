import { describe, expect, it } from 'vitest';
import { EndFollower } from './end-follower.ts';

const place = (scrollTop: number, scrollHeight = 1000) => ({ scrollTop, scrollHeight, clientHeight: 400 });

describe('a view that follows the end', () => {
  it('stays while the content grows, and leaves when the reader goes up', () => {
    const follower = new EndFollower();
    follower.onScroll(place(600));
    follower.onScroll(place(600, 3000));
    expect(follower.isFollowing).toBe(true);
    follower.onScroll(place(500, 3000));
    expect(follower.isFollowing).toBe(false);
  });

  it('counts what has come since, and follows again at the end or when told', () => {
    const follower = new EndFollower();
    follower.onScroll(place(600));
    expect(follower.countNew(10)).toBe(0);
    follower.onScroll(place(100));
    expect(follower.countNew(14)).toBe(4);
    follower.onScroll(place(580));
    expect(follower.isFollowing).toBe(true);
    expect(follower.countNew(15)).toBe(0);
    follower.onScroll(place(100));
    follower.follow();
    expect(follower.countNew(16)).toBe(0);
  });

  it('begins anew where the conversation was cleared', () => {
    const follower = new EndFollower();
    follower.countNew(10);
    follower.onScroll(place(600));
    follower.onScroll(place(100));
    expect(follower.countNew(2)).toBe(0);
  });
});
