import { api } from '@portal/contract/api';
import { DAY_MS, dayIn, daysAfter } from '@portal/contract/days';
import type { LegalDraft } from '@portal/contract/legal/legal';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { readProfile } from '../../profile.ts';
import { legalInvariants } from './invariants.ts';
import { remindOfTexts } from './notifying.ts';

const example = readProfile('');

/** A registry whose clock can be set. */
async function registry(kind?: (typeof kindsForRules)[number]) {
  const clock = { ahead: 0 };
  const now = () => new Date(Date.now() + clock.ahead);
  const portal = await testPortal(kind, {}, now);
  return Object.assign(portal, { clock, now, today: () => dayIn(example.timeZone, now()) });
}
type Registry = Awaited<ReturnType<typeof registry>>;

const body = 'These terms apply to everyone.\n\n## Your login\n\n- Keep your password to yourself.';
const draft = (portal: Registry, more: Partial<LegalDraft> = {}): LegalDraft => ({
  edition: 0,
  title: 'Terms of use',
  body,
  changes: '',
  asks: ['logins'],
  renews: true,
  graceDays: 30,
  blocks: false,
  validFrom: daysAfter(portal.today(), 2),
  reason: 'The council decided it',
  ...more,
});

const text = 'terms-of-use';

/** Asks for the confirmation of the draft as Stella, and lets Stan give it. */
async function confirm(portal: Registry, name = text): Promise<void> {
  const [stella, stan] = await Promise.all([portal.as('stella'), portal.as('stan')]);
  const { edition } = (await stella(api.legal.getLegalText, { text: name })).data!;
  const asked = await stella(api.legal.confirmLegalDraft, { text: name, body: { edition } });
  expect(asked).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
  await approve(stan, name);
}

async function approve(as: Awaited<ReturnType<TestPortal['as']>>, name = text) {
  const { waiting } = (await as(api.proposals.listStaffProposals, {})).data!;
  const { proposalId, fingerprint } = waiting.find(({ link }) => link === `/desk/legal?text=${name}`)!;
  const approved = await as(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
  expect(approved.errors ?? []).toEqual([]);
}

/** Writes and confirms a text, and waits for its day. */
async function inForce(portal: Registry, more: Partial<LegalDraft> = {}, name = text): Promise<void> {
  const stella = await portal.as('stella');
  const started = await stella(api.legal.startLegalText, { body: { ...draft(portal, more), text: name } });
  expect(started.errors ?? []).toEqual([]);
  await confirm(portal, name);
  portal.clock.ahead += 3 * DAY_MS;
}

/** Writes and confirms the next version, and waits for its day. */
async function nextInForce(portal: Registry, more: Partial<LegalDraft>): Promise<void> {
  const stella = await portal.as('stella');
  const saved = await stella(api.legal.saveLegalDraft, { text, body: draft(portal, more) });
  expect(saved.errors ?? []).toEqual([]);
  await confirm(portal);
  portal.clock.ahead += 3 * DAY_MS;
}

const asked = async (portal: Registry, who: string) => (await (await portal.as(who))(api.ownTexts.listTextsToAccept, {})).data!.texts;

describe.each(kindsForRules)('legal texts on %s', kind => {
  test('two people let a version take effect, everyone asked accepts it, and the registry knows who', async () => {
    await using portal = await registry(kind);
    let stella = await portal.as('stella');
    await stella(api.legal.startLegalText, { body: { ...draft(portal), text } });
    expect((await stella(api.legal.listLegalTexts, {})).data!.texts).toMatchObject([{ text, inForce: null, draft: { state: 'draft' } }]);
    await confirm(portal);
    expect((await stella(api.legal.getLegalText, { text })).data).toMatchObject({
      coming: { version: 1, state: 'coming', proposedBy: expect.stringContaining('Stella'), confirmedBy: expect.stringContaining('Stan') },
      draft: null,
    });
    expect(await asked(portal, 'corin')).toEqual([]);
    portal.clock.ahead = 3 * DAY_MS;
    stella = await portal.as('stella');
    const corin = await portal.as('corin');
    expect((await corin(api.announcements.listBanners, {})).data!.texts).toBe(1);
    expect(await asked(portal, 'corin')).toMatchObject([
      { text, version: 1, body, before: null, forSelf: true, accounts: [], isBlocking: false },
    ]);
    expect(await corin(api.ownTexts.acceptText, { text, body: { version: 2 } })).toMatchObject({ errors: [{ code: 'LEGAL_OUTDATED' }] });
    expect((await corin(api.ownTexts.acceptText, { text, body: { version: 1 } })).status).toBe(204);
    expect((await corin(api.ownTexts.acceptText, { text, body: { version: 1 } })).status).toBe(204);
    expect(await asked(portal, 'corin')).toEqual([]);
    expect((await corin(api.announcements.listBanners, {})).data!.texts).toBe(0);
    expect(await asked(portal, 'olive')).toHaveLength(1);

    const accepted = await stella(api.legal.listAcceptances, { text, body: { state: 'accepted' } });
    expect(accepted.data).toMatchObject({
      total: 1,
      rows: [{ kind: 'person', name: expect.stringContaining('Corin'), version: 1, by: '' }],
    });
    const missing = await stella(api.legal.listAcceptances, { text, body: { state: 'missing', limit: 2, offset: 1 } });
    const { people } = (await stella(api.legal.getLegalText, { text })).data!;
    expect(people).toEqual({ accepted: 1, missing: missing.data!.total });
    expect(missing.data!.rows).toHaveLength(2);
    const file = (await stella(api.legal.exportAcceptances, { text, body: { state: 'accepted', q: 'CORIN' } })).data!;
    expect(file).toMatchObject({
      fileName: 'terms-of-use-accepted.csv',
      csv: expect.stringMatching(/^kind,name,detail,version,by,at\r\nperson,Corin /),
    });
    const looks = await portal.db.read.rows(sql`select from activity where action in ('legal.listAcceptances', 'legal.exportAcceptances')`);
    expect(looks).toHaveLength(3);
  });

  test('a corporate contact accepts for the account, and others can’t', async () => {
    await using portal = await registry(kind);
    await inForce(portal, { asks: ['corporate'] });
    const [corin, olive, tess] = await Promise.all([portal.as('corin'), portal.as('olive'), portal.as('tess')]);
    const [asks] = await asked(portal, 'corin');
    const account = asks!.accounts[0]!;
    expect(await asked(portal, 'tess')).toEqual([]);
    const accept = { account, text, body: { version: 1 } };
    expect(await tess(api.ownTexts.acceptTextForAccount, accept)).toMatchObject({ errors: [{ code: 'CORPORATE_ONLY' }] });
    expect((await olive(api.ownTexts.acceptTextForAccount, accept)).status).toBe(404);
    expect(await corin(api.ownTexts.acceptText, { text, body: { version: 1 } })).toMatchObject({ status: 404 });
    expect((await corin(api.ownTexts.acceptTextForAccount, accept)).status).toBe(204);
    expect((await asked(portal, 'corin')).flatMap(each => each.accounts)).toEqual(asks!.accounts.slice(1));
    const stella = await portal.as('stella');
    expect((await stella(api.legal.listAcceptances, { text, body: { state: 'accepted' } })).data!.rows).toMatchObject([
      { kind: 'account', name: account, version: 1, by: expect.stringContaining('Corin') },
    ]);
  });

  test('who accepted sees what changed since, and isn’t asked again where a version doesn’t renew', async () => {
    await using portal = await registry(kind);
    await inForce(portal);
    await (await portal.as('corin'))(api.ownTexts.acceptText, { text, body: { version: 1 } });
    await nextInForce(portal, { body: `${body} Always.`, renews: false });
    expect(await asked(portal, 'corin')).toEqual([]);
    expect(await asked(portal, 'olive')).toMatchObject([{ version: 2, before: null }]);
    await nextInForce(portal, { body: `${body} Really always.`, changes: 'Passwords' });
    expect(await asked(portal, 'corin')).toMatchObject([{ version: 3, changes: 'Passwords', before: { version: 1, body } }]);
  });

  test('a late acceptance lets changes wait, never reading, leaving or what protects an account', async () => {
    await using portal = await registry(kind);
    await inForce(portal, { asks: ['corporate'], graceDays: 5, blocks: true });
    const account = 'EXAMPLE-AU';
    const remove = async () => (await portal.as('tess'))(api.whoisConsents.askForConsent, { account, body: { text: 'person: No One' } });
    const code = async () => (await remove()).errors?.[0]?.code;
    expect(await code()).not.toBe('LEGAL_NOT_ACCEPTED');
    portal.clock.ahead += 8 * DAY_MS;
    expect((await remove()).errors).toMatchObject([
      {
        code: 'LEGAL_NOT_ACCEPTED',
        message: expect.stringMatching(/^A corporate contact of EXAMPLE-AU has to accept “Terms of use”, version 1, first/),
      },
    ]);
    expect(await asked(portal, 'corin')).toMatchObject([{ isBlocking: true, blocks: true }]);
    await (await portal.as('corin'))(api.ownTexts.acceptTextForAccount, { account, text, body: { version: 1 } });
    expect(await code()).not.toBe('LEGAL_NOT_ACCEPTED');
  });

  test('a second person confirms the draft that they were shown, and no other of its name', async () => {
    await using portal = await registry(kind);
    const [stella, stan] = await Promise.all([portal.as('stella'), portal.as('stan')]);
    await stella(api.legal.startLegalText, { body: { ...draft(portal), text } });
    await stella(api.legal.confirmLegalDraft, { text, body: { edition: 1 } });
    await stella(api.legal.discardLegalDraft, { text });
    await stella(api.legal.startLegalText, { body: { ...draft(portal, { body: `${body} And another one.`, blocks: true }), text } });
    const { waiting } = (await stan(api.proposals.listStaffProposals, {})).data!;
    const { proposalId, fingerprint, shown } = waiting.find(({ link }) => link === `/desk/legal?text=${text}`)!;
    expect(shown).toEqual(
      expect.arrayContaining([
        { label: 'Asks', value: 'everyone with a login' },
        { label: 'Days', value: '30 days to accept it' },
        { label: 'Afterwards', value: 'Nothing waits' },
      ]),
    );
    const approved = await stan(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
    expect(approved).toMatchObject({ errors: [{ code: 'STALE' }] });
    expect((await stella(api.legal.getLegalText, { text })).data!.versions).toEqual([]);
  });

  test('whoever is asked anew, or on harder terms, has all the days, and the last of them whole', async () => {
    await using portal = await registry(kind);
    await inForce(portal, { graceDays: 5 });
    portal.clock.ahead += 100 * DAY_MS;
    const days = async (who: string) => (await asked(portal, who)).map(({ dueOn, isBlocking }) => [dueOn, isBlocking]);
    expect((await days('olive'))[0]![0]! < portal.today()).toBe(true);
    await nextInForce(portal, { body: `${body} Always.`, renews: false, asks: ['logins', 'corporate'], graceDays: 5, blocks: true });
    // It took effect a day ago.
    const last = daysAfter(portal.today(), 4);
    expect(await days('olive')).toEqual([[last, false]]);
    expect(await days('corin')).toEqual([[last, false]]);
    portal.clock.ahead = Date.parse(`${last}T12:00:00Z`) - Date.now();
    expect(portal.today()).toBe(last);
    expect(await days('corin')).toEqual([[last, false]]);
    portal.clock.ahead += DAY_MS;
    expect(await days('corin')).toEqual([[last, true]]);
  });

  test('nothing is asked of an account for which no one could accept', async () => {
    await using portal = await registry(kind);
    await inForce(portal, { asks: ['corporate'], graceDays: 0, blocks: true });
    portal.clock.ahead += 8 * DAY_MS;
    const account = 'EXAMPLE-AU';
    const change = async () =>
      (await (await portal.as('tess'))(api.whoisConsents.askForConsent, { account, body: { text: 'person: No One' } })).errors?.[0]?.code;
    expect(await change()).toBe('LEGAL_NOT_ACCEPTED');
    await portal.db.change({ action: 'test', summary: 'Disabled logins', traceId: '0'.repeat(32) }, each =>
      each.rows(sql`update login set disabled_at = now() where login_id in (select login_id from contact
        where account_name = ${account} and status = 'active' and 'corporate' = any (contact_types))`),
    );
    expect(await change()).not.toBe('LEGAL_NOT_ACCEPTED');
  });

  test('a draft is compared with what is there: stale, late, doubled or unchanged ones are refused', async () => {
    await using portal = await registry(kind);
    let stella = await portal.as('stella');
    const [stan, audra] = await Promise.all([portal.as('stan'), portal.as('audra')]);
    const start = (more: Partial<LegalDraft> = {}) => stella(api.legal.startLegalText, { body: { ...draft(portal, more), text } });
    expect(await start({ validFrom: portal.today() })).toMatchObject({ status: 422, errors: [{ code: 'LEGAL_DAY', field: 'validFrom' }] });
    expect(await start({ body: '# Too large a heading, which is refused' })).toMatchObject({ errors: [{ field: 'body' }] });
    expect(await start({ body: 'See [this](javascript:alert(1)) for more of it' })).toMatchObject({ errors: [{ field: 'body' }] });
    expect((await start()).status).toBe(200);
    expect(await start()).toMatchObject({ status: 409, errors: [{ code: 'LEGAL_STATE' }] });
    expect(await stan(api.legal.saveLegalDraft, { text, body: draft(portal) })).toMatchObject({ status: 412, errors: [{ code: 'STALE' }] });
    expect((await audra(api.legal.getLegalText, { text })).status).toBe(200);
    expect((await audra(api.legal.discardLegalDraft, { text })).status).toBe(403);
    await confirm(portal);
    // Until it begins, no other one, and two people withdraw it.
    await stella(api.legal.saveLegalDraft, {
      text,
      body: draft(portal, { body: `${body} More.`, validFrom: daysAfter(portal.today(), 9) }),
    });
    const { edition } = (await stella(api.legal.getLegalText, { text })).data!;
    const late = await stella(api.legal.confirmLegalDraft, { text, body: { edition } });
    expect(late).toMatchObject({ errors: [{ code: 'LEGAL_STATE', message: expect.stringContaining('version 1 is still to come') }] });
    expect(await stella(api.legal.withdrawLegalVersion, { text, body: { version: 1 } })).toMatchObject({
      errors: [{ code: 'SECOND_PERSON' }],
    });
    await approve(stan);
    expect((await stella(api.legal.getLegalText, { text })).data!.versions).toMatchObject([{ version: 1, state: 'withdrawn' }]);
    await confirm(portal);
    expect((await stella(api.legal.getLegalText, { text })).data!.coming).toMatchObject({ version: 2 });
    portal.clock.ahead += 10 * DAY_MS;
    stella = await portal.as('stella');
    expect(await stella(api.legal.withdrawLegalVersion, { text, body: { version: 2 } })).toMatchObject({
      errors: [{ code: 'LEGAL_STATE' }],
    });
    await stella(api.legal.saveLegalDraft, { text, body: draft(portal, { body: `${body} More.` }) });
    expect(
      await stella(api.legal.confirmLegalDraft, {
        text,
        body: { edition: (await stella(api.legal.getLegalText, { text })).data!.edition },
      }),
    ).toMatchObject({ errors: [{ code: 'LEGAL_STATE' }] });
    expect((await stella(api.legal.discardLegalDraft, { text })).status).toBe(204);
  });

  test('versions and acceptances are never changed, whoever asks the database', async () => {
    await using portal = await registry(kind);
    await inForce(portal);
    await (await portal.as('corin'))(api.ownTexts.acceptText, { text, body: { version: 1 } });
    const attempt = (statement: ReturnType<typeof sql>) =>
      portal.db.change({ action: 'test.change', summary: 'Tried', traceId: 'a'.repeat(32) }, change => change.rows(statement));
    await expect(attempt(sql`update legal_version set body = 'Other' where text = ${text}`)).rejects.toThrow('never another one');
    await expect(attempt(sql`delete from legal_version where text = ${text}`)).rejects.toThrow('stays');
    await expect(attempt(sql`update legal_acceptance set version = 2`)).rejects.toThrow('stays');
    await expect(attempt(sql`delete from legal_acceptance`)).rejects.toThrow('stays');
  });

  test('everyone reads all versions at their addresses, and no draft', async () => {
    await using portal = await registry(kind);
    const page = async (address: string) => {
      const { statusCode, body: markup } = await portal.http.inject({ url: address, headers: { host: 'portal.test' } });
      return `${statusCode} ${markup}`;
    };
    await (await portal.as('stella'))(api.legal.startLegalText, { body: { ...draft(portal), text } });
    expect(await page(`/legal/${text}`)).toMatch(/^404 /);
    await confirm(portal);
    expect(await page(`/legal/${text}/1`)).toMatch(/^200 [\s\S]*takes effect on/);
    portal.clock.ahead = 3 * DAY_MS;
    await nextInForce(portal, { body: `${body} <b>Always</b>.` });
    expect(await page('/legal')).toMatch(/^200 [\s\S]*Terms of use<\/a><p class="quiet">Version 2/);
    expect(await page(`/legal/${text}`)).toMatch(/^200 [\s\S]*&lt;b&gt;Always&lt;\/b&gt;/);
    expect(await page(`/legal/${text}/1`)).toMatch(/^200 [\s\S]*until version 2/);
    expect(await page(`/legal/${text}/3`)).toMatch(/^404 /);
    expect(await page('/legal/nothing-here')).toMatch(/^404 /);
  });

  test('people are reminded when a version takes effect, and once a week until they accept it', async () => {
    await using portal = await registry(kind);
    await inForce(portal, { asks: ['logins', 'corporate'], changes: 'Everything', blocks: true });
    const remind = () => remindOfTexts(portal.db, { now: portal.now(), profile: example });
    const mails = async (name: string) =>
      (
        await portal.db.read.rows<{ subject: string; body: string }>(
          sql`select m.subject, m.body from mail m join login l using (login_id) where l.username = ${name} and m.kind = 'legal.textToAccept' order by m.mail_id`,
        )
      ).map(({ subject, body: words }) => `${subject}\n${words}`);
    await remind();
    expect(await mails('corin')).toEqual([
      expect.stringMatching(/^Accept “Terms of use”, version 1\n[\s\S]*for yourself(, | and )[\s\S]*What is new: Everything/),
    ]);
    await remind();
    expect(await mails('corin')).toHaveLength(1);
    await (await portal.as('olive'))(api.ownTexts.acceptText, { text, body: { version: 1 } });
    portal.clock.ahead += 8 * DAY_MS;
    await remind();
    expect(await mails('corin')).toHaveLength(2);
    expect((await mails('olive')).at(-1)).not.toContain('yourself');
  });

  test('applicants accept the text that asks them, and one text asks them', async () => {
    await using portal = await registry(kind);
    await inForce(portal, { asks: ['applicants', 'corporate'], title: 'Membership agreement' }, 'membership');
    const nadia = await portal.as('nadia');
    expect((await nadia(api.applications.getApplicationTerms, {})).data!.agreement).toEqual({
      version: 'membership/1',
      url: '/legal/membership/1',
    });
    const stella = await portal.as('stella');
    await stella(api.legal.startLegalText, { body: { ...draft(portal, { asks: ['applicants'] }), text } });
    const second = await stella(api.legal.confirmLegalDraft, { text, body: { edition: 1 } });
    expect(second).toMatchObject({
      errors: [
        {
          code: 'LEGAL_STATE',
          message: expect.stringContaining('applicants would accept “Membership agreement” and “Terms of use” on the same day'),
        },
      ],
    });
  });

  test('on no day do two texts ask applicants, whatever was confirmed or withdrawn before', async () => {
    await using portal = await registry(kind);
    await inForce(portal, { asks: ['applicants'], title: 'Membership agreement' }, 'membership');
    const stella = await portal.as('stella');
    const later = daysAfter(portal.today(), 40);
    await stella(api.legal.saveLegalDraft, {
      text: 'membership',
      body: draft(portal, { body: `${body} More.`, asks: [], validFrom: later }),
    });
    await confirm(portal, 'membership');
    const ask = async (validFrom: string, edition: number) => {
      if (edition === 0) await stella(api.legal.startLegalText, { body: { ...draft(portal, { asks: ['applicants'], validFrom }), text } });
      else await stella(api.legal.saveLegalDraft, { text, body: { ...draft(portal, { asks: ['applicants'], validFrom }), edition } });
      return (await stella(api.legal.confirmLegalDraft, { text, body: { edition: edition + 1 } })).errors?.[0]?.code;
    };
    expect(await ask(daysAfter(later, -1), 0)).toBe('LEGAL_STATE');
    expect(await ask(later, 1)).toBe('SECOND_PERSON');
    await approve(await portal.as('stan'));
    const withdrawn = await stella(api.legal.withdrawLegalVersion, { text: 'membership', body: { version: 2 } });
    expect(withdrawn).toMatchObject({ errors: [{ code: 'LEGAL_STATE', message: expect.stringContaining('on the same day') }] });
  });

  test('a person finds what they accepted, for themselves and for accounts, with what is in force now', async () => {
    await using portal = await registry(kind);
    await inForce(portal, { asks: ['logins', 'corporate'] });
    const accepted = async (who: string) => (await (await portal.as(who))(api.ownTexts.listAcceptedTexts, { query: { limit: 2 } })).data!;
    const before = (await accepted('corin')).total;
    const corin = await portal.as('corin');
    await corin(api.ownTexts.acceptTextForAccount, { account: 'EXAMPLE-AU', text, body: { version: 1 } });
    await corin(api.ownTexts.acceptText, { text, body: { version: 1 } });
    const row = { text, version: 1, title: 'Terms of use', isInForce: true };
    expect(await accepted('corin')).toMatchObject({
      rows: [
        { ...row, account: null },
        { ...row, account: 'EXAMPLE-AU' },
      ],
      total: before + 2,
    });
    await nextInForce(portal, { body: `${body} Always.` });
    expect((await accepted('corin')).rows[0]).toMatchObject({ version: 1, isInForce: false });
    expect((await accepted('nadia')).rows).toEqual([]);
  });

  test('versions and acceptances that were changed past the program are found', async () => {
    await using portal = await registry(kind);
    await inForce(portal);
    const check = () =>
      portal.db.rehearse({ action: 'test', summary: 'Looked', traceId: '0'.repeat(32) }, async read => {
        const scope = { read, accounts: null, profile: example, modules: [], secrets: portal.context.config, now: portal.now() };
        return (await Promise.all(legalInvariants.map(each => each.check(scope))))
          .flat()
          .map(({ object, problem }) => `${object} ${problem}`);
      });
    expect(await check()).toEqual([]);
    await portal.db.change({ action: 'test', summary: 'Changed it past the program', traceId: '0'.repeat(32) }, async change => {
      await change.rows(sql`insert into legal_acceptance (text, version, login_id, accepted_at)
        select ${text}, 1, login_id, '2020-01-01' from login where username = 'olive'`);
      await change.rows(sql`insert into legal_version (text, version, title, body, asks, renews, grace_days, blocks, valid_from, begins_at, reason, prepared_by, prepared_at, proposed_by,
          confirmed_by, confirmed_at)
        select text, 3, title, body, asks, renews, grace_days, blocks, valid_from + 1, begins_at + interval '1 day', reason, prepared_by, prepared_at, proposed_by, confirmed_by, confirmed_at
        from legal_version where text = ${text} and version = 1`);
    });
    expect(await check()).toEqual([
      'Version 3 of the legal text terms-of-use has a number that doesn’t follow the one before',
      'olive’s acceptance of version 1 of the legal text terms-of-use was recorded before it was in force',
    ]);
  });
});
