import { billing } from '@portal/contract/billing/billing';
import { feeEstimates } from '@portal/contract/billing/fee-estimates';
import { memberships } from '@portal/contract/billing/memberships';
import { renewals } from '@portal/contract/billing/renewals';
import { dayIn } from '@portal/contract/days';
import { type Implementation, implement } from '../../platform/endpoints.ts';
import type { Module } from '../../platform/module.ts';
import type { Secrets } from '../../platform/secret-box.ts';
import type { Profile } from '../../profile.ts';
import { updateOrganisation } from '../organisations/index.ts';
import { getCountedHoldings } from './counted-holdings.ts';
import { getFeeEstimate } from './fee-estimates.ts';
import { cancelInvoice, extendInvoice, getStaffBilling, openInvoice, openStaffInvoice } from './invoice-acts.ts';
import { releaseHold } from './holds.ts';
import { getBilling } from './invoices.ts';
import { getMembershipPlan } from './plan.ts';
import { askForInvoice, askForQuote, downloadQuote, getRenewal } from './renewals.ts';
import { exportStatement } from './statement.ts';
import { recordPayment } from './payments.ts';

type Context = { secrets: Secrets; fonts: readonly string[]; profile: Profile; clock: () => Date; modules: readonly Module[] };

export const billingRoutes = ({ secrets, fonts, profile, clock, modules }: Context): Implementation[] => {
  const today = (): string => dayIn(profile.timeZone, clock());
  return [
    implement(billing, {
      getBilling: ({ read, account }) => getBilling(read, account.accountName, { profile, today: today(), modules }),
      updateBillingDetails: async ({ change, account, body }) => {
        await updateOrganisation(change, account, body);
        return getBilling(change, account.accountName, { profile, today: today(), modules });
      },
      exportStatement: ({ read, account, query }) => exportStatement(read, account.accountName, query, profile.currency),
      openInvoice: ({ change, account, caller, params }) => openInvoice(change, secrets, account, caller, params.invoiceNumber),
      getStaffBilling: ({ read, params }) => getStaffBilling(read, params.accountName, { profile, today: today(), modules }),
      openStaffInvoice: ({ change, caller, params }) => openStaffInvoice(change, secrets, caller, params.invoiceNumber),
      recordPayment: ({ change, caller, params, body, hasSecondPerson }) =>
        recordPayment(change, params.invoiceNumber, body, { caller, today: today(), hasSecondPerson, alone: profile.paymentsAlone }),
      extendInvoice: ({ change, caller, params, body }) => extendInvoice(change, params.invoiceNumber, body, { caller, today: today() }),
      cancelInvoice: ({ change, caller, params, body }) => cancelInvoice(change, params.invoiceNumber, body, { caller, today: today() }),
    }),
    implement(memberships, {
      getPlan: ({ read }) => getMembershipPlan(read, today()),
      releaseHold: async ({ change, caller, params, body }) => {
        await releaseHold(change, params.holdId, body, { caller, today: today() });
        return getMembershipPlan(change, today());
      },
    }),
    implement(renewals, {
      getRenewal: ({ read, account }) => getRenewal(read, account.accountName, { today: today(), profile }),
      askForQuote: ({ change, account, caller }) => askForQuote(change, account, caller, { today: today(), profile }),
      downloadQuote: ({ read, account, params }) => downloadQuote(read, account.accountName, params.quoteNumber, { profile, fonts }),
      askForInvoice: ({ change, account, caller }) => askForInvoice(change, account, caller, { today: today(), profile }),
    }),
    implement(feeEstimates, {
      getFeeEstimate: ({ read, query }) => getFeeEstimate(read, query, profile),
      getCountedHoldings: ({ read, account }) => getCountedHoldings(read, account, today()),
    }),
  ];
};
