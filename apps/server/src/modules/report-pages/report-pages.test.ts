import { api } from '@portal/contract/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMailbox } from '../../../test/mailbox.ts';
import { confirmLink } from '../../../test/mailed-links.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { longestTurnOf } from '../../../test/thread-costs.ts';
import { fieldsIn, wrongIn } from './report-form.ts';

/** The longest, in ms of processor time, for which a form holds up everything else. */
const MAX_MS = 5;

const good = {
  about: '198.18.0.0/19',
  fault: 'bounces',
  text: 'Mail to abuse@example-au.example comes back:\nno such user.',
  name: 'Rita Reporter',
  email: 'rita@reporter.example',
};

describe('the fields of a report', () => {
  test('are taken as they are, on one line where they have one', () => {
    expect(fieldsIn({ ...good, about: ' 198.18.0.0/19 ', name: 'Rita\n Reporter' })).toEqual(good);
    expect(wrongIn(fieldsIn(good))).toEqual({});
  });
  test.each([
    ['about', '', 'Enter what the data is about'],
    ['about', 'x'.repeat(256), 'at most 255 characters'],
    ['about', 'AS64500\u202e', 'Enter one address'],
    ['fault', 'toString', 'Choose what is wrong'],
    ['text', 'too short', 'ten characters or more'],
    ['text', 'x'.repeat(4_001), 'Shorten it to 4,000'],
    ['text', '😀'.repeat(2_001), 'Shorten it to 4,000'],
    ['name', '😀'.repeat(51), 'at most 100 characters'],
    ['text', 'a bell \u0007 rings here', 'without control characters'],
    ['name', '', 'Enter your name'],
    ['name', 'x'.repeat(101), 'at most 100 characters'],
    ['email', 'rita@reporter', 'Enter a valid email address'],
    ['email', 'rita@reporter.example, ann@example.net', 'Enter a valid email address'],
  ])('%s is refused as %j', (field, value, words) =>
    expect(wrongIn(fieldsIn({ ...good, [field]: value }))).toEqual({ [field]: expect.stringContaining(words) as string }),
  );
  test.each([
    ['marks that are to be put in order', 'a' + '\u0315'.repeat(16_000) + '\u0301'.repeat(16_000)],
    ['blanks', 'x '.repeat(32_000)],
    ['signs of addresses', '@.'.repeat(32_000)],
  ])('of the largest size, of %s, hold up nothing', async (_, text) => {
    const longest = await longestTurnOf(MAX_MS, async () => {
      for (const field of Object.keys(good)) expect(wrongIn(fieldsIn({ ...good, [field]: text }))).toHaveProperty(field);
    });
    expect(longest).toBeLessThan(MAX_MS);
  });
  test('that are no text are missing', () => expect(Object.keys(wrongIn(fieldsIn({ about: ['x'], text: { a: 1 } })))).toHaveLength(5));
});

describe.each(kindsForRules)('reports of wrong data on %s', kind => {
  let portal: TestPortal;
  let mailbox: Awaited<ReturnType<typeof openMailbox>>;
  beforeAll(async () => {
    portal = await testPortal(kind, { BEHIND_PROXY: 'yes' });
    mailbox = await openMailbox(portal);
  });
  afterAll(async () => {
    await mailbox[Symbol.asyncDispose]();
    await portal[Symbol.asyncDispose]();
  });

  let from = 0;
  const post = async (fields: object, headers: Record<string, string> = {}, address = `192.0.2.${++from}`) => {
    const answer = await portal.request('/whois/report', {
      method: 'POST',
      body: new URLSearchParams({ ...good, ...fields }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address, ...headers },
    });
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };
  const mailsTo = (email: string) => mailbox.to(email);
  const tickets = () =>
    portal.db.read.selectFrom('ticket').selectAll().where('requestorEmail', 'like', '%@reporter.example').orderBy('ticketId').execute();

  test('the page of a network leads to the form, which is filled in', async () => {
    const page = await (await portal.request('/whois/198.18.0.0/19')).text();
    expect(page).toContain('href="/whois/report?about=198.18.0.0%2F19&amp;fault=bounces"');
    const form = await portal.request('/whois/report?about=198.18.0.0%2F19&fault=bounces');
    expect(form.headers.get('x-robots-tag')).toContain('noindex');
    const body = await form.text();
    expect(body).toContain('value="198.18.0.0/19"');
    expect(body).toContain('value="bounces" checked');
  });

  test('what is wrong is named beside its field, and what was typed is still there', async () => {
    const { status, body } = await post({ name: '', text: '<b>Kept & shown</b>', email: 'rita' });
    expect(status).toBe(422);
    expect(body).toContain('Enter your name.');
    expect(body).toContain('2 fields need another look.');
    expect(body).toContain('&lt;b&gt;Kept &amp; shown&lt;/b&gt;');
    expect(await mailsTo('rita')).toEqual([]);
  });

  test('a page of another site can’t send the form', async () => {
    expect((await post({}, { 'sec-fetch-site': 'cross-site' })).status).toBe(400);
  });

  test('the mail has no word of the sender; its link shows the report, and sends it once', async () => {
    const { status, body } = await post({});
    expect(status).toBe(200);
    expect(body).toContain('Check your mail');
    const [mail, ...more] = await mailsTo(good.email);
    expect(more).toEqual([]);
    expect(mail!.body).not.toMatch(/198\.18|Rita|no such user/);
    expect(await tickets()).toEqual([]);

    const link = await mailbox.linkTo(good.email);
    const { pathname, search } = new URL(link);
    const page = await portal.request(pathname + search);
    expect(page.status).toBe(200);
    const shown = await page.text();
    expect(shown).toContain('198.18.0.0/19');
    expect(shown).toContain('<p>no such user.</p>');
    // Mail programs open links to look at them: that sends nothing.
    expect(await tickets()).toEqual([]);

    const [first, second] = await Promise.all([confirmLink(portal, link), confirmLink(portal, link)]);
    expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 410]);
    // A stranger goes back to the page that the report is about: the portal would ask for a login.
    const done = first.status === 200 ? first : second;
    expect(done.text).toContain('href="/whois/198.18.0.0/19">Back to 198.18.0.0/19</a>');
    const [ticket, ...others] = await tickets();
    expect(others).toEqual([]);
    expect(ticket).toMatchObject({
      queue: 'resources',
      accountName: null,
      requestor: null,
      requestorName: 'Rita Reporter',
      tieText: '198.18.0.0/19',
      subject: 'Report about 198.18.0.0/19: Mail about abuse bounces or isn’t answered',
    });
  });

  test('registry staff see it with a comment that names the holder; the holder sees nothing', async () => {
    const [ticket] = await tickets();
    const ticketId = String(ticket!.ticketId);
    const { data } = await (await portal.as('stella'))(api.tickets.getStaffTicket, { ticketId });
    expect(data!.messages.map(({ kind: of, text }) => [of, text])).toEqual([
      ['message', good.text],
      ['comment', expect.stringContaining('Held by EXAMPLE-AU, in 198.18.0.0/19.') as string],
    ]);
    const corin = await portal.as('corin');
    expect((await corin(api.tickets.getTicket, { ticketId })).errors![0]!.code).toBe('NOT_FOUND');
    const received = (await mailsTo(good.email)).at(-1)!.body;
    expect(received).toContain(`as ticket ${ticketId}`);
    // Rita has no portal to answer in, and no settings.
    expect(received).not.toMatch(/in the portal|switched off/);
    expect((await mailsTo(good.email)).at(-1)!.body).not.toContain('EXAMPLE-AU');
  });

  test('at the mailbox of a login it is a ticket of that person, who sees it without the comment', async () => {
    const email = 'nadia@newcomer.example';
    await post({ email, about: 'AS64500', fault: 'mine' });
    const { text } = await confirmLink(portal, await mailbox.linkTo(email));
    const ticketId = /Your report is ticket (\d+)\./.exec(text)![1]!;
    const nadia = await portal.as('nadia');
    const { data } = await nadia(api.tickets.getTicket, { ticketId });
    expect(data!.messages.map(({ kind: of, text: words }) => [of, words])).toEqual([['message', good.text]]);
  });

  test('an address that reports again and again waits, and a mailbox gets no more links, which no one can tell', async () => {
    const email = 'many@reporter.example';
    const answers = [];
    for (let turn = 0; turn < 12; turn++) answers.push(await post({ email }));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect((await mailsTo(email)).length).toBeLessThan(12);
    const refused = [];
    for (let turn = 0; turn < 8; turn++) refused.push(await post({ email: `r${turn}@reporter.example` }, {}, '192.0.2.250'));
    expect(refused.at(-1)).toMatchObject({ status: 429 });
    expect(Number(refused.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.at(-1)!.body).toContain('no such user.');
  });

  test('a mail program that goes back finds that the link was used', async () => {
    const email = 'once@reporter.example';
    await post({ email });
    const link = await mailbox.linkTo(email);
    expect((await confirmLink(portal, link)).text).toMatch(/Your report is ticket \d+\./);
    expect(await confirmLink(portal, link)).toMatchObject({ status: 410, text: expect.stringContaining('already used') as string });
  });
});
