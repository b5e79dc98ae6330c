import type { Route, RouteRoaState, RouteWhoisState, Validity } from '@portal/contract/routes/routes';
import { printAsNumber } from '@portal/number-resources';
import type { State } from '@portal/ui';

export const routesPath = '/resources/routes/index';
/** The list of routes with the receipt of a change that was saved. */
export const hrefOfSaved = (changeId: string): string => `${routesPath}?saved=${changeId}`;
export const requestsPath = '/resources/routes/requests';
export const detailsPath = '/resources/routes/request-details';

/** The mark of a state, and its meaning in one sentence. */
export type StateWords = { state: State; word: string; means: string };

const roaWords: Record<RouteRoaState, StateWords> = {
  off: { state: 'not-found', word: 'None', means: 'No ROA is wanted.' },
  pending: { state: 'pending', word: 'Publishing', means: 'The next publication has it, within seconds.' },
  published: { state: 'valid', word: 'Published', means: 'Validators can fetch it.' },
  'not-held': {
    state: 'invalid',
    word: 'Not held',
    means: 'The prefix isn’t certified for the account any more, so nothing is published.',
  },
  stopped: { state: 'closed', word: 'Stopped', means: 'Nothing of this account is published at the moment.' },
  missing: { state: 'warning', word: 'Missing', means: 'The ROA was removed elsewhere.' },
  differs: { state: 'warning', word: 'Differs', means: 'The ROA has another maximum length.' },
  unmanaged: { state: 'info', word: 'ROA only', means: 'The ROA exists without a route of this list. Adopt it to manage both together.' },
};

/** The words for the ROA of a route: one that has none of its own may be covered by the ROA of a larger prefix, and needs no other. */
export const roaWordsOf = ({ roaState, validity }: Pick<Route, 'roaState' | 'validity'>): StateWords =>
  roaState === 'off' && validity === 'valid'
    ? { state: 'valid', word: 'Covered', means: 'It has no ROA of its own. The ROA of a larger prefix allows it.' }
    : roaWords[roaState];

export const whoisWords: Record<RouteWhoisState, StateWords> = {
  off: { state: 'not-found', word: 'None', means: 'No route object is wanted.' },
  present: { state: 'valid', word: 'Present', means: 'The route objects are as wanted.' },
  waiting: { state: 'pending', word: 'Consent', means: 'The holder of the AS number has to agree first.' },
  refused: { state: 'invalid', word: 'No consent', means: 'The holder of the AS number refused, or didn’t answer.' },
  missing: { state: 'warning', word: 'Missing', means: 'A route object was deleted elsewhere.' },
  drifted: { state: 'warning', word: 'Drifted', means: 'A route object was changed elsewhere.' },
  foreign: { state: 'warning', word: 'Foreign', means: 'The route object is maintained by others. Ask the registry to remove it.' },
  unmanaged: {
    state: 'info',
    word: 'Whois only',
    means: 'The route object exists without a route of this list. Adopt it to manage both together.',
  },
};

export const validityWords: Record<Validity, StateWords> = {
  valid: { state: 'valid', word: 'Valid', means: 'A ROA allows it.' },
  'invalid-asn': {
    state: 'invalid',
    word: 'Invalid AS',
    means: 'ROAs cover the prefix, and none names this AS number. Many networks drop it.',
  },
  'invalid-length': {
    state: 'invalid',
    word: 'Invalid length',
    means: 'A ROA names this AS number, with a shorter maximum length. Many networks drop it.',
  },
  'not-found': { state: 'not-found', word: 'Not found', means: 'No ROA covers it.' },
};

export const nameOf = ({ prefix, asn }: { prefix: string; asn: number }): string => `${prefix} ${printAsNumber(asn)}`;
/** Identifies a row of the list. */
export const idOf = (route: Route): string => route.routeId ?? nameOf(route);
export const kindOf = (prefix: string): 'ipv4' | 'ipv6' => (prefix.includes(':') ? 'ipv6' : 'ipv4');
/** The permalink of a route. */
export const hrefOfRoute = (routeId: string): string => `${routesPath}?route=${routeId}`;
/** The address of the form for a new route with some fields filled in. */
export const hrefOfNewRoute = (given: { prefix?: string; asn?: number; maxLength?: number }): string =>
  `${routesPath}?${new URLSearchParams({
    add: 'yes',
    ...(given.prefix !== undefined && { prefix: given.prefix }),
    ...(given.asn !== undefined && { asn: printAsNumber(given.asn) }),
    ...(given.maxLength !== undefined && { maxLength: String(given.maxLength) }),
  })}`;
/** The whois page of a route object. */
export const hrefOfObject = (objectClass: string, key: string): string =>
  `/resources/whois-updates-js/all?${new URLSearchParams({ class: objectClass, key }).toString().replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
