import {
  createReturnedCalls,
  type Client,
  createAnswers,
  type Kit,
  KitProvider,
  Page,
  PageFrame,
  type Place,
  placeOf,
  type Router,
  type Session,
} from '@portal/app-kit';
import { anAccount } from '@portal/app-kit/testing';
import { defaultPermissions, type ErrorItem, staffPermissionKeys } from '@portal/contract';
import type { Account } from '@portal/contract/accounts/accounts';
import type { Person } from '@portal/contract/identity/people';
import { findPage, type SitePage } from '@portal/contract/pages';
import type { Environment } from '@portal/contract/shell/shell';
import { render } from '@testing-library/react';
import { lazy } from 'react';
import { beforeAll } from 'vitest';
import { views } from '../src/views.ts';

export const environment = {
  product: 'Registry',
  portalName: 'MyRegistry',
  registryName: 'Example Registry',
  supportUrl: 'https://support.example.net/',
  supportEmail: 'helpdesk@registry.example',
  profileUrl: 'https://id.example.net/profile',
  registryTimeZone: 'UTC',
  isSandbox: false,
  sandboxUrl: '',
} as Environment;

export const person: Person = {
  userId: '1',
  name: 'Corin',
  fullName: 'Corin Achterberg',
  email: 'corin@example.net',
  staff: false,
  staffPermissions: [],
  hasSecondFactor: true,
  privilegesNeedFactor: true,
  coolDownUntil: null,
  mfa: true,
  preferences: { timeZone: 'UTC', tables: {} },
};

export const account = (change: Partial<Account> = {}): Account =>
  anAccount({ contactTypes: ['corporate'], permissions: defaultPermissions(['corporate']), ...change });

/** Answers by endpoint id: the data, or what to answer to an input, now or later. */
export type Answers = Record<string, unknown>;
export const refusal = (status: number, code: string, message: string) => ({
  refused: { status, errors: [{ code, message, traceId: 'f'.repeat(32) }] },
});

/** Loads the code of pages before the tests of a file: on a busy machine that takes longer than a test waits for words. */
export const loadAhead = (...names: (keyof typeof views)[]): void =>
  beforeAll(async () => void (await Promise.all(names.map(name => views[name]()))), 60_000);

/** Renders a framed page as the shell would: the real views, guard and links, with the given answers. */
export function showPage(
  href: string,
  { answers = {}, as = account(), staff = false }: { answers?: Answers; as?: Account | null; staff?: boolean } = {},
) {
  let place: Place = placeOf(href, { path: '/', search: '', hash: '' });
  const listeners = new Set<() => void>();
  const left: string[] = [];
  const calls: { id: string; input: { query?: Record<string, unknown>; body?: unknown } }[] = [];
  const errors: ErrorItem[] = [];
  const router: Router = {
    place: () => place,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    go(next) {
      const to = placeOf(next, place);
      if (to.path !== place.path) return void left.push(next);
      place = to;
      for (const listener of listeners) listener();
    },
    reload: () => undefined,
  };
  const call: Client = async (endpoint, input) => {
    calls.push({ id: endpoint.id, input: input as (typeof calls)[number]['input'] });
    const given = answers[endpoint.id];
    const answer = await (typeof given === 'function' ? given(input) : given);
    if (answer === undefined) throw new Error(`No answer for ${endpoint.id}`);
    return (typeof answer === 'object' && answer && 'refused' in answer ? answer.refused : { status: 200, data: answer }) as never;
  };
  const kit: Kit = {
    call,
    router,
    environment,
    preferences: null,
    setTitle: title => {
      document.title = title;
    },
    showErrors: shown => errors.push(...shown),
    notify: () => undefined,
    askForSecondFactor: () => undefined,
    returned: createReturnedCalls(router),
    question: null,
  };
  const session: Session = {
    person: { ...person, staff, staffPermissions: staff ? [...staffPermissionKeys] : [] },
    accounts: as ? [as] : [],
    closedAccounts: [],
    account: as,
    environment,
    selectAccount: () => undefined,
  };
  const { name, page } = findPage(place.path, environment.product) as { name: keyof typeof views; page: SitePage };
  const View = Object.hasOwn(views, name) ? lazy(views[name]) : null;
  render(
    <KitProvider kit={kit} answers={createAnswers()} session={session}>
      <PageFrame page={page}>{View ? <View /> : <Page title="not found" />}</PageFrame>
    </KitProvider>,
  );
  return { calls, left, errors, search: () => place.search };
}
