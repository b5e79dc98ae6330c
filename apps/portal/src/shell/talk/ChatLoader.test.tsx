import { createWatched, SessionContext } from '@portal/app-kit';
import { anAccount, aSession, show } from '@portal/app-kit/testing';
import { act, waitFor } from '@testing-library/react';
import { useSyncExternalStore } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Portal } from '../../portal.ts';
import { ChatLoader } from './ChatLoader.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

const config = {
  baseCoreURL: 'https://chat.example.net',
  communityEndpointURL: 'https://chat.example.net/c',
  orgId: '00D',
  eswConfigDevName: 'Portal',
  mergeSettings: {},
  gslbBaseURL: 'https://gslb.example.net',
};

it('the chat is loaded once, and gets the current account and token', async () => {
  const widget = { settings: {} as Record<string, unknown>, init: vi.fn() };
  vi.stubGlobal('embedded_svc', widget);
  // The script of the chat loads immediately.
  const append = vi.spyOn(document.head, 'append').mockImplementation(script => (script as HTMLScriptElement).onload?.(new Event('load')));
  sessionStorage.setItem('id_token', 'aa.bb.cc');
  const user = createWatched({ user: {} });
  const session = createWatched(aSession({ account: anAccount({ accountName: 'BEACON-BD' }) }));
  const portal = {
    auth: { subscribe: user.subscribe, state: user.get },
    reporting: { reportDefect: vi.fn() },
  } as unknown as Pick<Portal, 'auth' | 'reporting'>;
  function Stage() {
    const current = useSyncExternalStore(session.subscribe, session.get);
    return (
      <SessionContext value={current}>
        <ChatLoader portal={portal} config={config} />
      </SessionContext>
    );
  }
  show(<Stage />);
  const widgetDetails = () => JSON.stringify(widget.settings['extraPrechatFormDetails']);
  await waitFor(() => expect(widgetDetails()).toMatch(/aa\.bb\.cc.*BEACON-BD/));
  act(() => session.set(aSession({ account: anAccount({ accountName: 'DELTA-VN' }) })));
  await waitFor(() => expect(widgetDetails()).toMatch(/aa\.bb\.cc.*DELTA-VN/));
  sessionStorage.setItem('id_token', 'dd.ee.ff');
  act(() => user.set({ user: {} }));
  await waitFor(() => expect(widgetDetails()).toMatch(/dd\.ee\.ff.*DELTA-VN/));
  expect(widget.init).toHaveBeenCalledTimes(1);
  expect(append).toHaveBeenCalledTimes(1);
  expect(portal.reporting.reportDefect).not.toHaveBeenCalled();
});
