import '@portal/ui/tokens.css';
import '@portal/ui/base.css';
import './frame.css';
import { startEmbeddedApp } from '@portal/app-kit/embedded/embedded-app';
import { lazy } from 'react';
import { views } from './views.ts';

startEmbeddedApp(views, { notBuilt: lazy(() => import('./not-built/NotBuiltPage.tsx')) });
