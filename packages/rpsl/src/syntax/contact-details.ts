import { quote } from '../problem.ts';
import { right, type Syntax, wrong } from './reading.ts';

const localPart = /^(?:[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*|"(?:[^"\\]|\\.)+")$/i;
const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** An address of at most 80 characters whose domain has a dot; a domain in another script becomes punycode (RFC 5890). */
export const readEmail: Syntax = value => {
  const at = value.lastIndexOf('@');
  if (at < 1) return wrong('not-an-email', `${quote(value)} is not an e-mail address. Enter one such as noc@example.net`);
  const local = value.slice(0, at);
  const domain = value.slice(at + 1);
  // oxlint-disable-next-line no-control-regex -- ASCII is what is meant
  if (/[^\x00-\x7f]/.test(local))
    return wrong(
      'not-an-email',
      `${quote(value)} has letters before the @ that some mail systems refuse. Use Latin letters and digits there`,
    );
  if (local.length > 64 || !localPart.test(local))
    return wrong('not-an-email', `The part before the @ of ${quote(value)} is not one of an e-mail address`);
  const ascii = toAscii(domain);
  if (ascii === undefined || !ascii.includes('.') || !ascii.split('.').every(label => hostLabel.test(label)))
    return wrong('not-an-email', `${quote(domain)} isn’t a mail domain. Enter a name with a dot after the @, such as example.net`);
  const canonical = `${local}@${ascii}`;
  return canonical.length > 80
    ? wrong('email-too-long', `This e-mail address has ${canonical.length} characters, the longest may have 80`)
    : right(canonical);
};

/** `+61 7 3858 3100 ext. 1`: plus, country code and number with blanks, dots, hyphens and one pair of brackets; at most 30 characters. */
export const readPhone: Syntax = value => {
  if (value.length > 30) return wrong('phone-too-long', `${quote(value)} has ${value.length} characters, a telephone number may have 30`);
  if (!value.startsWith('+'))
    return wrong('not-a-phone', `${quote(value)} does not start with + and the country code, such as +61 7 5550 0100`);
  return /^\+\d[\d .-]*(?:\([\d .-]+\)[\d .-]*)?(?: *ext\.? *\d+)?$/i.test(value) && /\d\D*\d/.test(value)
    ? right(value)
    : wrong(
        'not-a-phone',
        `${quote(value)} is not a telephone number. Enter digits with blanks, dots or hyphens, such as +61 7 5550 0100 ext. 1`,
      );
};

/** A person's name has 2 to 10 words, a role's up to 30; two of them start with a letter. ASCII, because names are searched for. */
export const readPersonName: Syntax = (value, object) => {
  // oxlint-disable-next-line no-control-regex -- ASCII is what is meant
  if (/[^\x20-\x7e]/.test(value))
    return wrong(
      'not-ascii',
      `${quote(value)} has letters that cannot be searched for. Enter the name in Latin letters; remarks can have other scripts`,
    );
  const words = value.split(/\s+/);
  const most = object.class === 'role' ? 30 : 10;
  if (words.length < 2 || words.length > most)
    return wrong(
      'not-a-name',
      `${quote(value)} has ${words.length} ${words.length === 1 ? 'word' : 'words'}; a name here has 2 to ${most}`,
    );
  const bad = words.find(word => word.length > 64 || !/^[A-Za-z0-9._"*()@,&:!'`+/-]+$/.test(word));
  if (bad !== undefined) return wrong('not-a-name', `${quote(bad)} can’t be in a name. Use letters, digits and common signs`);
  return words.filter(word => /^["'(]?[a-z]/i.test(word)).length < 2
    ? wrong('not-a-name', `At least two words of a name start with a letter; ${quote(value)} has fewer`)
    : right(value);
};

/** 1 to 12 words (RIPE takes 30) of up to 64 letters, digits and common signs. */
export const readOrganisationName: Syntax = value => {
  const words = value.split(/\s+/);
  if (words.length > 12) return wrong('name-too-long', `The name has ${words.length} words, an organisation's may have 12`);
  const bad = words.find(word => word.length > 64 || !/^[A-Za-z0-9._"*()@,&:!'`+/-]+$/.test(word));
  return bad === undefined
    ? right(value)
    : wrong(
        'not-a-name',
        `${quote(bad)} can’t be in an organisation’s name. Use Latin letters, digits and the signs . _ " * ( ) @ , & : ! ' \` + / -, and 64 of them a word at most`,
      );
};

function toAscii(domain: string): string | undefined {
  if (/^[\w.-]+$/.test(domain)) return domain;
  // The URL parser does IDNA (UTS 46) in Node and browsers; characters with a meaning in URLs must not reach it.
  // oxlint-disable-next-line no-control-regex -- ASCII characters are meant
  if (/[\x00-\x2c\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]/.test(domain) || !URL.canParse(`http://${domain}`)) return undefined;
  return new URL(`http://${domain}`).hostname;
}
