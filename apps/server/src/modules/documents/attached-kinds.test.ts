import type { Client } from '@portal/api-client';
import { allEndpoints, api } from '@portal/contract/api';
import { isUpload } from '@portal/contract';
import { daysAfter } from '@portal/contract/days';
import { AttachedIds } from '@portal/contract/documents/documents';
import { emptyForm } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { billingPortal, today } from '../../../test/billing-portal.ts';
import { sendRequest } from '../../../test/deciding-requests.ts';
import { kindsForRules, testPortal } from '../../../test/portal.ts';
import { sampleCapture, samplePdf, samplePng, sampleProgram, sampleXlsx, sentFile } from '../../../test/sample-files.ts';

const account = 'EXAMPLE-AU';
/** Files of a network engineer, as their programs write them. */
const files = {
  'address plan.xlsx': sampleXlsx(),
  'prefixes.csv': Buffer.from('prefix,site\n198.18.0.0/24,Suva\n198.18.1.0/24,"Nadi, airport"\n'),
  'trace.txt': Buffer.from('traceroute to 198.18.0.1\n 1  gw.example (192.0.2.1)  0.4 ms\n 2  * * *\n'),
  'flap.pcap': sampleCapture(),
};
const names = Object.keys(files);
const kindsOf = { 'address plan.xlsx': 'xlsx', 'prefixes.csv': 'txt', 'trace.txt': 'txt', 'flap.pcap': 'pcap' };

const sendAll = async (person: Client): Promise<string[]> => {
  const ids: string[] = [];
  for (const [fileName, bytes] of Object.entries(files)) ids.push(await sentFile(person, { fileName, bytes }));
  return ids;
};
/** Returns stored files by their download names. */
const kept = (list: readonly { fileName: string; kind: string }[]) =>
  Object.fromEntries(list.map(({ fileName, kind }) => [fileName, kind]));

/** Uploads a file, and returns why it is refused; empty if accepted. */
async function refusalOf(person: Client, fileName: string, bytes: Buffer): Promise<string> {
  const answer = await person(api.files.uploadFile, { query: { fileName }, body: new Blob([new Uint8Array(bytes)]) });
  return answer.errors ? `${answer.status} ${answer.errors[0]!.code}: ${answer.errors[0]!.message}` : '';
}

describe.each(kindsForRules)('files of engineers on %s', kind => {
  test('Corin attaches a spreadsheet, a table, a trace and a capture to a request, a message and an answer, and Stella gets each with its type', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const form = {
      multihomed: 'now' as const,
      neighbours: [{ asn: 'AS64496', name: 'Transit' }],
      network: 'Two upstreams and an exchange point.',
      reason: 'A second network with a policy of its own.',
    };
    const { requestId } = await sendRequest(corin, account, 'asn', form, await sendAll(corin));
    const papers = async () => kept((await stella(api.requestDesk.getStaffRequest, { requestId })).data!.papers);
    expect(await papers()).toEqual(kindsOf);
    const said = await corin(api.requests.writeAboutRequest, {
      account,
      requestId,
      body: { words: 'A newer trace', documentIds: [await sentFile(corin, { fileName: 'newer.log', bytes: files['trace.txt'] })] },
    });
    expect(said.status).toBe(200);
    await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'Which flap?' } });
    const { version } = (await corin(api.requests.getRequest, { account, requestId })).data!;
    const bytes = files['flap.pcap'];
    const answered = await corin(api.requests.answerRequest, {
      account,
      requestId,
      body: { version, answer: 'This one', documentIds: [await sentFile(corin, { fileName: 'answer.pcap', bytes })] },
    });
    expect(answered.status).toBe(200);
    expect(await papers()).toEqual({ ...kindsOf, 'newer.log': 'txt', 'answer.pcap': 'pcap' });
  });

  test('Olive attaches them to the transfer that she acknowledges, where Corin doesn’t see them', async () => {
    await using portal = await testPortal(kind);
    const [corin, olive, stella] = [await portal.as('corin'), await portal.as('olive'), await portal.as('stella')];
    const offer = { resources: ['198.18.8.0/22'], recipient: 'OTHER-SG', reason: 'Sold' };
    const { requestId } = await sendRequest(corin, account, 'transfer', offer, await sendAll(corin));
    const { version } = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
    const plan = [{ purpose: 'Hosting', amounts: [256, 512, 768, 1024, 1600] }];
    const acknowledged = await olive(api.requests.acknowledgeTransfer, {
      account: 'OTHER-SG',
      requestId,
      body: {
        version,
        form: { ...emptyForm, plan, network: 'A data centre in Singapore.' },
        documentIds: await sendAll(olive),
        truthful: true,
      },
    });
    expect(acknowledged.status).toBe(200);
    const shown = (await stella(api.requestDesk.getStaffRequest, { requestId })).data!;
    expect([kept(shown.papers), kept(shown.recipientPapers)]).toEqual([kindsOf, kindsOf]);
    expect((await corin(api.requests.getRequest, { account, requestId })).data!.papers).toHaveLength(names.length);
  });

  test('they go with a ticket in both directions, and as evidence of a payment', async () => {
    await using portal = await billingPortal(kind, { [account]: daysAfter(today, -2) });
    await portal.on(today);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const opened = (
      await corin(api.tickets.openTicket, {
        body: { queue: 'helpdesk', account, subject: 'A flap', text: 'See the capture.', documentIds: await sendAll(corin) },
      })
    ).data!;
    const { ticketId } = opened;
    const answered = await stella(api.tickets.answerStaffTicket, {
      ticketId,
      body: { text: 'Seen from here:', comment: false, documentIds: await sendAll(stella) },
    });
    expect(answered.errors).toBeUndefined();
    const { messages } = (await corin(api.tickets.getTicket, { ticketId })).data!;
    expect(messages.map(message => kept(message.files))).toEqual([kindsOf, kindsOf]);
    const paid = await corin(api.bankStatements.sendRemittance, {
      account,
      invoiceNumber: (await portal.billingOf(account)).invoices[0]!.number,
      body: { documentIds: await sendAll(corin) },
    });
    expect(paid.data).toEqual({ files: names.length });
  });

  test('a file whose content doesn’t match its name is refused, naming both, and nothing is stored', async () => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    const wrong: [string, Buffer, string][] = [
      ['plan.xlsx', samplePdf(), 'it ends in .xlsx, but its content is PDF. Rename it to end in .pdf, or choose the file that you meant'],
      ['plan.csv', sampleXlsx(), 'it ends in .csv, but its content is Spreadsheet'],
      ['trace.txt', samplePng(), 'it ends in .txt, but its content is PNG'],
      ['flap.pcap', files['trace.txt'], 'it ends in .pcap, but its content is Text. Rename it to end in .txt'],
      ['agreement.pdf', files['prefixes.csv'], 'it ends in .pdf, but its content is Text'],
      ['agreement.PDF', sampleCapture(), 'it ends in .pdf, but its content is Packet capture'],
      ['plan.docx', sampleXlsx(), 'it ends in .docx, but its content is Spreadsheet'],
      ['plan.xlsx', sampleProgram(), 'its content is a program'],
      ['plan.csv', Buffer.from('<!doctype html><script>alert(1)</script>'), 'type isn’t accepted'],
    ];
    for (const [name, bytes, why] of wrong) {
      const refusal = await refusalOf(corin, name, bytes);
      expect(refusal).toContain('FILE_REFUSED');
      expect(refusal).toContain(name);
      expect(refusal).toContain(why);
    }
    expect(await portal.db.read.rows(sql`select 1 from document where uploaded_by is not null and file_name like 'plan%'`)).toEqual([]);
    // An unknown extension, such as that of a router configuration, doesn't conflict with any content.
    for (const [name, bytes] of [
      ['router.conf', files['trace.txt']],
      ['scan', samplePdf()],
      ['v1.2 final', samplePdf()],
    ] as const)
      expect(await refusalOf(corin, name, bytes)).toBe('');
  });
});

test('every call with several files takes the ids of files that were checked on upload', () => {
  const fields = allEndpoints.flatMap(({ id, body }) => {
    // A checklist names files by their hashes, and receives none.
    if (!body || isUpload(body) || id === api.rpkiChecklists.signChecklist.id) return [];
    const shape = (body as { _zod: { def: { shape?: Record<string, unknown> } } })._zod.def.shape ?? {};
    return Object.entries(shape).flatMap(([name, schema]) =>
      /(?:document|file|attachment|paper)s?(?:Ids)?$/i.test(name) ? [{ id, name, isChecked: schema === AttachedIds }] : [],
    );
  });
  expect(fields.length).toBeGreaterThan(8);
  expect(fields.filter(({ isChecked }) => !isChecked)).toEqual([]);
});
