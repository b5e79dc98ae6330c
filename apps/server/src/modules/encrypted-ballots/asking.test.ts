import { api } from '@portal/contract/api';
import { DAY_MS, HOUR_MS } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import {
  authorityName,
  credentialList,
  draftEncrypted,
  makeCredentials,
  sendTrusteeMessage,
  trusteeNames,
  trusteeView,
} from '../../../test/encrypted-election.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { seconded } from '../../../test/scrutineer.ts';
import { askAppointed } from './asking.ts';
import { createCertificate, newSeed, signedMessageJson } from './protocol.ts';

/** Mails that have been written since the last call: recipients with subject and page. */
function newMails({ db }: TestPortal): () => Promise<string[]> {
  const seen = new Set<string>();
  return async () => {
    const mails = await db.read
      .selectFrom('mail')
      .select(['mailId', 'recipient', 'subject', 'path'])
      .where('path', 'like', '/voting/%')
      .execute();
    const fresh = mails.filter(({ mailId }) => !seen.has(String(mailId)));
    for (const { mailId } of fresh) seen.add(String(mailId));
    return fresh.map(({ recipient, subject, path }) => `${recipient.split('@')[0]}: ${subject} ${path!.replace(/\d+/, '…')}`).toSorted();
  };
}

describe.each(kindsForRules)('those appointed for an encrypted ballot, on %s', kind => {
  test('are asked by mail when it is their turn, reminded after one and three days, and asked anew for the next step', async () => {
    await using portal = await testPortal(kind);
    const mails = newMails(portal);
    await mails();
    const electionId = await draftEncrypted(portal);
    const start = Date.now();
    const ask = async (after: number) => {
      await askAppointed(portal.db, new Date(start + after));
      return mails();
    };
    const key = 'Make your part of the key of Council, encrypted /voting/…/duty/trustee';
    expect(await ask(0)).toEqual([`hana: ${key}`, `olive: ${key}`, `tilda: ${key}`]);
    expect(await ask(HOUR_MS)).toEqual([]);
    const seeds = new Map(trusteeNames.map(name => [name, newSeed()]));
    const certify = async (name: string) =>
      sendTrusteeMessage(portal, name, {
        electionId,
        step: 'certificate',
        message: JSON.stringify(signedMessageJson(await createCertificate(seeds.get(name as 'hana')!))),
      });
    expect((await certify('hana')).errors).toBe(undefined);
    const view = await trusteeView(portal, 'olive', electionId);
    expect(
      view.progress.trustees.map(({ fullName, next, askedAt, fingerprint }) => [
        fullName.split(' ')[0],
        next,
        askedAt !== null,
        fingerprint !== null,
      ]),
    ).toEqual([
      ['Hana', null, false, true],
      ['Olive', 'certificate', true, false],
      ['Tilda', 'certificate', true, false],
    ]);
    expect(await ask(DAY_MS)).toEqual([`olive: Reminder: ${key}`, `tilda: Reminder: ${key}`]);
    expect(await ask(2 * DAY_MS)).toEqual([]);
    expect(await ask(3 * DAY_MS)).toEqual([`olive: Reminder: ${key}`, `tilda: Reminder: ${key}`]);
    expect(await ask(30 * DAY_MS)).toEqual([]);
    await certify('olive');
    await certify('tilda');
    const second = 'Continue with your part of the key of Council, encrypted /voting/…/duty/trustee';
    expect(await ask(30 * DAY_MS)).toEqual([`hana: ${second}`, `olive: ${second}`, `tilda: ${second}`]);

    // The authority is asked once the roll is fixed, and no more once its list has arrived.
    const credentials = await makeCredentials(portal, electionId);
    expect(await ask(31 * DAY_MS)).toEqual(
      [
        'nadia: Make the voting codes of Council, encrypted /voting/…/duty/authority',
        ...['hana', 'olive', 'tilda'].map(name => `${name}: Reminder: ${second}`),
      ].toSorted(),
    );
    const nadia = await portal.as(authorityName);
    expect((await nadia(api.ballotDuties.listDuties, {})).data!.rows).toEqual([
      { electionId, title: 'Council, encrypted', as: 'authority', isDue: true },
    ]);
    const sent = await nadia(api.ballotCredentials.sendCredentials, {
      electionId,
      body: { credentials: await credentialList(credentials) },
    });
    expect((await nadia(api.ballotCredentials.getAuthority, { electionId })).data).toMatchObject({
      roll: expect.arrayContaining([{ votes: 64, accounts: expect.any(Number) }]),
      sent: { accounts: credentials.byAccount.size, fingerprint: sent.data!.fingerprint },
      isPublished: false,
      progress: { hasCredentials: true, authority: { isDue: false } },
    });
    expect((await nadia(api.ballotDuties.listDuties, {})).data!.rows[0]).toMatchObject({ isDue: false });
    expect(await ask(32 * DAY_MS)).toEqual([]);
  });

  test('see their part, and all others no such election', async () => {
    await using portal = await testPortal(kind);
    const electionId = await draftEncrypted(portal);
    for (const name of ['corin', 'stella', 'hana']) {
      const as = await portal.as(name);
      expect((await as(api.ballotCredentials.getAuthority, { electionId })).errors?.[0]?.code, name).toBe('NOT_FOUND');
    }
    expect((await (await portal.as('corin'))(api.ballotDuties.listDuties, {})).data!.rows).toEqual([]);
    // A message that someone was asked for meanwhile is no other state: it isn't to be sent again.
    const message = JSON.stringify(signedMessageJson(await createCertificate(newSeed())));
    await askAppointed(portal.db, new Date());
    expect((await sendTrusteeMessage(portal, 'hana', { electionId, step: 'certificate', message })).errors).toBe(undefined);
  });

  test('are asked for nothing in an election that is cancelled', async () => {
    await using portal = await testPortal(kind);
    const mails = newMails(portal);
    await mails();
    const electionId = await draftEncrypted(portal);
    const stella = await portal.as('stella');
    const { version } = (await stella(api.elections.getElection, { electionId })).data!;
    const cancelling = await stella(api.elections.cancelElection, { electionId, body: { version, reason: 'Another day.' } });
    expect((await seconded(portal, cancelling)).errors).toBe(undefined);
    await mails();
    await askAppointed(portal.db, new Date());
    expect(await mails()).toEqual([]);
    expect((await (await portal.as('hana'))(api.ballotDuties.listDuties, {})).data!.rows).toEqual([]);
  });
});
