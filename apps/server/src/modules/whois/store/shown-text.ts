import { parseObject, printObject, publicText, type RpslObject } from '@portal/rpsl';

/** Credentials of a maintainer that may be shown: the portal, or the name of a key. Hashes of older methods are hidden from their owner too. */
const harmless = /^(?:portal|pgpkey-[0-9a-f]{8}|x509-\d+)$/i;

/** The text of an object as its own maintainers see it: everything but its credentials. */
export function shownText(text: string): string {
  if (!/^(?:auth|\*at)\s*:/im.test(text)) return text;
  const { object } = parseObject(text);
  return object ? printObject(withoutSecrets(object)) : '';
}

const withoutSecrets = (object: RpslObject): RpslObject => ({
  ...object,
  attributes: object.attributes.filter(({ name, value }) => name !== 'auth' || harmless.test(value)),
});

/** The text of an object as anyone who is signed in sees it: as at port 43, without attributes that are private and the values of `auth`. */
export const textForOthers = (text: string): string => publicText(text);
