/** Values of `auth` that are not secret: the portal, or the id of a key. */
const harmless = /^(?:portal|pgpkey-[0-9a-f]{8}|x509-\d+|auto-\d+)$/i;
/** Methods of older software; their names are kept, without the secret. */
const schemes = /^(?:none|mail-from|(?:crypt|md5|bcrypt)-pw|sso)\b/i;
const authLine = /^(\s*(?:auth|\*at)\s*:)(.*)$/i;
const continues = /^[ \t+]/;

type Line = { text: string; isSecret: boolean; masked: string };

/** The lines of a text; a line that begins with a blank or a plus belongs to the attribute before it (RFC 2622 section 2). */
function linesOf(text: string): Line[] {
  let isAuth = false;
  return text.split('\n').map(line => {
    const found = authLine.exec(line);
    if (found) {
      isAuth = true;
      const [, name = '', rest = ''] = found;
      const value = rest.replace(/#.*/s, '').trim();
      if (value === '' || harmless.test(value)) return { text: line, isSecret: false, masked: line };
      const scheme = schemes.exec(value)?.[0] ?? '';
      const isNamed = scheme.length === value.length;
      return {
        text: line,
        isSecret: !isNamed,
        masked: `${name} ${scheme}${isNamed ? rest.slice(rest.indexOf(scheme) + scheme.length) : ' # Filtered'}`,
      };
    }
    if (isAuth && continues.test(line) && line.slice(1).trim() !== '') return { text: line, isSecret: true, masked: '+' };
    isAuth &&= continues.test(line);
    return { text: line, isSecret: false, masked: line };
  });
}

/** Returns whether a text of objects holds a password or a hash in an `auth` line. */
export const holdsAuthSecret = (text: string): boolean => linesOf(text).some(({ isSecret }) => isSecret);

/**
 * Masks the secrets in the `auth` lines of a text, keeping every line. Such values are never accepted, so no storable content is lost; the refusal
 * still names the method that was used.
 */
export const withoutAuthSecrets = (text: string): string =>
  linesOf(text)
    .map(({ masked }) => masked)
    .join('\n');

/** The same for one value of `auth`, without its name. */
export const withoutAuthSecret = (value: string): string =>
  withoutAuthSecrets(`auth: ${value}`)
    .replace(/^auth: ?/, '')
    .replace(/ *# Filtered$/, '');
