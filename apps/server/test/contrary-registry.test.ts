import path from 'node:path';
import { emptyApplication } from '@portal/contract/applications/application-form';
import { api } from '@portal/contract/api';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approveAlone, sendRequest } from './deciding-requests.ts';
import { type TestPortal, testPortal } from './portal.ts';
import { samplePdf, sentFile } from './sample-files.ts';

const account = 'EXAMPLE-AU';
const need = { plan: [{ purpose: 'Hosting', amounts: [256, 512, 768, 1024, 1600] }], network: 'A data centre in Singapore.' };

/** The stories of a registry that decided every value otherwise than the example registry: another registry is a file and not a fork. */
describe('a registry with another profile', () => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(undefined, { REGISTRY_PROFILE: path.join(import.meta.dirname, 'contrary-profile.json') });
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  async function acknowledged(kind: RequestKind, form: Partial<RequestForm>): Promise<string> {
    const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
    const papers = kind === 'acquisition' ? [await sentFile(corin)] : [];
    const { requestId } = await sendRequest(corin, account, kind, { recipient: 'OTHER-SG', reason: 'Sold', ...form }, papers);
    const { version } = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
    const answered = await olive(api.requests.acknowledgeTransfer, {
      account: 'OTHER-SG',
      requestId,
      body: {
        version,
        form: { ...emptyForm, ...need },
        documentIds: kind === 'acquisition' ? [await sentFile(olive)] : [],
        truthful: true,
      },
    });
    expect(answered).toMatchObject({ status: 200 });
    return requestId;
  }

  test('a transfer costs nothing, and its one hostmaster completes it', async () => {
    const requestId = await acknowledged('transfer', { resources: ['198.18.8.0/22'] });
    expect(await approveAlone(portal, requestId)).toMatchObject({ data: { state: 'completed', due: null } });
  });

  test('a merger costs what it says, in its currency', async () => {
    const merger = { resources: ['198.18.64.0/24'], legalName: 'Other Cloud', occasion: 'merger', startsOn: '2026-11-01' } as const;
    const requestId = await acknowledged('acquisition', { ...merger, resources: [...merger.resources] });
    expect(await approveAlone(portal, requestId)).toMatchObject({
      data: { state: 'awaiting-fee', due: { payer: 'OTHER-SG', amount: '250.00', currency: 'EUR' } },
    });
  });

  test('sizes of requests are its own', async () => {
    const corin = await portal.as('corin');
    const eligibility = await corin(api.requests.getEligibility, { account, kind: 'ipv4' });
    const said = JSON.stringify(eligibility.data);
    expect(said).toContain('/24');
    expect(said).not.toContain('/23');
  });

  test('fees are told in its currency with its tax, and no fee of a transfer', async () => {
    const corin = await portal.as('corin');
    const query = { kind: 'member', economy: 'NO', begins: '2026-01-01', ipv4: '1024', ipv6: '0', asns: 0, transferred: '1024' } as const;
    const { estimate, choices, transferFee } = (await corin(api.feeEstimates.getFeeEstimate, { query })).data!;
    expect(estimate).toMatchObject({ currency: 'EUR', taxRate: '0.25', tax: '564.10', total: '2820.51' });
    expect(choices.economies).toEqual(['NO', 'SJ', 'IS', 'GL', 'FO']);
    expect(transferFee).toBeNull();
    const billing = (await corin(api.billing.getBilling, { account })).data!;
    expect(billing).toMatchObject({ currency: 'EUR', reactivationMonths: 12, rpkiSuspensionDays: null });
    expect(billing.paymentInstructions).toEqual(['To Northnic Foundation', 'IBAN NO93 8601 1117 947']);
  });

  test('members come from its region, accept its agreement, and no national registry is pointed to', async () => {
    const nadia = await portal.as('nadia');
    const terms = (await nadia(api.applications.getApplicationTerms, {})).data!;
    expect(terms).toMatchObject({ agreement: { version: '3', url: 'https://northnic.test/agreement' }, nationalRegistries: [] });
    const uploaded = await nadia(api.files.uploadFile, {
      query: { fileName: 'certificate.pdf' },
      body: new Blob([new Uint8Array(samplePdf('certificate.pdf'))]),
    });
    const apply = async (economy: string, agreementVersion: string) => {
      const { applicationId, version } = (await nadia(api.applications.startApplication, {})).data!;
      const draft = {
        ...emptyApplication,
        orgName: 'Fjord Networks AS',
        economy,
        organisationType: 'company' as const,
        business: 'internet service provider' as const,
        registrationNumber: '999888777',
        postalAddress: 'Kai 1',
        city: 'Tromsø',
        phone: '+47 77 00 00 00',
        abuseEmail: 'abuse@fjord.example',
        position: 'Managing director',
        contactPhone: '+47 77 00 00 01',
        accountName: 'fjord-no',
        resources: ['ipv6' as const],
        networkPlan: 'Two upstreams from March.',
        billingEmail: 'accounts@fjord.example',
      };
      const saved = await nadia(api.applications.saveDraft, {
        applicationId,
        body: { version, step: 'review', draft, documentIds: [uploaded.data!.documentId] },
      });
      const sent = await nadia(api.applications.submitApplication, {
        applicationId,
        body: { version: saved.data?.version ?? version, agreementVersion, truthful: true },
      });
      if (sent.errors) await nadia(api.applications.withdrawApplication, { applicationId });
      return sent.errors?.map(({ code, field }) => `${code} ${field ?? ''}`.trim()) ?? ['sent'];
    };
    expect(await apply('AU', '3')).toContain('INVALID_REQUEST economy');
    expect(await apply('NO', '2026-07')).toEqual(['AGREEMENT_CHANGED']);
    expect(await apply('NO', '3')).toEqual(['sent']);
  });
});
