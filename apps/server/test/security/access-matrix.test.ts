import type { Endpoint } from '@portal/contract';
import { allEndpoints, api } from '@portal/contract/api';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { demoPeople } from '../../src/demo/index.ts';
import { mount } from '../../src/platform/http/endpoints.ts';
import { Failure, refuse } from '../../src/platform/failure.ts';
import { testPortal } from '../portal.ts';

/**
 * Every demo person against every call, as admission decides it before anything is read or done: what the house promises about who
 * may do what, in one table that a change of permissions shows line by line. `vitest -u` writes it anew.
 */
test('docs/generated/access.md lists who may make which call', async () => {
  await using portal = await testPortal();
  const decided = Fastify();
  decided.decorateRequest('traceId', '0'.repeat(32));
  // Admitted callers may make the call; nothing else is checked.
  const admitted = () => Promise.reject(refuse('UNAVAILABLE'));
  const handlers = (endpoints: readonly Endpoint[]) => Object.fromEntries(endpoints.map(({ id }) => [id, admitted]));
  decided.setErrorHandler((error, _request, reply) =>
    reply.code(400).send({ code: error instanceof Failure ? error.code : String(error) }),
  );
  decided.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  mount(
    decided,
    { endpoints: Object.fromEntries(allEndpoints.map(each => [each.id, each])), handlers: handlers(allEndpoints) },
    portal.app.admission,
  );

  const people = [
    { name: 'nobody', username: null, mfa: false },
    ...demoPeople.flatMap(({ username }) => [{ name: username, username, mfa: true }]),
    { name: 'corin, password alone', username: 'corin', mfa: false },
    { name: 'stella, password alone', username: 'stella', mfa: false },
  ];
  const callers: { username: string | null; token: string | null; account: string }[] = [];
  for (const { username, mfa } of people) {
    const token = username === null ? null : await portal.tokenOf(username, { mfa });
    const { data } = username === null ? {} : await (await portal.as(username))(api.accounts.listAccounts, {});
    callers.push({ username, token, account: data?.find(each => each.accountStatus !== 'closed')?.accountName ?? 'EXAMPLE-AU' });
  }
  const words: Readonly<Record<string, string>> = {
    NOT_SIGNED_IN: 'sign in',
    ACCOUNT_NOT_FOUND: '–',
    NOT_FOUND: '–',
    NO_PERMISSION: 'no',
    NO_STAFF_PERMISSION: 'no',
    CORPORATE_ONLY: 'no',
    CORPORATE_OR_TECHNICAL_ONLY: 'no',
    MFA_REQUIRED: '2FA',
    MFA_TOO_OLD: '2FA',
    VISIT_NEEDED: 'visit',
  };
  const rows: string[] = [];
  for (const endpoint of allEndpoints) {
    const cells: string[] = [];
    for (const { token, account } of callers) {
      const answer = await decided.inject({
        method: endpoint.method,
        url: endpoint.path.replace(':account', account).replaceAll(/:\w+/g, 'x'),
        headers: { ...(token && { authorization: `Bearer ${token}` }) },
        ...(endpoint.method !== 'GET' && { payload: {} }),
      });
      cells.push(words[answer.json<{ code: string }>().code] ?? 'yes');
    }
    rows.push(`| \`${endpoint.id}\` | ${cells.join(' | ')} |`);
  }
  const head = people.map(({ name }, place) => `${name} (${callers[place]!.account})`);
  const table = [
    '# Who may make which call',
    '',
    'Each demo person, for the account in brackets, against each call, as admission decides it. `–`: as if it did not exist; `no`: the permission is',
    'missing; `2FA`: a second factor is asked for; `visit`: registry staff begin a visit first. Written by `apps/server/test/security/access-matrix.test.ts`.',
    '',
    `| call | ${head.join(' | ')} |`,
    `|---|${people.map(() => '---|').join('')}`,
    ...rows,
    '',
  ].join('\n');
  await expect(table).toMatchFileSnapshot('../../../../docs/generated/access.md');
}, 180_000);
