import '@portal/ui/tokens.css';
import '@portal/ui/base.css';
import './frame.css';
import { startEmbeddedApp } from '@portal/app-kit';
import { NotBuiltPage } from './not-built/NotBuiltPage.tsx';
import { views } from './views.ts';

startEmbeddedApp(views, { notBuilt: NotBuiltPage });
