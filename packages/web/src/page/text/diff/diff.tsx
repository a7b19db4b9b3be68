import type { ComponentType } from 'preact';
import { late } from '../../parts/late.tsx';
import type { DiffCountsProps, DiffListProps } from './diff-list.tsx';

// What compares texts is loaded with the first change of a file.

export const Diffs: ComponentType<DiffListProps> = late(async () => (await import('./diff-list.tsx')).DiffList);

export const DiffCounts: ComponentType<DiffCountsProps> = late(
  async () => (await import('./diff-list.tsx')).DiffCounts,
);
