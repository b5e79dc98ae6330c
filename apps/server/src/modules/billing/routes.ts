import { billing } from '@portal/contract/billing/billing';
import { feeEstimates } from '@portal/contract/billing/fee-estimates';
import { dayIn } from '@portal/contract/days';
import { type Implementation, implement } from '../../platform/endpoints.ts';
import type { Secrets } from '../../platform/secret-box.ts';
import type { Profile } from '../../profile.ts';
import { getCountedHoldings } from './counted-holdings.ts';
import { getFeeEstimate } from './fee-estimates.ts';
import { cancelInvoice, extendInvoice, getStaffBilling, openInvoice, openStaffInvoice } from './invoice-acts.ts';
import { getBilling } from './invoices.ts';
import { recordPayment } from './payments.ts';

export const billingRoutes = ({ secrets, profile, clock }: { secrets: Secrets; profile: Profile; clock: () => Date }): Implementation[] => {
  const today = (): string => dayIn(profile.timeZone, clock());
  return [
    implement(billing, {
      getBilling: ({ read, account }) => getBilling(read, account.accountName, { profile, today: today() }),
      openInvoice: ({ change, account, caller, params }) => openInvoice(change, secrets, account, caller, params.invoiceNumber),
      getStaffBilling: ({ read, params }) => getStaffBilling(read, params.accountName, { profile, today: today() }),
      openStaffInvoice: ({ change, caller, params }) => openStaffInvoice(change, secrets, caller, params.invoiceNumber),
      recordPayment: ({ change, caller, params, body, hasSecondPerson }) =>
        recordPayment(change, params.invoiceNumber, body, { caller, today: today(), hasSecondPerson, alone: profile.paymentsAlone }),
      extendInvoice: ({ change, caller, params, body }) => extendInvoice(change, params.invoiceNumber, body, { caller, today: today() }),
      cancelInvoice: ({ change, caller, params, body }) => cancelInvoice(change, params.invoiceNumber, body, { caller, today: today() }),
    }),
    implement(feeEstimates, {
      getFeeEstimate: ({ read, query }) => getFeeEstimate(read, query, profile),
      getCountedHoldings: ({ read, account }) => getCountedHoldings(read, account, today()),
    }),
  ];
};
