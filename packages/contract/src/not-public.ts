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
const young = 'it is new, and is opened when its shape has been in use for a while';
const inPerson = 'it binds the account or its keys for long, and is done by a person with a second factor';

/** The same for calls of an account's contacts: a module, a group or one endpoint by its id, and the reason. */
const byId: Readonly<Record<string, string>> = {
  'activityLog.listDays': screen,
  'activityLog.countNewer': screen,
  'activityLog.getActivityLog': screen,
  applications: people,
  'billing.openInvoice': 'its answer opens in the browser of the person who asked',
  'billing.exportStatement': young,
  'billing.feeEstimates': screen,
  'billing.renewals': young,
  'billing.updateBillingDetails': inPerson,
  contacts: people,
  documents: 'papers are opened and signed by people',
  elections: 'votes are cast by people',
  events: people,
  home: screen,
  nir: young,
  'organisations.updateOrganisation': inPerson,
  'organisations.changes': inPerson,
  proposals: 'a second person approves in the portal',
  publication: screen,
  'requests.listings': young,
  'requests.listMovable': screen,
  'requests.subaccounts': young,
  'requests.confirmOneClick': inPerson,
  'requests.acknowledgeTransfer': inPerson,
  'requests.declineTransfer': inPerson,
  'resources.getAddressMap': screen,
  'resources.getAddressOverview': screen,
  'routes.alerts': young,
  'routes.suggestions': young,
  'rpki.aspas': young,
  'rpki.enable': inPerson,
  'rpki.previewRevocation': inPerson,
  'rpki.revoke': inPerson,
  'rpki.startRollover': inPerson,
  'rpki.activateKey': inPerson,
  'rpki.checklists': inPerson,
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
