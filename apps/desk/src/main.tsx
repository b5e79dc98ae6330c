import '@portal/ui/tokens.css';
import '@portal/ui/base.css';
import { environmentInPage, readEnvironment } from '@portal/app-kit/session/environment';
import type { Environment } from '@portal/contract/shell';
import { createRoot } from 'react-dom/client';
import { createDesk } from './desk.ts';
import { Gate } from './Gate.tsx';

async function start(environment: Environment): Promise<void> {
  const desk = createDesk(environment);
  // Nobody is signed in in this tab: to the provider and back to this address.
  if (!desk.auth.state().user) {
    await desk.auth.signIn().catch(() => sayUnavailable());
    return;
  }
  createRoot(document.getElementById('root')!).render(<Gate desk={desk} />);
  desk.auth.watch(Promise.resolve());
}

function sayUnavailable(): void {
  const words = document.createElement('p');
  words.setAttribute('role', 'alert');
  words.textContent = 'This page cannot be loaded at the moment. Reload it in a minute.';
  document.getElementById('root')?.replaceChildren(words);
}

const environment = environmentInPage();
if (environment) void start(environment);
else readEnvironment().then(start, sayUnavailable);
