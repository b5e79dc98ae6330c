import type { WhoisConsent } from '@portal/contract/whois/consents';

/** OTHER-SG asks EXAMPLE-AU to allow a route. */
export const consent: WhoisConsent = {
  consentId: 7,
  accountName: 'OTHER-SG',
  askedBy: 'Olive Tan',
  objects: ['route 198.51.100.0/24AS64500'],
  text: 'route: 198.51.100.0/24\norigin: AS64500\n',
  maintainers: ['MAINT-AU-EXAMPLE'],
  why: 'Routes from AS64500 are for its holder to allow',
  state: 'waiting',
  reason: '',
  askedAt: '2026-11-20T08:00:00Z',
  dueAt: '2026-11-27T08:00:00Z',
  decidedAt: null,
};
