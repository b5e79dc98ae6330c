/** Values of `auth` that are not secret: the portal, or the id of a key. */
const harmless = /^(?:portal|pgpkey-[0-9a-f]{8}|x509-\d+|auto-\d+)$/i;
/** Methods of older software; their names are kept, without the secret. */
const schemes = /^(?:none|mail-from|(?:crypt|md5|bcrypt)-pw|sso)\b/i;
const authLine = /^(\s*(?:auth|\*at)\s*:)(.*)$/i;
const continues = /^[ \t+]/;

type Masked = { start: number; end: number; isSecret: boolean; masked: string };

/** The lines of a text that are written otherwise without secrets, in their order; a line that begins with a blank or a plus belongs to the attribute before it (RFC 2622 section 2). */
function maskedLines(text: string): Masked[] {
  const lines: Masked[] = [];
  let isAuth = false;
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    // Most lines begin with another letter, and are not looked at any further.
    const found = mayBeAuth(text, start, end) ? authLine.exec(text.slice(start, end)) : null;
    if (found) {
      isAuth = true;
      const [, name = '', rest = ''] = found;
      const value = rest.replace(/#.*/s, '').trim();
      if (value !== '' && !harmless.test(value)) {
        const scheme = schemes.exec(value)?.[0] ?? '';
        const isNamed = scheme.length === value.length;
        const masked = `${name} ${scheme}${isNamed ? rest.slice(rest.indexOf(scheme) + scheme.length) : ' # Filtered'}`;
        lines.push({ start, end, isSecret: !isNamed, masked });
      }
    } else if (isAuth) {
      const line = text.slice(start, end);
      if (!continues.test(line)) isAuth = false;
      else if (line.slice(1).trim() !== '') lines.push({ start, end, isSecret: true, masked: '+' });
    }
    start = end + 1;
  }
  return lines;
}

/** Returns whether a line begins, behind blanks, as `auth` or its short name does. */
function mayBeAuth(text: string, start: number, end: number): boolean {
  if (start === end) return false;
  const [first, second] = [text[start]!, text[start + 1]];
  if (first === 'a' || first === 'A') return second === 'u' || second === 'U';
  if (first === '*') return second === 'a' || second === 'A';
  return first.trim() === '' && /^\s*(?:au|\*a)/i.test(text.slice(start, end));
}

/** Returns whether a text of objects holds a password or a hash in an `auth` line. */
export const holdsAuthSecret = (text: string): boolean => maskedLines(text).some(({ isSecret }) => isSecret);

/**
 * Masks the secrets in the `auth` lines of a text, keeping every line. Such values are never accepted, so no storable content is lost; the refusal
 * still names the method that was used.
 */
export function withoutAuthSecrets(text: string): string {
  let [cleaned, done] = ['', 0];
  for (const { start, end, masked } of maskedLines(text)) {
    cleaned += text.slice(done, start) + masked;
    done = end;
  }
  return cleaned + text.slice(done);
}

/** The same for one value of `auth`, without its name. */
export const withoutAuthSecret = (value: string): string =>
  withoutAuthSecrets(`auth: ${value}`)
    .replace(/^auth: ?/, '')
    .replace(/ *# Filtered$/, '');
