import type { ValueType } from '../attributes.ts';
import { readIpv4Prefix, readIpv4Range, readIpv6Prefix } from './addresses.ts';
import { readAsBlock, readAsNumber } from './as-numbers.ts';
import { readEmail, readOrganisationName, readPersonName, readPhone } from './contact-details.ts';
import { readAuth, readKeyCert } from './credentials.ts';
import { readDomain, readDomainName, readDsData, readNameServer } from './domains.ts';
import { readNicHandle, readOrganisationHandle } from './handles.ts';
import { readMember, readMemberOfSet, readMembersByReference, readMpMember } from './members.ts';
import { readIrtName, readNetName, readObjectName, readSource } from './names.ts';
import { readCountry, readGeoloc, readLanguage } from './places.ts';
import { policySyntaxes } from './policies.ts';
import type { Syntax } from './reading.ts';
import { readFreeText, readHttpsUrl, readOrganisationType, readStatus, readTimestamp } from './registration.ts';
import { readHole, readMaintainerOfRoutes } from './routes.ts';
import { setNameSyntax } from './set-names.ts';

/** The syntax of each type of value. */
export const syntaxes: Readonly<Record<ValueType, Syntax>> = {
  ...policySyntaxes,
  'free-text': readFreeText,
  'ipv4-range': readIpv4Range,
  'ipv4-prefix': readIpv4Prefix,
  'ipv6-prefix': readIpv6Prefix,
  'as-number': readAsNumber,
  'as-block': readAsBlock,
  'net-name': readNetName,
  'object-name': readObjectName,
  irt: readIrtName,
  'nic-hdl': readNicHandle,
  'org-id': readOrganisationHandle,
  'org-name': readOrganisationName,
  'org-type': readOrganisationType,
  'person-name': readPersonName,
  country: readCountry,
  language: readLanguage,
  email: readEmail,
  phone: readPhone,
  status: readStatus,
  source: readSource,
  geoloc: readGeoloc,
  'https-url': readHttpsUrl,
  timestamp: readTimestamp,
  domain: readDomain,
  'domain-name': readDomainName,
  nserver: readNameServer,
  'ds-rdata': readDsData,
  auth: readAuth,
  'key-cert': readKeyCert,
  'key-text': readFreeText,
  generated: readFreeText,
  'as-set': setNameSyntax('as-set'),
  'route-set': setNameSyntax('route-set'),
  'filter-set': setNameSyntax('filter-set'),
  'peering-set': setNameSyntax('peering-set'),
  'rtr-set': setNameSyntax('rtr-set'),
  'member-of': readMemberOfSet,
  'mbrs-by-ref': readMembersByReference,
  members: readMember,
  'mp-members': readMpMember,
  'mnt-routes': readMaintainerOfRoutes,
  holes: readHole,
};

const long: ReadonlySet<ValueType> = new Set<ValueType>([
  ...(Object.keys(policySyntaxes) as ValueType[]),
  'free-text',
  'key-text',
  'generated',
  'mnt-routes',
]);

/** Returns the maximum length of one value (one item of a list); policies and texts are limited by the message only. */
export function longestValue(type: ValueType): number {
  return long.has(type) ? Number.POSITIVE_INFINITY : 1000;
}
