import '@portal/ui/tokens.css';
import '@portal/ui/base.css';
import { showUnavailable, scrollOnArrival, startWithEnvironment, topBarHeight } from '@portal/app-kit';
import type { Environment } from '@portal/contract/shell/shell';
import { withRetries } from '@portal/ui/code/with-retries';
import { createRoot } from 'react-dom/client';
import { createDesk } from './desk.ts';
import { Gate } from './Gate.tsx';

async function start(environment: Environment): Promise<void> {
  const desk = createDesk(environment);
  // No one is signed in in this tab: go to the provider and back to this address.
  if (!desk.auth.state().user) {
    await desk.auth.signIn().catch(unavailable);
    return;
  }
  desk.resume();
  createRoot(document.getElementById('root')!).render(<Gate desk={desk} />);
  scrollOnArrival(desk.router.place().hash, null, topBarHeight);
  desk.auth.watch(Promise.resolve());
  // Loaded while this release is still served. Without it the person reloads when they like.
  withRetries(() => import('@portal/app-kit/browser/new-release'))().then(
    ({ watchRelease }) => watchRelease(desk),
    () => undefined,
  );
}

function unavailable(): void {
  showUnavailable(document.getElementById('root'), 'This page can’t be loaded right now. Reload it in a minute.');
}

startWithEnvironment(start, unavailable);
