import type { Endpoint } from './endpoint.ts';

/** Why endpoints that are no calls of an account's contacts are not part of the registry API. */
const byAccess: Partial<Record<Endpoint['access']['who'], string>> = {
  anyone: 'it is public data, or a part of signing in',
  'signed-in': 'it is about a person; a key belongs to an account',
  staff: 'it is for registry staff',
  corporate: 'it is for corporate contacts, who decide about an account in person',
};

const person = 'it is about the person who asks; a program is none';
const people = 'who acts for an account is decided by people with a second factor';
const screen = 'it serves one screen of the portal; what it shows is in other calls';
const inPerson = 'it binds the account or its keys for long, and is done by a person with a second factor';

/** The same for calls of an account's contacts: a module, a group or one endpoint by its id, and the reason. */
const byId: Readonly<Record<string, string>> = {
  'activityLog.listDays': screen,
  'activityLog.countNewer': screen,
  'activityLog.getActivityLog': screen,
  applications: people,
  'billing.openInvoice': 'its answer opens in the browser of the person who asked',
  'billing.bankStatements': inPerson,
  'billing.checkouts': person,
  'billing.feeEstimates': screen,
  'billing.invoiceDocuments.downloadInvoices': screen,
  'billing.invoiceDocuments.listColleagues': person,
  'billing.invoiceDocuments.sendDocument': person,
  'billing.renewals.askForQuote': inPerson,
  'billing.reactivations.reactivateAccount': inPerson,
  'billing.renewals.askForInvoice': inPerson,
  'billing.updateBillingDetails': inPerson,
  contacts: people,
  documents: 'documents are opened and signed by people',
  elections: 'votes are cast by people',
  encryptedBallots: 'votes are cast by people',
  events: people,
  home: screen,
  'nir.subaccounts.countSubaccounts': screen,
  'nir.subaccounts.countRecords': screen,
  'organisations.updateOrganisation': inPerson,
  'organisations.changes': inPerson,
  proposals: 'a second person approves in the portal',
  publication: screen,
  'requests.listings.reportListing': 'a person answers for what is reported',
  'requests.listMovable': screen,
  'requests.getRequestFee': screen,
  'requests.confirmOneClick': inPerson,
  'requests.acknowledgeTransfer': inPerson,
  'requests.declineTransfer': inPerson,
  'resources.getAddressMap': screen,
  'resources.locks.addLocks': inPerson,
  'resources.locks.requestRelease': inPerson,
  'resources.locks.confirmRelease': inPerson,
  'resources.locks.cancelRelease': inPerson,
  'resources.getAddressOverview': screen,
  'routes.alerts.mute': 'a person answers for what is not announced',
  'routes.alerts.unmute': 'a person answers for what is not announced',
  'routes.ownTables': 'uploaded on the page, which sends only what is inside of the account’s space',
  'rpki.enable': inPerson,
  'rpki.previewRevocation': inPerson,
  'rpki.revoke': inPerson,
  'rpki.startRollover': inPerson,
  'rpki.activateKey': inPerson,
  'rpki.checklists': inPerson,
  'rpki.selfHosted.connect': inPerson,
  'rpki.selfHosted.publishHere': inPerson,
  'rpki.selfHosted.disconnect': inPerson,
  search: screen,
  'whois.complete': screen,
  'whois.createMaintainer': inPerson,
  'whois.askToLinkMaintainer': inPerson,
  'whois.linkMaintainer': inPerson,
  'whois.unlinkMaintainer': inPerson,
  'whois.choosePrincipalMaintainer': inPerson,
  'whois.grantMaintainer': people,
  'whois.attributeValues': screen,
  'whois.consents': 'it agrees to what another person wrote',
  'whois.download.countDownload': screen,
  'whois.follows': person,
  'whois.irts': 'codes are mailed to people',
  'whois.maintainerUsers': people,
  'whois.presence': screen,
  'whois.reclaims': inPerson,
};

/** Returns why an endpoint is not part of the registry API, and the name under which that is listed; null where no reason is given. */
export function whyNotPublic({ id, access }: Pick<Endpoint, 'id' | 'access'>): { listed: string | null; why: string } | null {
  const general = byAccess[access.who];
  if (general !== undefined) return { listed: null, why: general };
  const parts = id.split('.');
  for (let length = parts.length; length > 0; length--) {
    const listed = parts.slice(0, length).join('.');
    const why = byId[listed];
    if (why !== undefined) return { listed, why };
  }
  return null;
}

/** The names that `whyNotPublic` lists. */
export const listedReasons: readonly string[] = Object.keys(byId);
