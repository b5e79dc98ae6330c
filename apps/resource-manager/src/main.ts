import '@portal/ui/tokens.css';
import '@portal/ui/base.css';
import './frame.css';
import { startEmbeddedApp } from '@portal/app-kit/embedded/embedded-app';
import { views } from './views.ts';

startEmbeddedApp(views);
