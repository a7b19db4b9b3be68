import { describe, expect, it } from 'vitest';
import { isDateTime } from './date-time.ts';

describe('isDateTime', () => {
  it.each(['2026-11-15T21:50:00Z', '2024-02-29T00:00:00.5+23:59', '2000-02-29T23:59:59-00:00', '0000-01-01T00:00:00Z'])(
    'accepts %s',
    (text) => {
      expect(isDateTime(text)).toBe(true);
    },
  );

  it.each([
    '2026-11-15',
    '2026-11-15T21:50Z',
    '2026-11-15T21:50:00',
    '2026-11-15 21:50:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00.Z',
    5,
    null,
  ])('refuses %s', (value) => {
    expect(isDateTime(value)).toBe(false);
  });
});
