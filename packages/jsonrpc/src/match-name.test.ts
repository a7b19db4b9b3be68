import { describe, expect, it } from 'vitest';
import { matchName } from './match-name.ts';

const MODELS = [
  ['anthropic/claude-sonnet-5', 'Claude Sonnet 5'],
  ['anthropic/claude-sonnet-5-5', 'Claude Sonnet 5.5'],
  ['anthropic/claude-sonnet-4-5-20250929', 'Claude Sonnet 4.5'],
  ['anthropic/claude-opus-5-5', 'Claude Opus 5.5'],
  ['gemini/gemini-3.8-flash', 'Gemini 3.8 Flash'],
  ['gemini/gemini-3.1-flash-lite', 'Gemini 3.1 Flash-Lite'],
  ['ollama/qwen3:8b', 'qwen3:8b'],
  ['ollama/qwen3:14b', 'qwen3:14b'],
  ['openrouter/anthropic/claude-opus-5.5', 'Claude Opus 5.5 at OpenRouter'],
] as const;

function find(wanted: string): string | readonly string[] | undefined {
  const match = matchName(MODELS, wanted, (names) => names);
  if (match.kind === 'one') return match.item[0];
  return match.kind === 'several' ? match.items.map(([id]) => id) : undefined;
}

describe('matchName', () => {
  it.each([
    ['anthropic/claude-opus-5-5', 'anthropic/claude-opus-5-5'],
    ['claude-sonnet-5', 'anthropic/claude-sonnet-5'],
    ['claude opus 5.5', 'anthropic/claude-opus-5-5'],
    ['flash-lite', 'gemini/gemini-3.1-flash-lite'],
    ['GEMINI 3.8', 'gemini/gemini-3.8-flash'],
    ['14b', 'ollama/qwen3:14b'],
    ['anthropic/opus', 'anthropic/claude-opus-5-5'],
  ])('knows what %s means', (wanted, id) => expect(find(wanted)).toBe(id));

  it('takes the newest of several versions', () => {
    expect(find('sonnet')).toBe('anthropic/claude-sonnet-5-5');
    expect(find('sonnet-4')).toBe('anthropic/claude-sonnet-4-5-20250929');
  });

  it('names all that are meant where they differ in more than the version', () => {
    expect(find('flash')).toEqual(['gemini/gemini-3.8-flash', 'gemini/gemini-3.1-flash-lite']);
    expect(find('qwen')).toEqual(['ollama/qwen3:8b', 'ollama/qwen3:14b']);
    expect(find('opus')).toEqual(['anthropic/claude-opus-5-5', 'openrouter/anthropic/claude-opus-5.5']);
  });

  it('finds nothing for what is not there, and for nothing', () => {
    expect(find('nano')).toBeUndefined();
    expect(find(' ')).toBeUndefined();
  });
});
