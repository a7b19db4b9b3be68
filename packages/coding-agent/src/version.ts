/** This package's version; a test keeps it in step with package.json. */
export const VERSION = '0.1.0';
