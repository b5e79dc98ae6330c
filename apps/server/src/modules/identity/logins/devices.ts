/** A kind of browser or system and its name in the User-Agent; the first match counts, because most claim to be others too. */
type Kind = readonly [name: string, sign: RegExp];

const browsers: readonly Kind[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/\d/],
  ['Opera', /\b(?:OPR|OPT|Opera)\/\d/],
  ['Samsung Internet', /\bSamsungBrowser\/\d/],
  ['Vivaldi', /\bVivaldi\/\d/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/\d/],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\/\d/],
  ['Safari', /\bVersion\/\d[\d.]* .*\bSafari\/\d/],
  ['curl', /^curl\/\d/],
];

const systems: readonly Kind[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b|\bMac OS X\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
];

const named = (kinds: readonly Kind[], userAgent: string): string | undefined => kinds.find(([, sign]) => sign.test(userAgent))?.[0];

/** A device in words by its User-Agent (RFC 9110, 10.1.5), such as `Firefox on Linux`: without versions, so that an update is no new device. */
export function deviceOf(userAgent: string | null | undefined): string {
  if (!userAgent) return 'Unknown device';
  const browser = named(browsers, userAgent);
  const system = named(systems, userAgent);
  if (browser && system) return `${browser} on ${system}`;
  if (browser) return browser;
  return system ? `A browser on ${system}` : 'Unknown device';
}
