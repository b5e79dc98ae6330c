import { parseObject, printObject, type RpslObject } from '@portal/rpsl';

/** An object without what stands around it, as `checkSyntax` leaves it. */
export const plain = ({ class: objectClass, attributes }: RpslObject): RpslObject => ({ class: objectClass, attributes });

/** An object as it goes to the thread and back: a text is copied as a whole, thousands of attributes one by one. */
export const sent = (object: RpslObject): { text: string; lines: Int32Array } => ({
  text: printObject(plain(object)),
  lines: Int32Array.from(object.attributes, ({ line }) => line),
});

/** The other end of `sent`. */
export function received(text: string, lines: Int32Array): RpslObject {
  const { class: objectClass, attributes } = parseObject(text).object!;
  // They were made just now, and no one else has them.
  for (const [place, attribute] of attributes.entries()) (attribute as { line: number }).line = lines[place]!;
  return { class: objectClass, attributes };
}
