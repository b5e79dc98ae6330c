import { createHeldConfirmations } from '@portal/app-kit/step-up/held-confirmations';
import { type Client, createWatched, type Session } from '@portal/app-kit';
import { createErrorList } from '@portal/app-kit/page/error-list';
import { type Answer, anEnvironment, aRouter, aSession, show } from '@portal/app-kit/testing';
import { buildNavigation } from '@portal/contract/navigation';
import { shell } from '@portal/contract/shell/shell';
import { createToasts } from '@portal/ui';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import type { SignedInUser } from '@portal/app-kit/auth/stored-user';
import type { Portal } from '../portal.ts';
import { PortalShell } from './PortalShell.tsx';

afterEach(() => vi.unstubAllGlobals());

const failed: Answer = { status: 500, errors: [{ code: 'UNEXPECTED_ERROR', message: 'no', traceId: 'f00d' }] };
const aUser: SignedInUser = { idToken: 'a.b.c', expiresAt: Infinity, claims: { sub: 'tess', nickname: 'Tess' } };
const whole: Answer = {
  status: 200,
  data: { myRegistryPortal: buildNavigation('Registry', { staff: false, staffPermissions: new Set() }) },
};

/** The shell around a page, with this theme file and these answers of the navigation, one after the other. */
function open(theme: unknown, ...navigation: Answer[]) {
  openFor(aSession(), theme, ...navigation);
}

function openFor(session: Session | null, theme: unknown, ...navigation: Answer[]) {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(theme)));
  const router = aRouter('/');
  const call = ((endpoint: { id: string }) =>
    Promise.resolve(endpoint.id === shell.getNavigation.id ? (navigation.shift() ?? whole) : failed)) as unknown as Client;
  const state = { expired: false, endsIn: null };
  const portal = {
    environment: anEnvironment(),
    call,
    router,
    errors: createErrorList(() => undefined),
    toasts: createToasts(),
    palette: createWatched(false),
    whole: createWatched(true),
    shownFrom: createWatched(null),
    confirmations: createHeldConfirmations(),
    auth: { subscribe: () => () => undefined, state: () => state },
  } as unknown as Portal;
  show(
    <PortalShell portal={portal} user={aUser}>
      <h1>The page</h1>
    </PortalShell>,
    { router, session, kit: { call } },
  );
}

it.each([[{}], [[]], [{ footerLogo: 7 }], [{ omnibarQuickLinks: [{}], footerSocialLinks: {}, footerAsideLinks: null }]])(
  'with the theme %j the page renders, and so does the footer',
  async theme => {
    open(theme);
    expect(await screen.findByRole('link', { name: 'My accounts' })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'The page' })).toBeTruthy();
    expect(screen.getByText(/©.*Example Registry/)).toBeTruthy();
  },
);

it.each<[string, Answer]>([
  ['fails', failed],
  ['holds none', { status: 200, data: {} }],
])('a call for the navigation that %s says so in its place, and is tried again on demand', async (_, answer) => {
  open({}, answer);
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'My accounts' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

it('on a slow connection a person is greeted by the name in the token until the registry has answered', async () => {
  Object.defineProperty(navigator, 'connection', { value: { effectiveType: '3g' }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'));
  openFor(null, {});
  expect(await screen.findByRole('button', { name: 'Hello, Tess! No 2FA' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Log in' })).toBeNull();
});
