import { isEmail } from '../email.ts';
import { isReadable, contrasts, leastOfText, nearestReadable, readColour } from './brand-colours.ts';
import { accentThemes, type BrandValueName, brandRow, isAccent, logoName } from './brand-values.ts';

/** Whether a text is one line: without spaces at its ends, and without signs that can't be seen. */
export const isLine = (text: string): boolean => text.trim() === text && text !== '' && !/[\p{Cc}\p{Cf}]/u.test(text);

/** Whether a text is an address as it is written (RFC 3986): nothing that a parser would drop or a reader can't see, and no user before the host, which looks like another host. */
function isAddress(text: string): boolean {
  if (/[\s\p{Cc}\p{Cf}"<>\\^`{|}]/u.test(text) || !URL.canParse(text)) return false;
  const { host, username, password } = new URL(text);
  return host !== '' && username === '' && password === '';
}
/** Whether a text is an address of the web. */
export const isWebAddress = (text: string): boolean => /^https?:\/\//.test(text) && isAddress(text);
/** Whether a text is an address of the web over TLS. */
export const isSecureAddress = (text: string): boolean => text.startsWith('https://') && isAddress(text);

/** Whether a text is a telephone number with its country code, as people write it. */
export const isPhone = (text: string): boolean => /^\+[1-9](?:[ ().-]?\d){5,17}$/.test(text);

/** The rule of each value that isn't empty: for the profile file, the server and the form. */
const rules: Readonly<Record<BrandValueName, (text: string) => boolean>> = {
  registryName: isLine,
  portalName: isLine,
  supportEmail: isEmail,
  supportPhone: isPhone,
  whoisTermsUrl: isWebAddress,
  privacyUrl: isSecureAddress,
  legalUrl: isSecureAddress,
  helpUrl: isSecureAddress,
  logoLight: text => logoName.test(text),
  logoDark: text => logoName.test(text),
  accentLight: text => isColourFor('light', text),
  accentDark: text => isColourFor('dark', text),
};

const isColourFor = (theme: 'light' | 'dark', text: string): boolean => {
  const colour = readColour(text);
  return colour !== null && isReadable(colour, theme);
};

/** Says why a colour can't be the accent, and which one could. */
export function colourProblem(name: keyof typeof accentThemes, text: string): string {
  const theme = accentThemes[name];
  const colour = readColour(text);
  if (colour === null) return `Enter a colour, such as ${nearestReadable(theme === 'light' ? '#0b5cad' : '#7db8ff', theme)}`;
  const { ratio } = contrasts(colour, theme)[0]!;
  return `Text in ${colour} has a contrast of ${(Math.floor(ratio * 100) / 100).toFixed(2)}:1 in the ${theme} theme, and needs ${leastOfText}:1. The nearest colour that passes is ${nearestReadable(colour, theme)}`;
}

/**
 * Says what a value of the brand has to be; null where it can be as it is.
 * @param bounds the end of a sentence: `an e-mail address`, as the profile file says it
 */
export function brandProblem(name: BrandValueName, text: string, bounds: string): string | null {
  const { title, most = Number.POSITIVE_INFINITY, ifEmpty } = brandRow(name);
  if (Array.from(text).length > most) return `${title}: use at most ${most} characters`;
  if (text === '' ? ifEmpty !== undefined : rules[name](text)) return null;
  return isAccent(name) ? colourProblem(name, text) : `${title}: enter ${bounds.replace(/, or empty$/, ', or leave it empty')}`;
}
