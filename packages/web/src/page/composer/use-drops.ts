import { useEffect, useRef } from 'preact/hooks';

/** Takes files that are dropped anywhere on the page; a browser would leave the page and show them. */
export function useDrops(take: (files: FileList) => void): void {
  const last = useRef(take);
  last.current = take;
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;
    addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault(), { signal });
    addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event) || event.defaultPrevented) return;
        event.preventDefault();
        if (event.dataTransfer?.files.length) last.current(event.dataTransfer.files);
      },
      { signal },
    );
    return () => ending.abort();
  }, []);
}
