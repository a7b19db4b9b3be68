import { type Input, objectSchema, requireText, ToolInputError } from './input.ts';
import { failure, failureFrom } from './outcome.ts';
import type { Tool } from './tool.ts';

interface Args {
  readonly url: string;
}

const MAX_BYTES = 5 * 1024 * 1024;

export const fetchUrl: Tool<Args> = {
  name: 'fetch_url',
  kind: 'fetch',
  level: 2,
  description:
    'Fetches a web page and answers with its text. Only http and https. Addresses of private networks are refused.',
  inputSchema: objectSchema({ url: { type: 'string', description: 'The full address, with https://.' } }, ['url']),
  parse(input: Input) {
    const url = requireText(input, 'url');
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new ToolInputError('"url" must be a full http or https address.');
    }
    return { url: new URL(url).href };
  },
  describe: ({ url }) => ({ title: `Fetch ${url}`, subject: { type: 'url', url } }),
  async run({ args, operations, signal }) {
    try {
      const page = await operations.web.fetch(args.url, { signal, maxBytes: MAX_BYTES });
      if (page.redirect !== undefined)
        return { text: `${page.url} leads to ${page.redirect}. Fetch that address to go on.` };
      const text = page.text + (page.isTruncated ? '\n(the rest is left out)' : '');
      if (page.status >= 400) return failure(`${page.url} answered ${page.status}.\n${text}`);
      return { text: text === '' ? `${page.url} is empty.` : text, rawOutput: { status: page.status, url: page.url } };
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};
