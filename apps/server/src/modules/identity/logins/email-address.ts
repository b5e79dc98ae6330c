const LONGEST = 254;
const LONGEST_NAME = 64;

/**
 * Why an e-mail address is not accepted, as a sentence for the person (specification, section 5); null when it is. Mail programs and whois carry
 * English letters only, so addresses of RFC 6531 are refused.
 */
export function emailAddressProblem(text: string): string | null {
  const [name = '', host = '', ...more] = text.split('@');
  const shaped = more.length === 0 && /^[^\s,;<>()"]+$/.test(name) && /^[^\s,;<>()"]+\.[^\s,;<>()".]{2,}$/.test(host);
  if (!shaped || /^\.|\.$|\.\./.test(name) || text.length > LONGEST || name.length > LONGEST_NAME)
    return 'Enter a valid email address, such as name@example.net.';
  if (!/^[!-~]+$/.test(text)) return 'This must be a valid email in English.';
  const labels = host.split('.');
  if (!labels.every(label => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)))
    return 'Enter a valid email address, such as name@example.net.';
  return null;
}
