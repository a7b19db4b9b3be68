import type { ComponentType } from 'preact';
import { late } from '../parts/late.tsx';
import type { LoginViewProps } from './login-view.tsx';

/** The ways to log in, loaded when an agent wants it. */
export const LoginView: ComponentType<LoginViewProps> = late(async () => (await import('./login-view.tsx')).LoginView);
