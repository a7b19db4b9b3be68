export { reapInBackground } from '@parley/host/process';
