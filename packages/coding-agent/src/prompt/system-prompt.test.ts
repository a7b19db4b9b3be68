import { describe, expect, it } from 'vitest';
import { systemPrompt } from './system-prompt.ts';

const place = {
  cwd: '/proj/app',
  roots: ['/proj/app'],
  platform: 'linux',
  shell: 'bash',
  instructions: [],
} as const;

describe('the system prompt', () => {
  it('is short, and says where the agent is', () => {
    const prompt = systemPrompt(place);
    expect(prompt.length).toBeLessThan(3000);
    expect(prompt).toContain('Working directory: /proj/app\nSystem: linux\nShell: bash');
  });

  it('begins the same whatever the place, so that providers find it in their caches', () => {
    const [one, other] = [systemPrompt(place), systemPrompt({ ...place, cwd: '/x' })];
    expect(other.slice(0, 1000)).toBe(one.slice(0, 1000));
  });

  it('ends with what the project says', () => {
    const prompt = systemPrompt({ ...place, instructions: [{ path: '/proj/app/AGENTS.md', text: 'Use tabs.' }] });
    expect(prompt.endsWith('# Instructions from /proj/app/AGENTS.md\n\nUse tabs.')).toBe(true);
  });
});
