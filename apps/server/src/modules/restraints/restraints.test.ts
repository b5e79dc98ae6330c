import { api } from '@portal/contract/api';
import { DAY_MS, dayIn, daysAfter, HOUR_MS, instantAfter, MINUTE_MS } from '@portal/contract/days';
import { emptyForm } from '@portal/contract/requests/request-form';
import type { RestraintKind, RestraintReason } from '@portal/contract/restraints/restraints';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { approveAlone, approveByTwo, confirmLast, payFee, sendRequest } from '../../../test/deciding-requests.ts';
import { giveStaffRole } from '../../../test/staff-roles.ts';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import type { Change } from '../../platform/database/index.ts';
import { registryNow } from '../../platform/registry.ts';
import { closeDueAccounts } from '../organisations/closing.ts';
import { completePaidTransfers } from '../requests/completion.ts';
import { runRequestDeadlines } from '../requests/request-deadlines.ts';
import { followRestraints } from './clock.ts';
import { restraintsInvariants } from './invariants.ts';

const [seller, buyer] = ['EXAMPLE-AU', 'OTHER-SG'];
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const sold = '198.18.8.0/21';
const memberText = 'You can’t transfer addresses until a second corporate contact is confirmed.';
const plan = [{ purpose: 'Hosting', amounts: [0, 512, 1024, 1536, 2048] }];
type Kind = (typeof kindsForRules)[number];

/** The demo registry with a clock that can be set, where the seller may sell its space. */
async function registry(kind?: Kind) {
  const clock = { ahead: 0 };
  const portal = await testPortal(kind, {}, () => new Date(Date.now() + clock.ahead));
  await portal.db.change(line, change =>
    change.rows(sql`update delegation set hold_until = null where account_name = ${seller} and hold_until is not null`),
  );
  const zone = portal.context.profile.timeZone;
  return Object.assign(portal, { clock, day: (ahead: number) => daysAfter(dayIn(zone, portal.context.clock()), ahead) });
}
type Registry = Awaited<ReturnType<typeof registry>>;

const set = async (
  portal: Registry,
  given: { kind?: RestraintKind; reason?: RestraintReason; endsOn?: string | null; accountName?: string } = {},
  as = 'stella',
) => {
  const { accountName = seller, kind = 'hold', reason = 'hijack', endsOn = kind === 'hold' ? portal.day(7) : null } = given;
  return (await portal.as(as))(api.restraints.setRestraint, { accountName, body: { kind, reason, endsOn, memberText } });
};
const codeOf = ({ errors }: { errors?: readonly { code: string }[] | undefined }) => errors?.[0]?.code;
/** Stella proposes a restriction, and Stan confirms it. */
async function restrict(portal: Registry, given: Parameters<typeof set>[1] = {}) {
  expect(codeOf(await set(portal, { kind: 'restrict', ...given }))).toBe('SECOND_PERSON');
  const confirmed = await confirmLast(portal);
  expect(confirmed.errors).toBeUndefined();
}
const listed = async (portal: Registry, accountName = seller) =>
  (await (await portal.as('stella'))(api.restraints.listRestraints, { accountName })).data!;
const lift = async (portal: Registry, restraintId: string, as = 'stan') =>
  (await portal.as(as))(api.restraints.liftRestraint, { accountName: seller, restraintId, body: { reason: 'The documents are here.' } });
const clockRuns = async (portal: Registry) => {
  const { now, profile } = registryNow(portal.context);
  await followRestraints(portal.db, registryNow(portal.context));
  await completePaidTransfers(portal.db, now, profile);
  await runRequestDeadlines(portal.db, now, profile);
};
const holderOf = async ({ db }: TestPortal) =>
  (
    await db.read.rows<{ accountName: string }>(
      sql`select account_name from delegation where status <> 'closed' and kind = 'ipv4' and first <= '198.18.8.0' and last >= '198.18.15.255'`,
    )
  )[0]?.accountName;
const mailsAbout = async ({ db }: TestPortal, words: string) =>
  await db.read.rows<{ address: string; subject: string; body: string }>(
    sql`select recipient as address, subject, body from mail where subject like ${`%${words}%`} order by mail_id`,
  );
const violations = async ({ db, context }: TestPortal) =>
  (
    await Promise.all(
      restraintsInvariants.map(({ check }) =>
        check({
          read: db.read,
          accounts: null,
          profile: context.profile,
          secrets: context.config,
          modules: context.modules,
          now: context.clock(),
        }),
      ),
    )
  ).flat();

/** Corin offers a transfer. */
const offer = async (portal: Registry) =>
  (await sendRequest(await portal.as('corin'), seller, 'transfer', { resources: [sold], recipient: buyer, reason: 'Sold' })).requestId;
const acknowledge = async (portal: Registry, requestId: string) => {
  const olive = await portal.as('olive');
  const { version } = (await olive(api.requests.getRequest, { account: buyer, requestId })).data!;
  return olive(api.requests.acknowledgeTransfer, {
    account: buyer,
    requestId,
    body: { version, form: { ...emptyForm, plan, network: 'Two cities, one border router each.' }, truthful: true as const },
  });
};
const stateOf = async (portal: Registry, requestId: string) =>
  (await (await portal.as('stella'))(api.requestDesk.getStaffRequest, { requestId })).data!.state;

describe.each(kindsForRules)('restraints on %s', kind => {
  test('a hold set between offer and completion lets the paid transfer wait, tells the other party nothing of the reason, and lets it go on when it is lifted', async () => {
    await using portal = await registry(kind);
    const requestId = await offer(portal);
    expect((await acknowledge(portal, requestId)).errors).toBeUndefined();
    expect((await approveByTwo(portal, requestId)).state).toBe('awaiting-fee');
    const before = await listed(portal);
    expect(before).toMatchObject({ open: [], waiting: [{ reference: `REQ-${requestId}`, otherParty: buyer }], holdNeedsSecond: false });
    const done = await set(portal);
    expect(done.data!.open).toMatchObject([{ kind: 'hold', state: 'in-force', confirmedBy: null }]);
    await payFee(portal, requestId);
    await clockRuns(portal);
    expect(await stateOf(portal, requestId)).toBe('awaiting-fee');
    expect(await holderOf(portal)).toBe(seller);

    // The other party learns that it waits; the seller reads what staff wrote.
    const olive = await portal.as('olive');
    const theirs = JSON.stringify((await olive(api.requests.getRequest, { account: buyer, requestId })).data);
    expect(theirs).toContain(`${seller} can’t transfer at the moment`);
    expect(theirs).not.toMatch(/hold on|restrain|hijack|stopped|second corporate/i);
    const [waits] = await mailsAbout(portal, `REQ-${requestId} waits`);
    expect(waits!.address).toContain('olive');
    expect(waits!.body).not.toMatch(/hijack|stopped|registry staff|second corporate/i);
    const [told] = await mailsAbout(portal, `put a hold on ${seller}`);
    expect(told!.body).toContain(memberText);
    const { attention } = (await (await portal.as('bill'))(api.home.getHome, { account: seller })).data!;
    expect(attention!.find(({ attentionId }) => attentionId.startsWith('restraint-'))).toMatchObject({
      title: expect.stringContaining(`${seller} is under a hold until`),
      detail: expect.stringContaining(memberText),
    });
    expect(
      (await (await portal.as('olive'))(api.home.getHome, { account: buyer }))
        .data!.attention!.map(({ attentionId }) => attentionId)
        .join(),
    ).not.toContain('restraint');

    // No time limit runs out meanwhile, however long it takes.
    await portal.db.change(line, change =>
      change.rows(
        sql`update resource_request set expires_at = ${instantAfter(new Date(), -HOUR_MS)}::timestamptz where resource_request_id = ${Number(requestId)}`,
      ),
    );
    await clockRuns(portal);
    expect(await stateOf(portal, requestId)).toBe('awaiting-fee');

    const { restraintId } = done.data!.open[0]!;
    expect((await lift(portal, restraintId)).data!.earlier).toMatchObject(
      [{ state: 'lifted', liftedBy: 'Stan Novak' }].map(() => ({ state: 'lifted' })),
    );
    expect(codeOf(await lift(portal, restraintId))).toBe('ALREADY_RESOLVED');
    await clockRuns(portal);
    expect(await stateOf(portal, requestId)).toBe('completed');
    expect(await holderOf(portal)).toBe(buyer);
    expect(await mailsAbout(portal, `REQ-${requestId} goes on`)).toHaveLength(1);
    expect(await violations(portal)).toEqual([]);
  });

  test('under a hold a member can send, accept and approve nothing that moves holdings, and everything else works', async () => {
    await using portal = await registry(kind);
    const [corin, tess] = [await portal.as('corin'), await portal.as('tess')];
    const requestId = await offer(portal);
    await set(portal);
    const refused = await corin(api.requests.confirmOneClick, { account: seller, body: { agreed: true } });
    expect(refused).toMatchObject({ status: 403, errors: [{ code: 'ACCOUNT_RESTRAINED' }] });
    expect(refused.errors![0]!.message).toMatch(
      /^Account EXAMPLE-AU can’t do this now: changes of its holdings are stopped since .+ UTC, until .+ UTC\. Write to helpdesk@registry\.example$/,
    );
    const draft = (await corin(api.requests.startRequest, { account: seller, body: { kind: 'return', incoming: false } })).data!;
    expect(
      codeOf(
        await corin(api.requests.submitRequest, {
          account: seller,
          requestId: draft.requestId,
          body: { version: draft.version, truthful: true },
        }),
      ),
    ).toBe('ACCOUNT_RESTRAINED');
    expect(
      codeOf(
        await corin(api.accountClosures.requestAccountClosure, {
          account: seller,
          body: { reason: 'Over', closeOn: portal.day(3), resources: 'return', confirmation: seller, documentIds: [] },
        }),
      ),
    ).toBe('ACCOUNT_RESTRAINED');
    // The other party is refused without the reason.
    const accepted = await acknowledge(portal, requestId);
    expect(accepted.errors![0]!.message).toContain(`${seller} can’t transfer at the moment`);
    expect(JSON.stringify(accepted.errors)).not.toMatch(/hold on|stopped|restrain/i);
    // Withdrawing is no move.
    expect((await corin(api.requests.withdrawRequest, { account: seller, requestId, body: {} } as never)).status).not.toBe(403);
    // RDAP says what it says of a lock.
    const answered = (await (await portal.request('/rdap/autnum/64500')).json()) as { status: string[] };
    expect(answered.status).toContain('transfer prohibited');
    // Routing is as usual.
    const routes = await tess(api.rpki.startRollover, { account: seller });
    expect(codeOf(routes)).not.toBe('ACCOUNT_RESTRAINED');
  });

  test('a recipient under a hold gets nothing, and the sender learns only that it can’t receive', async () => {
    await using portal = await registry(kind);
    await set(portal, { accountName: buyer });
    await expect(offer(portal)).rejects.toThrow(/OTHER-SG can’t receive resources at the moment/);
    await expect(offer(portal)).rejects.not.toThrow(/stopped|hold on|restrain/i);
  });

  test('the ledger refuses a move of a restrained account also past every module, and a recovery by two people goes on', async () => {
    await using portal = await registry(kind);
    await set(portal);
    const past = (query: ReturnType<typeof sql>) => portal.db.change(line, change => change.rows(query));
    await expect(
      past(sql`update delegation set account_name = ${buyer} where account_name = ${seller} and kind = 'asn'`),
    ).rejects.toMatchObject({
      code: 'ACCOUNT_RESTRAINED',
    });
    await expect(
      past(sql`update delegation set account_name = ${seller} where account_name = ${buyer} and kind = 'asn'`),
    ).rejects.toMatchObject({
      code: 'ACCOUNT_RESTRAINED',
    });
    await expect(past(sql`update delegation set status = 'closed' where account_name = ${seller} and kind = 'asn'`)).rejects.toMatchObject({
      code: 'ACCOUNT_RESTRAINED',
    });
    // What is no move stays possible.
    await past(sql`update delegation set hold_until = null where account_name = ${seller}`);
    const opened = await (await portal.as('stella'))(api.recoveries.openRecovery, {
      accountName: seller,
      body: { resources: ['AS64500'], ground: 'breach', reason: 'Used for what it was not given for.' },
    });
    const { requestId } = opened.data!;
    await past(sql`update resource_request set notice_until = ${portal.day(-3)}::date where resource_request_id = ${Number(requestId)}`);
    expect((await approveByTwo(portal, requestId)).state).toBe('completed');
    expect(await violations(portal)).toEqual([]);
    // Someone who went past every guard is found.
    await portal.db.change(line, async change => {
      await change.rows(sql`select set_config('portal.over_restraints', 'x', true)`);
      await change.rows(sql`update delegation set account_name = ${buyer} where resource = '198.18.0.0/19' returning 1`);
    });
    expect(await violations(portal)).toMatchObject([
      { object: `198.18.0.0/19 of ${seller}`, problem: expect.stringContaining('under a hold') },
    ]);
  });

  test('a restriction takes two people and its notice, and from its day on whois, routing and reverse DNS stay as they are', async () => {
    await using portal = await registry(kind);
    await restrict(portal, { reason: 'contacts' });
    const { open } = await listed(portal);
    expect(open).toMatchObject([{ kind: 'restrict', state: 'announced', setBy: 'Stella Kowalski', endsAt: null }]);
    expect(open[0]!.confirmedBy).toMatch(/^Stan /);
    const text =
      'person: Ann Example\naddress: Suva\ncountry: FJ\nphone: +679 1\ne-mail: ann@example.net\nnic-hdl: AUTO-1\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n';
    const write = async () => (await portal.as('corin'))(api.whois.uploadText, { account: seller, body: { text, dryRun: false } });
    expect((await write()).errors).toBeUndefined();
    portal.clock.ahead = 15 * DAY_MS;
    // The day decides, not the clock that tells people.
    const refused = await write();
    expect(refused.errors?.[0]).toMatchObject({
      code: 'ACCOUNT_RESTRAINED',
      message: expect.stringContaining('until the registry lifts it'),
    });
    await followRestraints(portal.db, registryNow(portal.context));
    await followRestraints(portal.db, registryNow(portal.context));
    expect(await mailsAbout(portal, `puts a restriction on ${seller}`)).not.toEqual([]);
    const began = await mailsAbout(portal, `put a restriction on ${seller}`);
    expect(new Set(began.map(({ address }) => address)).size).toBe(began.length);
    expect(
      codeOf(
        await (await portal.as('corin'))(api.rpki.changeRoas, { account: seller, body: { version: 1, add: [], remove: [] } } as never),
      ),
    ).toBe('ACCOUNT_RESTRAINED');
    await expect(
      portal.db.change(line, change =>
        change.rows(
          sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at) values (${seller}, '198.18.10.0/24', 24, 64500, '', now())`,
        ),
      ),
    ).rejects.toMatchObject({ code: 'ACCOUNT_RESTRAINED' });
  });

  test('a task that was sent before a restriction for a hijack says of each object that it is refused', async () => {
    await using portal = await registry(kind);
    await restrict(portal);
    const { open } = await listed(portal);
    expect(open).toMatchObject([{ kind: 'restrict', reason: 'hijack', state: 'in-force' }]);
    const { submitForAccount, rightsOf } = await import('../whois/index.ts');
    const contact = await portal.db.read.rows<{ contactId: string }>(
      sql`select contact_id::text as contact_id from contact where account_name = ${seller} and email like 'corin%' limit 1`,
    );
    const account = { accountName: seller, contactId: contact[0]!.contactId };
    const text =
      'person: Ann Example\naddress: Suva\ncountry: FJ\nphone: +679 1\ne-mail: ann@example.net\nnic-hdl: AUTO-1\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n';
    const outcomes = await portal.db.change(line, async change =>
      submitForAccount(change, account, [{ text, delete: false }] as never, {
        credentials: await rightsOf(change, seller, account.contactId),
        mode: 'best-effort',
        profile: portal.context.profile,
        limits: portal.config,
        exception: 'taskPart',
      }),
    );
    expect(outcomes.map(({ state }) => state)).toEqual(['failed']);
    expect(JSON.stringify(outcomes)).toContain('can’t do this now');
  });

  test('objects of a restricted account are changed by no other account either, by numbers or by its maintainers, and by others again once it is lifted', async () => {
    await using portal = await registry(kind);
    const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
    const outcomesOf = async (person: typeof corin, account: string, text: string) => {
      const { data, errors } = await person(api.whois.uploadText, { account, body: { text, dryRun: false } });
      return errors ?? (data as { outcomes: { state: string; problems: { code: string; message: string }[] }[] }).outcomes;
    };
    const net = (descr: string, name = 'SHARED-NET', range = '198.18.10.0 - 198.18.10.255') =>
      `inetnum: ${range}\nnetname: ${name}\ndescr: ${descr}\ncountry: AU\nadmin-c: ENO1-EX\ntech-c: ENO1-EX\nstatus: ASSIGNED NON-PORTABLE\nmnt-by: MAINT-AU-EXAMPLE\nmnt-by: MAINT-SG-OTHER\nmnt-irt: IRT-AU-EXAMPLE\nsource: EXAMPLE\n`;
    const person = (address: string, by = 'MAINT-AU-EXAMPLE', handle = 'ANN9-EX') =>
      `person: Ann Example\naddress: ${address}\ncountry: FJ\nphone: +679 1\ne-mail: ann@example.net\nnic-hdl: ${handle}\nmnt-by: ${by}\nsource: EXAMPLE\n`;
    expect(await outcomesOf(corin, seller, net('Shared'))).toMatchObject([{ state: 'ok' }]);
    expect(await outcomesOf(corin, seller, person('Suva', 'MAINT-AU-EXAMPLE', 'AUTO-1'))).toMatchObject([{ state: 'ok' }]);
    const [{ shown }] = (await portal.db.read.rows<{ shown: string }>(
      sql`select shown from whois_object where class = 'person' order by object_id desc limit 1`,
    )) as [{ shown: string }];
    // A second account of the same people writes with the same maintainer.
    await portal.db.change(line, change =>
      change.rows(
        sql`insert into maintainer_link (account_name, maintainer, linked_at) values (${buyer}, 'maint-au-example', now()) returning 1 as added`,
      ),
    );
    await restrict(portal);
    for (const text of [net('Taken'), `${net('Shared')}delete: gone\n`, person('Nadi', 'MAINT-AU-EXAMPLE', shown)]) {
      const [outcome] = (await outcomesOf(olive, buyer, text)) as { state: string; problems: { code: string; message: string }[] }[];
      expect(outcome).toMatchObject({ state: 'failed' });
      expect(outcome!.problems.map(({ code }) => code)).toContain('account-restrained');
      expect(JSON.stringify(outcome!.problems)).not.toMatch(/hijack|restrict|second corporate/i);
    }
    // Its own objects, which name the other maintainer beside its own, are the other account’s.
    expect(await outcomesOf(olive, buyer, person('Nadi', 'MAINT-SG-OTHER\nmnt-by: MAINT-AU-EXAMPLE', 'AUTO-1'))).toMatchObject([
      { state: 'ok' },
    ]);
    const { restraintId } = (await listed(portal)).open[0]!;
    expect((await lift(portal, restraintId)).errors).toBeUndefined();
    expect(await outcomesOf(olive, buyer, net('Shared again'))).toMatchObject([{ state: 'ok' }]);
    expect(await violations(portal)).toEqual([]);
  });

  test('an offer of a restrained account is off the board until it is lifted, and its draft has days left', async () => {
    await using portal = await registry(kind);
    const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
    const added = await corin(api.listings.addListing, {
      account: seller,
      body: { kind: 'offer', resource: '198.18.8.0/22', notes: '', namesHolder: true, interRegistry: false, length: 0, consent: true },
    });
    expect(added.errors).toBeUndefined();
    const draft = (await corin(api.requests.startRequest, { account: seller, body: { kind: 'return', incoming: false } })).data!;
    const board = async () => (await olive(api.listings.listListings, { account: buyer })).data!.rows;
    expect(await board()).toHaveLength(1);
    const { restraintId } = (await set(portal)).data!.open[0]!;
    expect(await board()).toEqual([]);
    expect(
      codeOf(
        await olive(api.listings.askAboutListing, {
          account: buyer,
          listingId: added.data!.listingId,
          body: { words: 'Is it still there?', consent: true },
        }),
      ),
    ).toBe('LISTING_ENDED');
    await portal.db.change(line, change =>
      change.rows(
        sql`update resource_request set expires_at = ${instantAfter(new Date(), -HOUR_MS)}::timestamptz where resource_request_id = ${Number(draft.requestId)}`,
      ),
    );
    await lift(portal, restraintId);
    await clockRuns(portal);
    expect(await board()).toHaveLength(1);
    expect((await corin(api.requests.getRequest, { account: seller, requestId: draft.requestId })).data).toMatchObject({ state: 'draft' });
  });

  test('a restriction that waits for its second person warns neither the account nor staff who belong to it', async () => {
    await using portal = await registry(kind);
    await portal.db.change(line, change =>
      change.rows(sql`insert into contact (account_name, login_id, full_name, email, contact_types, permissions)
        select ${seller}, login_id, full_name, email, array['technical'], '{}' from login where username = 'ola' returning 1 as added`),
    );
    await giveStaffRole(portal.db, 'ola', 'hostmaster');
    const proposed = await set(portal, { kind: 'restrict' });
    expect(codeOf(proposed)).toBe('SECOND_PERSON');
    expect(proposed.errors![0]!.message).not.toContain('Ola');
    const corin = await portal.as('corin');
    const actions = async () =>
      (await corin(api.activityLog.listActivities, { account: seller }))
        .data!.lines.map(({ action }) => action)
        .filter(action => action.startsWith('proposals.'));
    expect(await actions()).toEqual([]);
    const ola = await portal.as('ola');
    expect((await ola(api.proposals.listStaffProposals, {})).data!.waiting).toEqual([]);
    const told = await portal.db.read.rows<{ recipient: string }>(sql`select recipient from mail where body like ${`%${memberText}%`}`);
    expect(told.map(({ recipient }) => recipient).filter(each => /ola|corin/.test(each))).toEqual([]);
    expect(told).not.toEqual([]);
    const stan = await portal.as('stan');
    const { proposalId, fingerprint } = (await stan(api.proposals.listStaffProposals, {})).data!.waiting.at(-1)!;
    for (const [call, body] of [
      [api.proposals.approveStaffProposal, { fingerprint }],
      [api.proposals.rejectStaffProposal, { note: '' }],
    ] as const)
      expect(codeOf(await ola(call as typeof api.proposals.approveStaffProposal, { proposalId, body } as never))).toBe('OWN_REQUEST');
    expect((await stan(api.proposals.rejectStaffProposal, { proposalId, body: { note: 'Not sure' } })).errors).toBeUndefined();
    expect(await actions()).toEqual([]);
    await restrict(portal);
    expect(await actions()).toEqual(['proposals.approveStaffProposal']);
  });

  test('a hold ends at the beginning of its day, is not set twice, and the next one takes a second person', async () => {
    await using portal = await registry(kind);
    expect(codeOf(await set(portal, { endsOn: portal.day(15) }))).toBe('INVALID_REQUEST');
    expect(codeOf(await set(portal, { endsOn: null }))).toBe('INVALID_REQUEST');
    expect(codeOf(await set(portal, { endsOn: portal.day(0) }))).toBe('INVALID_REQUEST');
    const both = await Promise.all([set(portal, { endsOn: portal.day(1) }), set(portal, { endsOn: portal.day(1) }, 'stan')]);
    expect(both.map(codeOf).filter(Boolean)).toEqual([expect.stringMatching(/^(RESTRAINED_ALREADY|SECOND_PERSON)$/)]);
    const [first] = (await listed(portal)).open;
    const ends = Date.parse(first!.endsAt!);
    const stopped = async () =>
      codeOf(await (await portal.as('corin'))(api.requests.confirmOneClick, { account: seller, body: { agreed: true } })) ===
      'ACCOUNT_RESTRAINED';
    portal.clock.ahead = ends - Date.now() - MINUTE_MS;
    expect(await stopped()).toBe(true);
    portal.clock.ahead = ends - Date.now() + MINUTE_MS;
    expect(await stopped()).toBe(false);
    expect((await listed(portal)).earlier).toMatchObject([{ state: 'over', liftedBy: null }]);
    // Before the clock has told anyone.
    expect((await listed(portal)).holdNeedsSecond).toBe(true);
    expect(codeOf(await set(portal))).toBe('SECOND_PERSON');
    expect((await confirmLast(portal)).errors).toBeUndefined();
    expect(await stopped()).toBe(true);
    expect((await listed(portal)).open[0]!.confirmedBy).not.toBeNull();
  });

  test('an approved closure waits, and staff who belong to the account, strangers and a closed account are refused', async () => {
    await using portal = await registry(kind);
    const corin = await portal.as('corin');
    const filed = await corin(api.accountClosures.requestAccountClosure, {
      account: seller,
      body: { reason: 'Over', closeOn: portal.day(1), resources: 'return', confirmation: seller, documentIds: [] },
    });
    const { closureId } = filed.data!;
    const stella = await portal.as('stella');
    expect((await stella(api.accountClosures.approveAccountClosure, { closureId, body: { note: '' } })).errors).toBeUndefined();
    await set(portal);
    portal.clock.ahead = 2 * DAY_MS;
    const { now, profile } = registryNow(portal.context);
    await closeDueAccounts(portal.db, { now, profile });
    const [open] = await portal.db.read.rows<{ accountStatus: string }>(
      sql`select account_status from account where account_name = ${seller}`,
    );
    expect(open!.accountStatus).toBe('open');
    portal.clock.ahead = 9 * DAY_MS;
    await followRestraints(portal.db, registryNow(portal.context));
    const later = registryNow(portal.context);
    await closeDueAccounts(portal.db, { now: later.now, profile: later.profile });
    const [closed] = await portal.db.read.rows<{ accountStatus: string }>(
      sql`select account_status from account where account_name = ${seller}`,
    );
    expect(closed!.accountStatus).toBe('closed');
    expect(codeOf(await set(portal))).toBe('ACCOUNT_CLOSED');
    expect(codeOf(await set(portal, { accountName: 'NO-SUCH' }))).toBe('NOT_FOUND');
    expect((await set(portal, { accountName: buyer }, 'olive')).status).toBe(404);
    expect((await set(portal, { accountName: buyer }, 'fiona')).status).toBe(403);
  });

  test('a hold waits for a move that is under way, and a move that began before the hold and writes after it is refused', async () => {
    await using portal = await registry(kind);
    // One connection at a time: nothing is under way beside another.
    if (portal.db.kind !== 'postgres') return;
    const [began, wrote, goes, isSet] = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const move = (change: Change, kindOf: string) =>
      change.rows(sql`update delegation set account_name = ${buyer} where account_name = ${seller} and resource like ${kindOf}`);
    const early = portal.db.change(line, async change => {
      await move(change, '198.18.0.0/19');
      wrote!.resolve();
      await goes!.promise;
    });
    const late = portal.db.change(line, async change => {
      began!.resolve();
      await isSet!.promise;
      await move(change, 'AS%');
    });
    const refused = expect(late).rejects.toMatchObject({ code: 'ACCOUNT_RESTRAINED' });
    await Promise.all([began!.promise, wrote!.promise]);
    const setting = set(portal);
    await expect
      .poll(
        async () =>
          (await portal.db.read.rows(sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%for update'`)).length,
      )
      .toBeGreaterThan(0);
    expect((await listed(portal)).open).toEqual([]);
    goes!.resolve();
    await early;
    expect((await setting).errors).toBeUndefined();
    isSet!.resolve();
    await refused;
    expect(await violations(portal)).toEqual([]);
  });

  test('an approval that waits for its second person is not carried out under a hold', async () => {
    await using portal = await registry(kind);
    const requestId = await offer(portal);
    await acknowledge(portal, requestId);
    expect(codeOf(await approveAlone(portal, requestId))).toBe('SECOND_PERSON');
    await set(portal);
    const confirmed = await confirmLast(portal);
    expect(confirmed.errors?.[0]?.code).toMatch(/REQUEST_NOT_ALLOWED|ACCOUNT_RESTRAINED/);
    expect(await stateOf(portal, requestId)).not.toBe('awaiting-fee');
  });
});
