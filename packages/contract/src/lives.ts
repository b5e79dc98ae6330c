import { applicationLife } from './applications/life.ts';
import { referralLife } from './applications/referral-life.ts';
import { bankLineLife, checkoutLife, invoiceLife } from './billing/life.ts';
import { accessRequestLife, invitationLife, registryRequestLife } from './contacts/life.ts';
import { objectionLife } from './encrypted-ballots/objection-life.ts';
import { electionLife, nominationLife, proxyLife, windowLife } from './elections/life.ts';
import { certificateLife, eventLife, registrationLife } from './events/life.ts';
import type { Life } from './life.ts';
import { closureLife, organisationChangeLife } from './organisations/life.ts';
import { proposalLife } from './proposals/life.ts';
import { requestLife } from './requests/life.ts';
import { listingLife } from './requests/listing-life.ts';
import { authorityKeyLife, authorityLife, childLife } from './rpki/life.ts';
import { ticketLife } from './tickets/life.ts';

/** Every life: how cases of each kind move from state to state. Drawn in docs/generated/lives.md, and compared with the database. */
export const lives: readonly Life[] = [
  applicationLife,
  referralLife,
  organisationChangeLife,
  closureLife,
  accessRequestLife,
  registryRequestLife,
  invitationLife,
  proposalLife,
  requestLife,
  listingLife,
  ticketLife,
  invoiceLife,
  checkoutLife,
  bankLineLife,
  electionLife,
  windowLife,
  nominationLife,
  proxyLife,
  objectionLife,
  eventLife,
  registrationLife,
  certificateLife,
  authorityLife,
  authorityKeyLife,
  childLife,
];
