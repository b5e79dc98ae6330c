import type { RecordObject, ResourceRecord } from '@portal/contract/records/records';

/** True for an object that is about a block of numbers, not about something in it. */
export const isNetwork = (each: RecordObject): boolean =>
  each.class === 'inetnum' || each.class === 'inet6num' || each.class === 'as-block';

/** Networks of whois that are not delegations themselves: those around the numbers, or inside. */
export const networksOf = ({ objects, holdings }: ResourceRecord, relation: RecordObject['relation']): RecordObject[] =>
  objects.filter(
    each => each.relation === relation && isNetwork(each) && !holdings.some(holding => networkText(each) === holding.resource),
  );

/** The range of a network in ledger notation, for its link. */
export const networkText = (object: RecordObject): string => object.resource ?? object.shown;
