/**
 * A ROA and what it makes of announcements of its prefix and the parts of that, by their length: valid up to the maximum length, invalid beyond it.
 * @property prefix of IPv4, such as `198.18.40.0/22`
 */
export type RoaPicture = {
  asn: string;
  prefix: string;
  maxLength: number;
  rows: readonly { length: number; parts: readonly string[]; isValid: boolean }[];
};

/** Lengths beyond that of the prefix that are drawn at most: four times the parts each. */
const MAX_DEEPER = 2;

/** The parts of an IPv4 prefix of a length: `198.18.40.0/23`, `198.18.42.0/23`. */
function partsOf(address: number, from: number, length: number): string[] {
  return Array.from({ length: 2 ** (length - from) }, (_, place) => {
    const first = address + place * 2 ** (32 - length);
    return `${[24, 16, 8, 0].map(shift => Math.floor(first / 2 ** shift) % 256).join('.')}/${length}`;
  });
}

/** Reads a line such as `AS64500 198.18.40.0/22 up to /23`. @throws Error with the end of a sentence that says what it must be */
export function readRoaPicture(line: string): RoaPicture {
  const [, asn, address, from, to] = /^(AS\d{1,10}) (\d{1,3}(?:\.\d{1,3}){3})\/(\d\d?) up to \/(\d\d?)$/.exec(line.trim()) ?? [];
  const [length, maxLength] = [Number(from), Number(to)];
  if (asn === undefined || address === undefined || maxLength < length || maxLength >= length + MAX_DEEPER || maxLength > 31)
    throw new Error(`“${line}” must be a ROA such as AS64500 198.18.40.0/22 up to /23, of at most one bit more`);
  const first = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  if (first % 2 ** (32 - length) !== 0) throw new Error(`${address} must be the first address of a /${length}`);
  return {
    asn,
    prefix: `${address}/${length}`,
    maxLength,
    rows: Array.from({ length: maxLength - length + 2 }, (_, deeper) => ({
      length: length + deeper,
      parts: partsOf(first, length, length + deeper),
      isValid: length + deeper <= maxLength,
    })),
  };
}

/** The picture in words, for those who don’t see it. */
export const roaPictureInWords = ({ asn, prefix, maxLength, rows }: RoaPicture): string =>
  `A ROA allows ${asn} to announce ${prefix} up to /${maxLength}. ${rows
    .map(({ length, isValid }) => `An announced /${length} is ${isValid ? 'valid' : 'invalid: too long'}.`)
    .join(' ')}`;
