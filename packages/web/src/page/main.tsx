import { render } from 'preact';
import { App } from './app/app.tsx';
import { applyTheme, readTheme } from './app/theme.ts';

applyTheme(readTheme());
const root = document.getElementById('app');
if (root) render(<App />, root);
