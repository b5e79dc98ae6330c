import { flagKeys, staffPermissionKeys } from '@portal/contract';
import type { Account } from '@portal/contract/accounts/accounts';
import type { Person } from '@portal/contract/identity/people';
import type { Environment } from '@portal/contract/shell/shell';
import type { QueryClient } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createAnswers } from '../src/calls/answer.ts';
import { createReturnedCalls } from '../src/calls/returned-calls.ts';
import type { Kit } from '../src/kit/kit.ts';
import { KitProvider } from '../src/page/KitProvider.tsx';
import type { Place, Router } from '../src/kit/place.ts';
import { placeOf } from '../src/kit/place.ts';
import type { Session } from '../src/session/session.ts';

/** A member account as tests need it: a regular member whose technical contact looks at it. */
export const anAccount = (given: Partial<Account> = {}): Account => ({
  accountName: 'EXAMPLE-AU',
  accountStatus: 'open',
  accountType: 'regular',
  nir: false,
  orgName: 'Example Networks Pty Ltd',
  economy: 'AU',
  memberSince: '2021-03-02',
  expiryDate: '2026-12-21',
  contactTypes: ['technical'],
  permissions: ['resources-view', 'contacts-details-view'],
  features: [...flagKeys],
  asStaff: false,
  ...given,
});

export const aPerson = (given: Partial<Person> = {}): Person => ({
  userId: 'tess',
  name: 'Tess',
  fullName: 'Tess Lindqvist',
  email: 'tess@example.net',
  staff: false,
  // Staff of a test may do everything, unless it says what.
  staffPermissions: given.staff ? [...staffPermissionKeys] : [],
  hasSecondFactor: true,
  privilegesNeedFactor: true,
  coolDownUntil: null,
  mfa: true,
  preferences: { tables: {} },
  ...given,
});

export const anEnvironment = (given: Partial<Environment> = {}): Environment => ({
  registryName: 'Example Registry',
  product: 'Registry',
  portalName: 'MyRegistry',
  issuerUri: 'http://localhost:3000/oidc',
  clientId: 'portal',
  scopes: 'openid,profile,email',
  logoutUrl: '/logout',
  singleLogoutUrl: '/logout',
  profileUrl: '/settings',
  appUrl: 'http://localhost:3000',
  contentSiteUrl: '',
  membershipExternalRootUrl: '',
  supportUrl: '/contact/helpdesk/rt-tickets',
  supportEmail: 'helpdesk@registry.example',
  themeUrl: '/theme.json',
  resourceManagerUrl: '',
  eventsCalendarUrl: '',
  dashboardServerHost: '',
  dashboardWebHost: '',
  errorReporting: { enabled: false, dsn: '', environment: 'test', release: '0', sendDefaultPii: true },
  chat: null,
  monitorSession: 'auto',
  renewMode: 'iframe',
  stepUpAcr: 'urn:myregistry:acr:mfa',
  mfaAmr: ['mfa'],
  mfaAcr: [],
  claimNames: {},
  registryTimeZone: 'Australia/Brisbane',
  demo: true,
  isSandbox: false,
  sandboxUrl: '',
  ...given,
});

/** Returns a session of a person who looks at an account. */
export const aSession = (given: Partial<Session> = {}): Session => {
  const account = given.account === undefined ? anAccount() : given.account;
  return {
    person: aPerson(),
    accounts: account ? [account] : [],
    closedAccounts: [],
    account,
    environment: anEnvironment(),
    selectAccount: () => undefined,
    ...given,
  };
};

/** A router that only remembers where it was sent. */
export function aRouter(start = '/'): Router & { went: { href: string; replace: boolean }[]; reloaded: number } {
  let place: Place = placeOf(start, { path: '/', search: '', hash: '' });
  const listeners = new Set<() => void>();
  return {
    went: [],
    reloaded: 0,
    place: () => place,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    go(href, { replace = false } = {}) {
      this.went.push({ href, replace });
      place = placeOf(href, place);
      for (const listener of listeners) listener();
    },
    reload() {
      this.reloaded += 1;
    },
  };
}

export type Answer = { status: number; data?: unknown; errors?: { code: string; message: string; traceId: string }[] };
export type SentCall = { endpoint: string; input: unknown };

/** Renders something inside the kit. `answer` replaces the API; its calls are recorded. */
export function show(
  children: ReactNode,
  options: { answer?: (sent: SentCall) => Answer | Promise<Answer>; session?: Session | null; router?: Router; kit?: Partial<Kit> } = {},
) {
  const { answer = () => ({ status: 404, errors: [{ code: 'NOT_FOUND', message: 'This was not found', traceId: 'f00d' }] }) } = options;
  const sent: SentCall[] = [];
  const errors: string[] = [];
  const titles: string[] = [];
  const answers: QueryClient = createAnswers();
  const call = ((endpoint: { id: string }, input: unknown) => {
    sent.push({ endpoint: endpoint.id, input });
    return Promise.resolve(answer({ endpoint: endpoint.id, input }));
  }) as Kit['call'];
  const router = options.router ?? aRouter();
  const kit: Kit = {
    call,
    router,
    returned: createReturnedCalls(router),
    environment: anEnvironment(),
    preferences: null,
    setTitle: title => titles.push(title),
    showErrors: list => errors.push(...list.map(error => error.code)),
    notify: () => undefined,
    askForSecondFactor: () => undefined,
    question: null,
    ...options.kit,
  };
  const session = options.session === undefined ? aSession() : options.session;
  const view = render(
    <KitProvider kit={kit} answers={answers} session={session}>
      {children}
    </KitProvider>,
  );
  return { ...view, sent, errors, titles, answers };
}

/** Returns what is said to be wrong at a control, as a screen reader says it with the control; undefined where nothing is. */
export function problemAt(label: RegExp | string): string | undefined {
  const control = screen.getByLabelText(label, { selector: 'input, select, textarea' });
  if (control.getAttribute('aria-invalid') !== 'true') return undefined;
  return document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent ?? undefined;
}
