/** What a file is, by the ending of its name; only what prompts commonly carry. */
const MIME_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  wav: 'audio/wav',
  mp3: 'audio/mp3',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  aac: 'audio/aac',
  txt: 'text/plain',
  md: 'text/markdown',
  html: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  js: 'text/javascript',
  mjs: 'text/javascript',
  ts: 'text/x-typescript',
  tsx: 'text/x-typescript',
  py: 'text/x-python',
  json: 'application/json',
  pdf: 'application/pdf',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** The MIME type that a file's name suggests, if it suggests one. */
export function mimeTypeOfPath(path: string): string | undefined {
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase();
  return extension !== undefined && Object.hasOwn(MIME_TYPES, extension) ? MIME_TYPES[extension] : undefined;
}
