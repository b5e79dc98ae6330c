import '@portal/ui/tokens.css';
import '@portal/ui/base.css';
import './frame.css';
import { startEmbeddedApp } from '@portal/app-kit/embedded/embedded-app';
import { lazy } from 'react';
import { loadViewsAhead, views } from './views.ts';

startEmbeddedApp(views, { notBuilt: lazy(() => import('./not-built/NotBuiltPage.tsx')) });

// When the first page is shown and the browser is idle. Safari has no idle callback.
const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 1000));
if (window.parent !== window) window.addEventListener('load', () => idle(() => void loadViewsAhead()));
