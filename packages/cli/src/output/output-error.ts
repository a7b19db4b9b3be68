export { outputError, writeWhole } from '@parley/host/command-line';
