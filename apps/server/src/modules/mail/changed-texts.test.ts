import { api } from '@portal/contract/api';
import { describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { takeStaffRoles } from '../../../test/staff-roles.ts';
import { modules } from '../../modules.ts';
import { announcementsTexts } from '../announcements/mail-texts.ts';
import { identityTexts } from '../identity/mail-texts.ts';
import { kindsOfMail } from './text-versions.ts';
import { fillText, mailTexts, samplesOf, withWords } from './mail-text.ts';
import { writtenText } from './written-text.ts';

const kind = 'announcements.news';
const line = { action: 'test.texts', summary: 'Test', traceId: 'f'.repeat(32) };
const news = announcementsTexts.written('news', { title: 'We move', body: 'To Suva.\n\nIn May.' });
const reason = 'Our address changed';
const body = { subject: 'Example Registry: {title}', body: 'Dear members,\n\n{body}\n\nYour registry', reason, version: 0 };
const sentNow = ({ db }: TestPortal, text = news) => writtenText(db.read, text, text.kind.topic);

describe('all kinds of mail', () => {
  const kinds = kindsOfMail({ modules });

  test('have a key of their own, an explanation and a sample of each word, and the text that this file keeps', async () => {
    expect(new Set(kinds.map(({ key }) => key)).size).toBe(kinds.length);
    for (const { key, words } of kinds)
      for (const [word, { about, sample }] of Object.entries(words))
        expect([key, word, /^[A-Z].*\.$/.test(about), sample !== '' || ['code', 'link', 'loginWords'].includes(word)]).toEqual([
          key,
          word,
          true,
          true,
        ]);
    const rendered = kinds.map(each => {
      const { subject, body: text } = fillText(each, samplesOf(each));
      return `## ${each.key} (${each.topic})\n\n${subject}\n\n${text}\n`;
    });
    await expect(rendered.join('\n')).toMatchFileSnapshot('all-mails.snap.md');
  });

  test('are declared by each module that sends any', () => {
    const declared = new Set(kinds.map(({ key }) => key.split('.')[0]));
    const names = modules.filter(({ mailTexts: texts }) => texts).map(({ name }) => name);
    expect(declared).toEqual(new Set(names));
  });

  test('refuse a word that is not explained', () => {
    expect(() => mailTexts('x', { y: { topic: 'login.links', subject: 'Hello {nobody}', body: [] } })).toThrow(
      'The mail x.y has the word {nobody}',
    );
  });
});

test('values are never read as templates, empty paragraphs are left out, and a line break makes no header', () => {
  const template = { subject: 'About {a}', body: '{a}\n\n{b}\n\nThe end of {a}: {link}' };
  expect(fillText(template, { a: 'x\r\nBcc: all@example.net {b}', b: '' })).toEqual({
    subject: 'About x Bcc: all@example.net {b}',
    body: 'x\r\nBcc: all@example.net {b}\n\nThe end of x\r\nBcc: all@example.net {b}: {link}',
  });
  expect(() => fillText(template, { a: 'x' })).toThrow('{b}');
});

test('what someone wrote as the link doesn’t become one', () => {
  const filled = fillText({ subject: '{a}', body: '{a}: {link}' }, { a: 'Press {link}' });
  expect(filled).toEqual({ subject: 'Press { link }', body: 'Press { link }: {link}' });
});

test('what a person wrote and whole paragraphs of the program can’t be left out', () => {
  const required = (key: string) =>
    Object.entries(kindsOfMail({ modules }).find(kind => kind.key === key)!.words).flatMap(([word, { required: is }]) =>
      is ? [word] : [],
    );
  expect(required('contacts.requestRejected')).toEqual(['details', 'note']);
  expect(required('requests.delegated')).toEqual(['details', 'note']);
  expect(required('elections.voteProxy')).toEqual(['code']);
  expect(required('identity.factorAdded')).toEqual([]);
});

test('words of a group are added where its mails are sent, and long titles are cut', () => {
  const texts = mailTexts('x', { y: { topic: 'login.links', subject: 'Soon: {eventTitle}', body: ['Come.'] } });
  const text = withWords(texts.written('y', {}), { eventTitle: 'x'.repeat(300) }, 250);
  expect(fillText(text.kind, text.values, text.longest).subject).toHaveLength(250);
});

describe.each(kindsForRules)('the text of a mail on %s', database => {
  test('is changed, sent as changed, and undone, with each version kept', async () => {
    await using portal = await testPortal(database);
    const stella = await portal.as('stella');
    const before = await sentNow(portal);
    expect(before).toEqual({ subject: 'We move', body: 'To Suva.\n\nIn May.' });
    const saved = (await stella(api.mailTexts.saveMailText, { kind, body })).data!;
    expect(saved).toMatchObject({
      isChanged: true,
      version: 1,
      text: { subject: body.subject },
      programThen: null,
      needsSecondPerson: false,
    });
    expect(await sentNow(portal)).toEqual({
      subject: 'Example Registry: We move',
      body: 'Dear members,\n\nTo Suva.\n\nIn May.\n\nYour registry',
    });
    expect(await portal.lastActivity()).toMatchObject({
      action: 'mail.mailTexts.saveMailText',
      details: { mail: kind, reason, before: '{title}\n\n{body}', after: `${body.subject}\n\n${body.body}` },
    });
    const listed = (await stella(api.mailTexts.listMailTexts, {})).data!.texts;
    expect(listed.filter(({ isChanged }) => isChanged).map(each => each.kind)).toEqual([kind]);
    const undone = (await stella(api.mailTexts.useProgramText, { kind, body: { reason: 'Not needed', version: 1 } })).data!;
    expect(undone).toMatchObject({ isChanged: false, version: 2, text: undone.program });
    expect(undone.versions).toMatchObject([
      { version: 2, text: null, reason: 'Not needed', savedBy: 'Stella Kowalski', approvedBy: null },
      { version: 1, text: { subject: body.subject, body: body.body }, reason },
    ]);
    expect(await sentNow(portal)).toEqual(before);
    // A version is never rewritten.
    const rewrite = portal.db.change(line, change => change.updateTable('mailTextVersion').set({ reason: 'other' }).execute());
    await expect(rewrite).rejects.toThrow('not changed or deleted');
  });

  test('refuses unknown words, lone braces, missing words and what is several lines in a subject, by name', async () => {
    await using portal = await testPortal(database);
    const stella = await portal.as('stella');
    const save = (more: object, of = kind) => stella(api.mailTexts.saveMailText, { kind: of, body: { ...body, ...more } });
    const refused = async (more: object, field: string, message: string, of = kind) =>
      expect(await save(more, of)).toMatchObject({
        status: 400,
        errors: [{ code: 'INVALID_REQUEST', field, message: expect.stringContaining(message) }],
      });
    await refused({ body: '{body} {constructor}' }, 'body', 'This mail doesn’t have {constructor}. It has {title}, {body}');
    await refused({ subject: 'Hello {name}' }, 'subject', '{name}');
    await refused({ body: '{body} and {' }, 'body', 'Close each brace');
    await refused({ body: 'We move.' }, 'body', 'Use {body}');
    await refused({ subject: 'About {body}', body: 'We move.' }, 'body', 'Use {body}');
    await refused({ body: 'We \u202emove.\n\n{body}' }, 'body', 'without control characters');
    const ticket = { subject: 'About {ticketSubject}', body: '{ticketTag}: we received {ticket} ({queue}).' };
    await refused(ticket, 'subject', 'Use {ticketTag}', 'tickets.received');
    await refused({ subject: 'Hello\nBcc: all@example.net' }, 'subject', 'one line');
    const invitation = 'contacts.invitation';
    const { text } = (await stella(api.mailTexts.getMailText, { kind: invitation })).data!;
    await refused({ subject: text.subject, body: text.body.replace('{link}', '') }, 'body', 'Use {link}', invitation);
    await refused({ subject: `${text.subject} {link}`, body: text.body }, 'subject', 'it is a secret', invitation);
    expect(await save({}, 'no.such')).toMatchObject({ status: 404 });
    expect(await stella(api.mailTexts.useProgramText, { kind, body: { reason, version: 0 } })).toMatchObject({
      errors: [{ code: 'NOTHING_TO_DO' }],
    });
    expect((await stella(api.mailTexts.getMailText, { kind })).data!.version).toBe(0);
  });

  test('is saved by one of two people who change it at the same time', async () => {
    await using portal = await testPortal(database);
    const [stella, stan] = [await portal.as('stella'), await portal.as('stan')];
    const both = await Promise.all(
      [stella, stan].map((as, i) => as(api.mailTexts.saveMailText, { kind, body: { ...body, subject: `${i}: {title}` } })),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]));
    expect(both.find(({ status }) => status === 412)).toMatchObject({
      errors: [{ code: 'STALE' }],
      current: { version: 1, isChanged: true },
    });
  });

  test('that protects a login takes a second person, who is shown both texts', async () => {
    await using portal = await testPortal(database);
    const [stella, stan] = [await portal.as('stella'), await portal.as('stan')];
    const of = 'identity.choosePassword';
    const { program } = (await stella(api.mailTexts.getMailText, { kind: of })).data!;
    const changed = { subject: program.subject, body: `${program.body}\n\nCall us if in doubt.` };
    const first = await stella(api.mailTexts.saveMailText, { kind: of, body: { ...changed, reason, version: 0 } });
    expect(first).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
    expect((await stella(api.mailTexts.getMailText, { kind: of })).data).toMatchObject({ isChanged: false, needsSecondPerson: true });
    const { proposalId, fingerprint, shown } = (await stan(api.proposals.listStaffProposals, {})).data!.waiting.at(-1)!;
    expect(JSON.stringify(shown)).toContain('Call us if in doubt.');
    expect((await stella(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } })).status).toBe(403);
    expect((await stan(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } })).status).toBe(200);
    expect((await stella(api.mailTexts.getMailText, { kind: of })).data).toMatchObject({
      isChanged: true,
      versions: [{ savedBy: 'Stella Kowalski', approvedBy: 'Stan Petrov' }],
    });
    // The mail that asks shows the text with its words, and keeps its own button.
    const asked = (await portal.mailsTo('stan@registry.example')).findLast(({ subject }) => subject.startsWith('Waiting for'))!;
    expect(asked.body).toContain('{ link }');
    expect(asked.body).not.toContain('{link}');
    const values = { username: 'tess', product: 'MyRegistry', deadline: 'Soon.', whoAsked: 'When: now' };
    expect((await sentNow(portal, identityTexts.written('choosePassword', values))).body).toMatch(/\{link\}[\s\S]*Call us if in doubt\.$/);
  });

  test('takes a second person where it has an address that was not there, and where it is about votes, money or access', async () => {
    await using portal = await testPortal(database);
    const stella = await portal.as('stella');
    const save = (more: object) => stella(api.mailTexts.saveMailText, { kind, body: { ...body, ...more } });
    expect(await save({ body: '{body}\n\nLog in at portal.example.' })).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
    expect((await save({})).status).toBe(200);
    const guarded = new Set(
      (await stella(api.mailTexts.listMailTexts, {})).data!.texts.flatMap(each => (each.needsSecondPerson ? [each.kind] : [])),
    );
    for (const of of [
      'elections.voted',
      'billing.paymentReversed',
      'contacts.noLongerContact',
      'rpki.roasDeleted',
      'applications.refersMember',
      'whois.codeLink',
    ])
      expect([of, guarded.has(of)]).toEqual([of, true]);
    // Nothing gets past the rule into the table.
    const past = portal.db.change(line, async change => {
      const { loginId } = await change.selectFrom('login').select('loginId').limit(1).executeTakeFirstOrThrow();
      const text = { subject: 'x', body: 'x', programSubject: 'x', programBody: 'x', reason };
      await change
        .insertInto('mailTextVersion')
        .values({ kind: 'elections.voted', version: 1, ...text, loginId, guarded: true, savedAt: change.now })
        .execute();
    });
    await expect(past).rejects.toThrow('check constraint');
  });

  test('of which a release changed the program’s is marked, and one with a word that is gone gives way to the program’s', async () => {
    await using portal = await testPortal(database);
    const stella = await portal.as('stella');
    const { loginId } = await portal.db.read
      .selectFrom('login')
      .select('loginId')
      .where('username', '=', 'stella')
      .executeTakeFirstOrThrow();
    const keep = (version: number, text: { subject: string; body: string }) =>
      portal.db.change(line, change =>
        change
          .insertInto('mailTextVersion')
          .values({
            kind,
            version,
            ...text,
            programSubject: 'News: {title}',
            programBody: '{body}',
            reason,
            loginId,
            guarded: false,
            savedAt: change.now,
          })
          .execute(),
      );
    await keep(1, { subject: 'Ours: {title}', body: '{body}' });
    expect((await stella(api.mailTexts.getMailText, { kind })).data).toMatchObject({
      programChanged: true,
      isUnfit: false,
      programThen: { subject: 'News: {title}' },
    });
    expect((await sentNow(portal)).subject).toBe('Ours: We move');
    // Who may change it follows from its topic: under another one it is the program's.
    expect((await writtenText(portal.db.read, news, 'login.security')).subject).toBe('We move');
    // To save it again says that it was compared.
    const again = { subject: 'Ours: {title}', body: '{body}', reason: 'Still right', version: 1 };
    expect((await stella(api.mailTexts.saveMailText, { kind, body: again })).data).toMatchObject({ version: 2, programChanged: false });
    expect(await stella(api.mailTexts.saveMailText, { kind, body: { ...again, version: 2 } })).toMatchObject({
      errors: [{ code: 'NOTHING_TO_DO' }],
    });
    await keep(3, { subject: 'Ours: {gone}', body: '{body}' });
    expect((await stella(api.mailTexts.getMailText, { kind })).data).toMatchObject({ isUnfit: true });
    expect((await sentNow(portal)).subject).toBe('We move');
    // A word that has become required since.
    await keep(4, { subject: 'Ours: {title}', body: 'Read it in the portal.' });
    expect((await stella(api.mailTexts.getMailText, { kind })).data).toMatchObject({ isUnfit: true });
    expect((await sentNow(portal)).body).toBe('To Suva.\n\nIn May.');
  });

  test('is shown with invented values or an account’s names, without a link, and tests go to one’s own address', async () => {
    await using portal = await testPortal(database);
    const stella = await portal.as('stella');
    const of = 'contacts.invitation';
    const { text } = (await stella(api.mailTexts.getMailText, { kind: of })).data!;
    const show = (more: object) => stella(api.mailTexts.previewMailText, { kind: of, body: { ...text, ...more } });
    const sample = (await show({})).data!;
    expect(sample.text).toContain('(each mail has its own link here)');
    expect(sample.text).not.toMatch(/https?:\S*token|accept-invitation/);
    expect((await show({ accountName: 'other-sg' })).data!.subject).toBe('Invitation to OTHER-SG');
    expect(await show({ accountName: 'NO-SUCH' })).toMatchObject({ status: 404, errors: [{ field: 'accountName' }] });
    const test = () => stella(api.mailTexts.sendTestMail, { kind: of, body: text });
    expect((await test()).data).toEqual({ address: 'stella@registry.example' });
    const mail = await portal.db.read.selectFrom('mail').selectAll().orderBy('mailId', 'desc').executeTakeFirstOrThrow();
    expect(mail).toMatchObject({ kind: 'test', recipient: 'stella@registry.example', sealedLink: null });
    expect(mail.subject).toMatch(/^Test: Invitation to /);
    expect(mail.body).not.toContain('{link}');
    for (let sent = 1; sent < 20; sent++) expect((await test()).status).toBe(200);
    expect(await test()).toMatchObject({ status: 429 });
    // A test is no mail of its kind.
    expect((await stella(api.mailTexts.getMailText, { kind: of })).data!.sent).toBe(0);
  });

  test('is read by auditors, changed by those who hold the policy, and by no one else', async () => {
    await using portal = await testPortal(database);
    const [audra, fiona, corin] = [await portal.as('audra'), await portal.as('fiona'), await portal.as('corin')];
    expect((await audra(api.mailTexts.listMailTexts, {})).status).toBe(200);
    expect((await audra(api.mailTexts.getMailText, { kind })).status).toBe(200);
    expect(await audra(api.mailTexts.saveMailText, { kind, body })).toMatchObject({ status: 403 });
    expect((await fiona(api.mailTexts.listMailTexts, {})).status).toBe(403);
    expect((await corin(api.mailTexts.listMailTexts, {})).status).toBe(404);
    await takeStaffRoles(portal.db, 'stella');
    expect((await (await portal.as('stella'))(api.mailTexts.saveMailText, { kind, body })).status).not.toBe(200);
  });
});
