import { quote } from '../problem.ts';
import { right, type Syntax, wrong } from './reading.ts';

/** Status of inetnum and inet6num. UNSPECIFIED and NOT-SET occur in old objects only. */
export const statuses = ['ALLOCATED PORTABLE', 'ALLOCATED NON-PORTABLE', 'ASSIGNED PORTABLE', 'ASSIGNED NON-PORTABLE'] as const;

/** Types of organisations. Only the registry assigns the first four. */
export const organisationTypes = ['IANA', 'RIR', 'NIR', 'LIR', 'NON-REGISTRY'] as const;

export const readStatus: Syntax = value => {
  const status = value.toUpperCase().replace(/\s+/g, ' ');
  if ((statuses as readonly string[]).includes(status)) return right(status);
  return wrong('not-a-status', `${quote(value)} is not a status. Enter ${oneOf(statuses)}`);
};

export const readOrganisationType: Syntax = value => {
  const type = value.toUpperCase();
  return (organisationTypes as readonly string[]).includes(type)
    ? right(type)
    : wrong('not-an-organisation-type', `${quote(value)} is not a type of organisation. Enter ${oneOf(organisationTypes)}`);
};

/** One https URL (RFC 9632). */
export const readHttpsUrl: Syntax = value =>
  /^https:\/\/[a-z0-9.[\]-]+(:\d+)?(\/[!-~]*)?$/i.test(value) && URL.canParse(value)
    ? right(value)
    : wrong('not-an-https-url', `${quote(value)} is not an https address. Enter one such as https://example.net/geofeed.csv`);

/** `2026-11-21T08:00:00Z`. */
export const readTimestamp: Syntax = value =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(value) && !Number.isNaN(Date.parse(value))
    ? right(value)
    : wrong('not-a-time', `${quote(value)} isn’t a time. Enter it in UTC, such as 2026-11-21T08:00:00Z`);

export const readFreeText: Syntax = value => right(value);

function oneOf(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
