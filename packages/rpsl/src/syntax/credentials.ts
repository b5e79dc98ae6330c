import { quote } from '../problem.ts';
import { right, type Syntax, wrong } from './reading.ts';

/**
 * Credentials of a maintainer: `PORTAL` for the accounts linked to it. The id of a key-cert object is taken as well, for reference: nothing here reads
 * signatures, so messages don't suggest it.
 * Hashed passwords are no longer accepted; reading old objects reports `password-hash` separately, so that they can be loaded.
 */
export const readAuth: Syntax = value => {
  if (/^portal$/i.test(value)) return right('PORTAL');
  const key = /^(pgpkey-[0-9a-f]{8}|x509-[1-9]\d{0,19})$/i.exec(value);
  if (key) return right(value.toUpperCase());
  if (/^(crypt-pw|md5-pw|bcrypt-pw)\b/i.test(value))
    return wrong('password-hash', 'Passwords are no longer supported. Enter PORTAL, and link the maintainer to your account');
  return wrong('not-an-auth', `${quote(value)} isn’t supported. Enter PORTAL`);
};

/** `PGPKEY-` and eight hexadecimal digits; `X509-` and a number in what another registry kept. */
export const readKeyCert: Syntax = value =>
  /^(pgpkey-[0-9a-f]{8}|x509-[1-9]\d{0,19})$/i.test(value)
    ? right(value.toUpperCase())
    : wrong(
        'not-a-key-id',
        `${quote(value)} is not the id of a key. Enter PGPKEY- and the last eight hexadecimal digits of an OpenPGP key`,
      );
