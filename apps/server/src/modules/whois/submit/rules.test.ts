import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../../../test/portal.ts';
import { readProfile } from '../../../profile.ts';
import { expandSet, listMembers, ownMembers } from '../query/irr-sets.ts';
import { submit } from './submit.ts';
import type { Credentials, WhoisOutcome, WhoisUpdate } from '../store/update.ts';

const profile = readProfile('');
const member: Credentials = {
  maintainers: new Set(['maint-au-example']),
  holder: 'EXAMPLE-AU',
  mayWriteDomains: true,
  registry: false,
  who: 'Tess of EXAMPLE-AU',
};
const registry: Credentials = { maintainers: new Set(), holder: null, mayWriteDomains: true, registry: true, who: 'The registry' };

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal[Symbol.asyncDispose]());

const write = async (text: string, credentials = member, more: Partial<WhoisUpdate> = {}): Promise<WhoisOutcome> => {
  const activity = { action: 'test', summary: 'Tested rules', traceId: '0'.repeat(32) };
  const outcomes = await portal.db.change(activity, change =>
    submit(change, [{ operation: 'auto', text, ...more }], { credentials, mode: 'best-effort', profile }),
  );
  return outcomes[0]!;
};
const codes = async (text: string, credentials = member, more: Partial<WhoisUpdate> = {}): Promise<string[]> =>
  (await write(text, credentials, more)).problems.map(({ code }) => code);
const stored = async (text: string, credentials = member): Promise<WhoisOutcome> => {
  const outcome = await write(text, credentials);
  expect([outcome.state, outcome.problems.filter(({ severity }) => severity === 'error')]).toEqual(['ok', []]);
  return outcome;
};

const hostmaster = profile.hostmasterMaintainer;
const end = 'mnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n';
const contact = 'address: 1 Street\ncountry: AU\nphone: +61 7 5550 0100\ne-mail: a@example.net\n';
const person = (name: string, handle = 'AUTO-1', more = ''): string => `person: ${name}\n${contact}nic-hdl: ${handle}\n${more}${end}`;
const role = (more: string, handle = 'AUTO-1'): string =>
  `role: Rules Desk\n${contact}admin-c: ENO1-EX\ntech-c: ENO1-EX\n${more}nic-hdl: ${handle}\n${end}`;
const network = (range: string, status: string, more = ''): string =>
  `inetnum: ${range}\nnetname: RULES\ndescr: Rules\ncountry: AU\nadmin-c: ENO1-EX\ntech-c: ENO1-EX\n${more}status: ${status}\nmnt-irt: IRT-AU-EXAMPLE\n${end}`;

test('a member names no maintainer of the registry, and deletes nothing that the registry maintains too', async () => {
  expect(await codes(person('Rita Rules', 'AUTO-1', `mnt-by: ${hostmaster}\n`))).toContain('registry-maintainer');
  const shared = await stored(person('Rita Rules', 'AUTO-1', `mnt-by: ${hostmaster}\n`), registry);
  expect(await codes(shared.after!, member, { operation: 'delete' })).toContain('registry-maintained');
});

test('a status of old networks is for no new one', async () => {
  expect(await codes(network('198.18.31.128 - 198.18.31.159', 'NOT-SPECIFIED'))).toContain('status-not-for-new');
});

test('reverse domains may be adjacent', async () => {
  const domain = `domain: 18.198.in-addr.arpa\ndescr: Rules\nadmin-c: ENO1-EX\ntech-c: ENO1-EX\nzone-c: ENO1-EX\nnserver: ns1.example.net\nnserver: ns2.example.net\n${end}`;
  expect(await codes(domain, registry)).toContain('domain-overlaps');
});

test('removing a maintainer from mbrs-by-ref warns whose membership ends', async () => {
  const set = (more: string): string => `as-set: AS64500:AS-RULES\ndescr: Rules\n${more}admin-c: ENO1-EX\ntech-c: ENO1-EX\n${end}`;
  await stored(set('mbrs-by-ref: MAINT-AU-EXAMPLE\n'));
  expect(await codes(set(''))).toContain('members-dropped');
});

test('the name of a contact stays, and its handle is one of this registry', async () => {
  const { after } = await stored(person('Nell Named'));
  expect(await codes(after!.replace('Nell Named', 'Ned Renamed'))).toContain('name-changed');
  expect(await codes(person('Olga Other', 'OO77-OTHER'))).toContain('wrong-suffix');
});

test('the contact for abuse reports has an abuse-mailbox, and keeps it', async () => {
  const without = await stored(role(''));
  expect(await codes(network('198.18.31.128 - 198.18.31.159', 'ASSIGNED NON-PORTABLE', `abuse-c: ${without.shown}\n`))).toContain(
    'abuse-mailbox-missing',
  );
  // Lookups of a role with one are not counted.
  const added = await write(without.after!.replace(/^nic-hdl:/m, 'abuse-mailbox: abuse@example.net\nnic-hdl:'));
  expect([added.state, added.problems.map(({ code, severity }) => [code, severity])]).toEqual(['ok', [['lookups-unlimited', 'info']]]);
  expect((await write(added.after!.replace('abuse@', 'reports@'))).problems).toEqual([]);
  const having = await stored(role('abuse-mailbox: abuse@example.net\n'));
  await stored(network('198.18.31.128 - 198.18.31.159', 'ASSIGNED NON-PORTABLE', `abuse-c: ${having.shown}\n`));
  expect(await codes(having.after!.replace(/^abuse-mailbox:.*\n/m, ''))).toContain('abuse-mailbox-used');
});

test('referral-by is the registry’s', async () => {
  const text = `mntner: MAINT-RULES\ndescr: Rules\nadmin-c: ENO1-EX\nupd-to: a@example.net\nauth: PORTAL\nreferral-by: MAINT-AU-EXAMPLE\nmnt-by: MAINT-RULES\nsource: EXAMPLE\n`;
  expect(await codes(text)).toContain('referral-fixed');
});

test('transferring an object to maintainers of others gives a warning', async () => {
  const { after } = await stored(person('Gil Given'));
  expect(await codes(after!.replace('MAINT-AU-EXAMPLE', 'MAINT-SG-OTHER'))).toContain('locked-out');
});

test('an IPv6 network is a /64 or larger, and a sub-allocation of a customer takes assignments only', async () => {
  const ipv6 = (prefix: string): string => network('', 'ASSIGNED NON-PORTABLE').replace('inetnum: ', `inet6num: ${prefix}`);
  expect(await codes(ipv6('2001:db8:7::/65'))).toContain('network-too-small');
  expect(await codes(ipv6('2001:db8:7::/64'))).not.toContain('network-too-small');
  await stored(network('198.18.26.0 - 198.18.26.255', 'ALLOCATED NON-PORTABLE'));
  expect(await codes(network('198.18.26.0 - 198.18.26.127', 'ALLOCATED NON-PORTABLE'))).toContain('parent-sub-allocated');
});

test('a set that trusts the maintainer of a holder takes the AS number that the registry maintains for it', async () => {
  const asSet = (name: string, trusts: string): Promise<WhoisOutcome> =>
    stored(`as-set: ${name}\ndescr: Members\nmbrs-by-ref: ${trusts}\nadmin-c: ENO1-EX\ntech-c: ENO1-EX\n${end}`);
  await asSet('AS64500:AS-MEMBERS', 'MAINT-AU-EXAMPLE');
  await asSet('AS64500:AS-PARTNERS', 'MAINT-SG-OTHER');
  const textOf = async (): Promise<string> =>
    (await portal.db.read.selectFrom('whoisObject').select('text').where('key', '=', 'as64500').executeTakeFirstOrThrow()).text;
  const claiming = async (set: string, more = ''): Promise<string> =>
    (await textOf()).replace(/^source:/m, `member-of: ${set}\n${more}source:`);

  expect((await textOf()).match(/^mnt-by:.*$/gm)).toEqual([expect.stringContaining(hostmaster)]);
  await stored(await claiming('AS64500:AS-MEMBERS'));
  expect((await listMembers(ownMembers(portal.db), 'as64500:as-members'))?.members).toEqual(['as64500']);
  expect((await expandSet(ownMembers(portal.db), 'as64500:as-members', new Set()))?.members).toEqual(['as64500']);

  // A maintainer that the holder lets write below its number can't add the number to its own sets.
  const elsewhere = await write(await claiming('AS64500:AS-PARTNERS', 'mnt-lower: MAINT-SG-OTHER\nmnt-routes: MAINT-SG-OTHER\n'));
  expect(elsewhere.problems.find(({ code }) => code === 'not-a-member')?.message).toBe(
    'AS64500:AS-PARTNERS only accepts members of MAINT-SG-OTHER. Neither mnt-by nor MAINT-AU-EXAMPLE of the holder is one of these',
  );
  // What the registry sets stays the registry's.
  expect(await codes((await textOf()).replace(/^(mnt-by:.*)$/m, '$1\nmnt-by: MAINT-AU-EXAMPLE'))).toContain('frozen-attribute');

  // When a maintainer leaves its holder, so does the membership.
  await portal.db.change({ action: 'test', summary: 'Tested rules', traceId: '0'.repeat(32) }, change =>
    change.updateTable('maintainerLink').set({ principal: false }).where('maintainer', '=', 'maint-au-example').execute(),
  );
  expect((await listMembers(ownMembers(portal.db), 'as64500:as-members'))?.members).toEqual([]);
});
