export { clipText, formatTable } from '@parley/terminal';
