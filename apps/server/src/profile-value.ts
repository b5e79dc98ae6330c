import { utcDay } from '@portal/contract/days';
import { countUpTo, type VotingTier } from '@portal/contract/elections/voting-tiers';
import { isEmail } from '@portal/contract/email';
import { isReadable, leastOfText, nearestReadable, readColour, type Theme } from '@portal/contract/brand/brand-colours';
import { isLine, isPhone, isSecureAddress, isWebAddress } from '@portal/contract/brand/brand-problem';
import { type BrandValueName, brandValueNames, logoName } from '@portal/contract/brand/brand-values';
import { type PolicyValueName, policyValueNames } from '@portal/contract/policy/policy-values';
import { checkedSchemes } from './platform/electronic-address.ts';
import { parsePrefix, parseResource, parseReverseZone } from '@portal/number-resources';

/**
 * Where the value of a registry comes from:
 * - `own`: the example's is made up, and members read it. A registry in production names another one.
 * - `named`: members read it, or it decides what they get. A registry in production names it, though it may be the example's.
 * - `usual`: what is left out has the usual value.
 * - `lab`: the example’s is for a demonstration. Left out it is empty, and a registry in production doesn’t keep the example’s.
 */
export type Origin = 'own' | 'named' | 'usual' | 'lab';

/** One value of the registry profile: how it is read, what it means, the example registry's. The list is docs/generated/profile.md. */
export type ProfileValue<T> = {
  meaning: string;
  example: T;
  origin: Origin;
  /** The end of the sentence that it must be this: `a share such as 0.10`. */
  kind: string;
  /** Returns the value; undefined where it is none. */
  read: (given: unknown) => T | undefined;
  /** Of an object: the kinds of its fields. */
  fields?: Readonly<Record<string, Pick<ProfileValue<unknown>, 'kind' | 'read'>>>;
};

type Kind<T> = Pick<ProfileValue<T>, 'kind' | 'read' | 'fields'>;

const value =
  (origin: Origin) =>
  <T>({ kind, read, fields }: Kind<T>, example: T, meaning: string): ProfileValue<T> => ({
    meaning,
    example,
    origin,
    kind,
    read,
    ...(fields && { fields }),
  });

/** A value whose example is made up. */
export const own = value('own');
/** A value that a registry decides. */
export const named = value('named');
/** A value that suits most registries. */
export const usual = value('usual');
/** A value of a demonstration or a laboratory. */
export const lab = value('lab');

const MAX_LINE = 300;
const MAX_LINES = 50;

const textThat = (kind: string, isRight: (text: string) => boolean): Kind<string> => ({
  kind,
  read: given => (typeof given === 'string' && given.length <= MAX_LINE && isRight(given) ? given : undefined),
});
const matching = (kind: string, pattern: RegExp): Kind<string> => textThat(kind, text => pattern.test(text));

/** One line of text. */
export const line = textThat(`a text of one line, at most ${MAX_LINE} characters`, isLine);
/** A paragraph. */
export const paragraph: Kind<string> = {
  kind: 'a text of at most 2,000 characters',
  read: given => (typeof given === 'string' && given.trim() !== '' && given.length <= 2000 ? given : undefined),
};
export const email = textThat('an e-mail address', isEmail);
export const hostName = matching(
  'a host name such as whois.example.net',
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i,
);
export const webAddress = textThat('an address that begins with https://', isWebAddress);
/** An address of the web over TLS, or none. */
export const secureAddressOrNone = textThat('an address that begins with https://, or empty', text => text === '' || isSecureAddress(text));
/** The name of a whois source: RFC 2622, section 2, with the dot of RADB. */
export const sourceName = matching('a whois source such as RIPE', /^[A-Z][A-Z0-9.-]{0,63}$/);
export const statisticsName = matching('the registry’s name in statistics files, such as ripencc', /^[a-z][a-z0-9-]{1,19}$/);
export const handleSuffix = matching('the end of handles, such as -RIPE', /^-[A-Z][A-Z0-9-]{0,18}$/);
export const maintainerName = matching('the name of a maintainer, such as RIPE-NCC-HM-MNT', /^[A-Z][A-Z0-9_-]{0,78}[A-Z0-9]$/i);
export const economy = matching('a code of ISO 3166 such as AU', /^[A-Z]{2}$/);
/** An economy, or none. */
export const economyOrNone = matching('a code of ISO 3166 such as AU, or empty', /^([A-Z]{2})?$/);
export const timeZone = textThat('a time zone of the IANA database such as Europe/Amsterdam', text => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '' && /^(UTC|[A-Z]\w+\/[\w/+-]+)$/.test(text);
  } catch {
    return false;
  }
});
const currencies = new Set(Intl.supportedValuesOf('currency'));
export const currency = textThat('a currency of ISO 4217 such as EUR', text => currencies.has(text));
const ibanText = textThat('an IBAN such as DE89 3704 0044 0532 0130 00, or empty', text => {
  const signs = text.replaceAll(' ', '');
  if (signs === '') return text === '';
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(signs)) return false;
  const moved = signs.slice(4) + signs.slice(0, 4);
  return Array.from(moved).reduce((rest, sign) => Number(`${rest}${Number.parseInt(sign, 36)}`) % 97, 0) === 1;
});
/** An IBAN (ISO 13616), or none: its check digits are right (ISO 7064, MOD 97-10). Typed with spaces or without them, it has none from here on, as programs take it. */
export const ibanOrNone: Kind<string> = { ...ibanText, read: given => ibanText.read(given)?.replaceAll(' ', '') };
/** A BIC (ISO 9362), or none. */
export const bicOrNone = matching('a BIC such as MARKDEFF, or empty', /^([A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?)?$/);
/** A text of one line, or none. */
export const lineOrNone = textThat('a text of one line, or empty', text => text === '' || isLine(text));
/** A code of the list of schemes of electronic addresses (EAS) whose numbers can be checked. */
export const addressScheme = textThat(`a scheme of electronic addresses: ${checkedSchemes.join(', ')}`, text =>
  checkedSchemes.includes(text),
);
/** An electronic address of Peppol, or none. */
export const electronicAddressOrNone = matching(
  'an electronic address with its scheme such as 0088:7300010000001, or empty',
  /^(\d{4}:[A-Za-z0-9._~-]{1,50})?$/,
);
/** A VAT number with the code of its economy (BR-CO-09), or none. */
export const vatNumberOrNone = matching('a VAT number such as NL123456789B01, or empty', /^([A-Z]{2}[A-Z0-9]{2,20})?$/);
/** How an accounting program names an account. */
export const accountCode = textThat('the code of an account such as 1200', text => isLine(text) && text.length <= 60);
/** An amount of money in the registry's currency. */
export const amount = matching('an amount such as 1000.00', /^\d{1,9}(\.\d{1,2})?$/);
export const share = textThat('a share from 0 to 1 such as 0.10', text => /^[01](\.\d{1,4})?$/.test(text) && Number(text) <= 1);

/** A day of the calendar. */
export const day = textThat(
  'a date such as 2027-01-31',
  text => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && utcDay(text) === text,
);
/** A day, or none. */
export const dayOrNone: Kind<string | null> = {
  kind: 'a date such as 2027-01-31, or null',
  read: given => (given === null ? null : day.read(given)),
};

/** Whether a text is what a parser takes. */
const readBy =
  (parse: (text: string) => unknown) =>
  (text: string): boolean => {
    try {
      parse(text);
      return true;
    } catch {
      return false;
    }
  };
export const prefix = textThat('a prefix such as 103.0.0.0/8', readBy(parsePrefix));
export const resource = textThat('a number resource such as 198.51.100.0/24 or AS64496', readBy(parseResource));
export const reverseZone = textThat('a reverse zone such as 103.in-addr.arpa', readBy(parseReverseZone));

export const whole = (min: number, max: number, of = ''): Kind<number> => ({
  kind: `a whole number${of} from ${min} to ${max.toLocaleString('en')}`,
  read: given => (typeof given === 'number' && Number.isInteger(given) && given >= min && given <= max ? given : undefined),
});
export const days = (min = 0): Kind<number> => whole(min, 3650, ' of days');
/** Days, or null for never. */
export const daysOrNever: Kind<number | null> = {
  kind: 'a whole number of days from 0 to 3,650, or null for never',
  read: given => (given === null ? null : days().read(given)),
};
export const months = (min = 0): Kind<number> => whole(min, 240, ' of months');
/** A prefix length of IPv4. */
export const ipv4Length = whole(8, 32, ' as a prefix length');
/** A prefix length of IPv6. */
export const ipv6Length = whole(12, 64, ' as a prefix length');
/** A value of the policy that changes on a day, or of the brand. */
export const changedName: Kind<PolicyValueName | BrandValueName> = {
  kind: 'the name of a value of the pages Policy and Brand such as requestPolicy.promiseHours',
  read: given => [...policyValueNames, ...brandValueNames].find(name => name === given),
};

/** A colour in which text can be read wherever it stands in a theme, or none. */
export const accentOrNone = (theme: Theme): Kind<string> => ({
  kind: `a colour such as ${nearestReadable(theme === 'light' ? '#0b5cad' : '#7db8ff', theme)} with a contrast of ${leastOfText}:1 on every surface of the ${theme} theme, or empty`,
  read: given => {
    if (given === '') return '';
    const colour = typeof given === 'string' ? readColour(given) : null;
    return colour !== null && isReadable(colour, theme) ? colour : undefined;
  },
});
/** A logo that was uploaded, or none. */
export const logoOrNone = textThat(
  'the name of a logo that was uploaded on the desk’s page Brand, or empty',
  text => text === '' || logoName.test(text),
);
/** A telephone number with its country code, as people write it, or none. */
export const phoneOrNone = textThat(
  'a telephone number with its country code such as +61 7 3858 3100, or empty',
  text => text === '' || isPhone(text),
);
export const yesNo: Kind<boolean> = { kind: 'true or false', read: given => (typeof given === 'boolean' ? given : undefined) };

export const oneOf = <const V extends string>(...values: readonly V[]): Kind<V> => ({
  kind: `one of ${values.join(', ')}`,
  read: given => values.find(each => each === given),
});

/** Several values of a kind. @param most how many at most */
export const listOf = <T>({ kind, read }: Kind<T>, { min = 0, most = MAX_LINES } = {}): Kind<T[]> => ({
  kind: `a list of ${min === 0 ? 'up to' : `${min} to`} ${most} values, each ${kind}`,
  read: given => {
    if (!Array.isArray(given) || given.length < min || given.length > most) return undefined;
    const values = given.map(each => read(each));
    return values.includes(undefined) ? undefined : (values as T[]);
  },
});

/** An object with exactly these fields. */
export const record = <Fields extends Record<string, Kind<unknown>>>(
  fields: Fields,
): Kind<{ [K in keyof Fields]: Fields[K] extends Kind<infer T> ? T : never }> => ({
  kind: `an object with ${Object.entries(fields)
    .map(([name, { kind }]) => `${name} (${kind})`)
    .join(', ')}`,
  read: given => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
    if (Object.keys(given).some(name => !(name in fields))) return undefined;
    const values = Object.entries(fields).map(([name, { read }]) => [name, read((given as Record<string, unknown>)[name])] as const);
    return values.some(([, each]) => each === undefined) ? undefined : (Object.fromEntries(values) as never);
  },
  fields,
});

/** The most of a family that a tier of votes holds. */
const limitOf = (family: string, shortest: number, longest: number): Kind<string> =>
  textThat(`a size of ${family} such as /${shortest + 14}, none or any`, text => {
    const length = Number(/^\/([1-9]\d?)$/.exec(text)?.[1]);
    return text === 'none' || text === 'any' || (length >= shortest && length <= longest);
  });
const tiers = listOf(record({ name: line, ipv4: limitOf('IPv4', 8, 32), ipv6: limitOf('IPv6', 12, 56), votes: whole(1, 100_000) }), {
  min: 1,
});
/** Tiers of votes by holdings: each holds more than the one before, and the last one any size, so that every holding has one. */
export const votingTiers: Kind<VotingTier[]> = {
  kind: `${tiers.kind}; each takes larger holdings than the one before, and only the last one any of both families`,
  read: given => {
    const list = tiers.read(given);
    if (!list || new Set(list.map(({ name }) => name)).size !== list.length) return undefined;
    const limits = list.map(({ ipv4, ipv6 }) => [countUpTo('ipv4', ipv4), countUpTo('ipv6', ipv6)] as const);
    const isLast = ([ipv4, ipv6]: (typeof limits)[number]): boolean => ipv4 === null && ipv6 === null;
    const notLess = (more: bigint | null, less: bigint | null): boolean => more === null || (less !== null && more >= less);
    const inOrder = limits.every((limit, place) => {
      const before = limits[place - 1];
      return isLast(limit) === (place === limits.length - 1) && (!before || (notLess(limit[0], before[0]) && notLess(limit[1], before[1])));
    });
    return inOrder ? list : undefined;
  },
};
