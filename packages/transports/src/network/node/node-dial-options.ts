import type { DialOptions, HeaderOptions } from '../dial-options.ts';

/** What a client in Node takes beyond what a browser can do. */
export interface NodeDialOptions extends DialOptions, HeaderOptions {
  /** Certificates (PEM) of authorities to trust, instead of the usual ones. */
  readonly ca?: string | readonly string[];
  /**
   * The HTTP proxy to go through, or false for none. Default: what `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` say, never for this
   * machine itself.
   */
  readonly proxy?: string | URL | false;
}
