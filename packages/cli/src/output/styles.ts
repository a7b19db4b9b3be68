export { createStyles, hasColor, type Styles } from '@parley/terminal';
