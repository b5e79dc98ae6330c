import { api } from '@portal/contract/api';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { emptyForm } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { approveByTwo, completePaid, issueFees, payFee, sendRequest } from '../../../../test/deciding-requests.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../../test/portal.ts';
import { sentFile } from '../../../../test/sample-files.ts';
import { runRequestDeadlines } from '../request-deadlines.ts';

const sender = 'EXAMPLE-AU';
const recipient = 'OTHER-SG';
const plan = [{ purpose: 'Hosting', amounts: [256, 512, 768, 1024, 1600] }];
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };

/** A transfer that its recipient has acknowledged. */
async function acknowledged(portal: TestPortal): Promise<string> {
  const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
  const { requestId, version } = await sendRequest(corin, sender, 'transfer', {
    resources: ['198.18.8.0/22'],
    recipient,
    reason: 'We sold the data centre',
  });
  const sent = await olive(api.requests.acknowledgeTransfer, {
    account: recipient,
    requestId,
    body: { version, form: { ...emptyForm, plan, network: 'A server room in Singapore with two upstreams.' }, truthful: true },
  });
  expect(sent).toMatchObject({ status: 200 });
  return requestId;
}

/** Reads a case as each party does, with the mails to its contacts. */
async function sides(portal: TestPortal, requestId: string) {
  const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
  const subjects = async (to: string) => (await portal.mailsTo(to)).filter(({ subject }) => subject.includes(`REQ-${requestId}`));
  return {
    sender: (await corin(api.requests.getRequest, { account: sender, requestId })).data!,
    recipient: (await olive(api.requests.getRequest, { account: recipient, requestId })).data!,
    senderMails: await subjects('corin@example-au.example'),
    recipientMails: await subjects('olive@other-sg.example'),
  };
}
const saying = (mails: readonly { body: string }[], words: string): number => mails.filter(({ body }) => body.includes(words)).length;

describe.each(kindsForRules)('conversations of a transfer on %s', kind => {
  test('the recipient is asked about its need; only it sees and answers the question', async () => {
    await using portal = await testPortal(kind);
    const [stella, olive, corin] = [await portal.as('stella'), await portal.as('olive'), await portal.as('corin')];
    const requestId = await acknowledged(portal);
    const question = 'Which servers need 1 600 addresses?';
    expect(await stella(api.requestDesk.askAboutRequest, { requestId, body: { question } })).toMatchObject({
      status: 400,
      errors: [{ field: 'to' }],
    });
    const asked = (await stella(api.requestDesk.askAboutRequest, { requestId, body: { question, to: 'recipient' } })).data!;
    expect(asked).toMatchObject({ state: 'needs-info', questions: [{ accountName: recipient, words: question }] });
    const before = await sides(portal, requestId);
    expect(before.recipient).toMatchObject({ question, nextMove: 'you', expiresAt: asked.questions[0]!.answerBy });
    expect(before.sender).toMatchObject({ question: null, nextMove: 'other-party' });
    expect(JSON.stringify(before.sender)).not.toContain(question);
    expect([saying(before.senderMails, question), saying(before.recipientMails, question)]).toEqual([0, 1]);
    const home = async (person: typeof olive, account: string) =>
      JSON.stringify((await person(api.home.getHome, { account })).data!).includes(`question about REQ-${requestId}`);
    expect([await home(olive, recipient), await home(corin, sender)]).toEqual([true, false]);
    const log = async (person: typeof olive, account: string) =>
      JSON.stringify((await person(api.activityLog.listActivities, { account, query: {} })).data!);
    expect(await log(corin, sender)).not.toContain(question);
    const { version } = before.sender;
    expect(await corin(api.requests.answerRequest, { account: sender, requestId, body: { version, answer: 'Ours' } })).toMatchObject({
      errors: [{ code: 'REQUEST_STATE' }],
    });
    const documentIds = [await sentFile(olive)];
    const answer = await olive(api.requests.answerRequest, {
      account: recipient,
      requestId,
      body: { version, answer: 'Customer racks in hall 3', documentIds },
    });
    expect(answer).toMatchObject({ status: 200, data: { state: 'in-review', question: null, nextMove: 'registry' } });
    const after = await sides(portal, requestId);
    expect(JSON.stringify(after.sender)).not.toMatch(/hall 3|which servers/i);
    const desk = (await stella(api.requestDesk.getStaffRequest, { requestId })).data!;
    expect(desk.events.filter(({ party }) => party === recipient).map(({ kind: of, words }) => `${of}: ${words}`)).toEqual([
      'acknowledged: ',
      `question: ${question}`,
      'answer: Customer racks in hall 3',
    ]);
    expect([desk.papers, desk.recipientPapers.map(({ documentId }) => documentId)]).toEqual([[], documentIds]);
  });

  test('both are asked and answer separately, and the case is back in review with the last answer', async () => {
    await using portal = await testPortal(kind);
    const [stella, olive, corin] = [await portal.as('stella'), await portal.as('olive'), await portal.as('corin')];
    const requestId = await acknowledged(portal);
    await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'Which contract?', to: 'both' } });
    const { sender: asked, ...others } = await sides(portal, requestId);
    for (const one of [asked, others.recipient]) expect(one).toMatchObject({ question: 'Which contract?', nextMove: 'you' });
    expect([saying(others.senderMails, 'Which contract?'), saying(others.recipientMails, 'Which contract?')]).toEqual([1, 1]);
    const again = await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'And since when?', to: 'sender' } });
    expect(again).toMatchObject({
      errors: [{ code: 'REQUEST_STATE', message: expect.stringContaining(`an answer from ${sender} and ${recipient}`) as string }],
    });
    await corin(api.requests.answerRequest, { account: sender, requestId, body: { version: asked.version, answer: 'Number 4' } });
    const half = await sides(portal, requestId);
    expect(half.sender).toMatchObject({ state: 'needs-info', question: null, nextMove: 'other-party' });
    expect(half.recipient).toMatchObject({ state: 'needs-info', question: 'Which contract?', nextMove: 'you' });
    expect(JSON.stringify(half.recipient)).not.toContain('Number 4');
    // The sender can be asked the next thing while the recipient still has to answer.
    const more = await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'And since when?', to: 'sender' } });
    const { version } = more.data!;
    expect(more.data!.questions.map(({ accountName }) => accountName)).toEqual([recipient, sender]);
    await olive(api.requests.answerRequest, { account: recipient, requestId, body: { version, answer: 'Signed' } });
    const last = await corin(api.requests.answerRequest, {
      account: sender,
      requestId,
      body: { version: version + 1, answer: 'Since May' },
    });
    expect(last).toMatchObject({ data: { state: 'in-review', expiresAt: null } });
  });

  test('messages reach the party they are for, or both', async () => {
    await using portal = await testPortal(kind);
    const [stella, olive] = [await portal.as('stella'), await portal.as('olive')];
    const requestId = await acknowledged(portal);
    const write = (words: string, to: 'sender' | 'recipient' | 'both') =>
      stella(api.requestDesk.noteOnRequest, { requestId, body: { words, internal: false, to } });
    expect(await stella(api.requestDesk.noteOnRequest, { requestId, body: { words: 'To whom?', internal: false } })).toMatchObject({
      errors: [{ field: 'to' }],
    });
    await write('Only the sender reads this', 'sender');
    await write('Only the recipient reads this', 'recipient');
    await write('Both read this', 'both');
    await olive(api.requests.writeAboutRequest, { account: recipient, requestId, body: { words: 'Our plan is late' } });
    const seen = await sides(portal, requestId);
    const words = ({ events }: typeof seen.sender) => events.filter(({ kind: of }) => of === 'message').map(event => event.words);
    expect(words(seen.sender)).toEqual(['Only the sender reads this', 'Both read this']);
    expect(words(seen.recipient)).toEqual(['Only the recipient reads this', 'Both read this', 'Our plan is late']);
    expect([saying(seen.senderMails, 'recipient reads'), saying(seen.senderMails, 'Both read')]).toEqual([0, 1]);
    expect([saying(seen.recipientMails, 'sender reads'), saying(seen.recipientMails, 'Both read')]).toEqual([0, 1]);
  });

  test('each question has its own reminders and deadline, hidden from the other party', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    const requestId = await acknowledged(portal);
    const { answerDays } = portal.context.profile.requestPolicy;
    await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'Which servers?', to: 'recipient' } });
    const later = (days: number) => runRequestDeadlines(portal.db, new Date(Date.now() + days * DAY_MS), portal.context.profile);
    await later(8);
    await later(8);
    const reminded = await sides(portal, requestId);
    const count = (mails: readonly { subject: string }[]) =>
      mails.filter(({ subject }) => subject.includes('waiting for your answer')).length;
    expect([count(reminded.senderMails), count(reminded.recipientMails)]).toEqual([0, 1]);
    expect(reminded.sender.events.map(({ kind: of }) => of)).not.toContain('reminded');
    await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'Which contract?', to: 'sender' } });
    const answerBy = instantAfter(new Date(), 40 * DAY_MS);
    await portal.db.change(line, change =>
      change.rows(sql`update resource_request_question set answer_by = ${answerBy} where account_name = ${sender}`),
    );
    const both = await sides(portal, requestId);
    expect(both.sender.expiresAt).toBe(answerBy);
    expect(both.recipient.expiresAt! < answerBy).toBe(true);
    await later(answerDays + 1);
    const ended = await sides(portal, requestId);
    expect(ended.sender).toMatchObject({ state: 'expired', question: null });
    const open = await portal.db.read.rows(sql`select 1 from resource_request_question where closed_at is null`);
    expect(open).toEqual([]);
  });
});

describe.each(kindsForRules)('what a party learns about the other one’s debts on %s', kind => {
  const owes = (portal: TestPortal, accountName: string) =>
    portal.db.change(line, async change => {
      await change.rows(sql`update account set account_status = 'suspended' where account_name = ${accountName}`);
    });

  test('a paid transfer that can’t be completed tells each party its own obstacles, and no reasons of the other', async () => {
    await using portal = await testPortal(kind);
    const [stella, corin] = [await portal.as('stella'), await portal.as('corin')];
    const requestId = await acknowledged(portal);
    await approveByTwo(portal, requestId);
    await payFee(portal, requestId);
    await owes(portal, recipient);
    await completePaid(portal);
    const seen = await sides(portal, requestId);
    const held = ({ events }: typeof seen.sender) => events.filter(({ kind: of }) => of === 'on-hold').map(({ words }) => words);
    expect(held(seen.sender)).toEqual([`Recipient can receive: ${recipient} can’t receive at the moment`]);
    expect(held(seen.recipient)).toHaveLength(1);
    expect(JSON.stringify([seen.sender, seen.senderMails])).not.toMatch(/suspended/i);
    expect(seen.recipientMails.at(-1)!.body).toMatch(/suspended/);
    const log = JSON.stringify((await corin(api.activityLog.listActivities, { account: sender, query: {} })).data!);
    expect(log).not.toMatch(/suspended/i);
    // Registry staff read the reason.
    const desk = (await stella(api.requestDesk.getStaffRequest, { requestId })).data!;
    expect(desk.events.find(({ kind: of, internal }) => of === 'note' && internal)!.words).toMatch(/suspended/);
  });

  test('a recipient in debt is refused like an unknown one', async () => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    const refusal = async (name: string) => {
      const { requestId, version } = (await corin(api.requests.startRequest, { account: sender, body: { kind: 'transfer' } })).data!;
      const form = { ...emptyForm, resources: ['198.18.64.0/24'], recipient: name, reason: 'Sold' };
      const saved = await corin(api.requests.saveRequest, { account: sender, requestId, body: { version, form } });
      const body = { version: saved.data!.version, truthful: true as const };
      const sent = await corin(api.requests.submitRequest, { account: sender, requestId, body });
      await corin(api.requests.withdrawRequest, { account: sender, requestId });
      return {
        status: sent.status,
        errors: sent.errors?.map(({ code, message, field }) => ({ code, field, words: message.replaceAll(name, 'X') })),
      };
    };
    const unknown = await refusal('NO-SUCH-AU');
    expect(unknown.errors).toMatchObject([{ code: 'RECIPIENT_UNKNOWN', field: 'recipient' }]);
    await approveByTwo(portal, await acknowledged(portal));
    await issueFees(portal);
    await portal.db.change(line, change =>
      change.rows(
        sql`update invoice set issued_on = '2020-01-01', due_on = '2020-01-31' where account_name = ${recipient} and state = 'issued'`,
      ),
    );
    const overdue = await refusal(recipient);
    await owes(portal, recipient);
    const suspended = await refusal(recipient);
    expect([overdue, suspended]).toEqual([unknown, unknown]);
  });
});
