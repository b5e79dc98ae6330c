/** Messages of the DNS (RFC 1035). Names are lower case ASCII without a final dot; the root is the empty string. */

/** A name in wire format, without compression. @throws RangeError for labels and names that are too long */
export function wireNameOf(name: string): Buffer {
  const plain = name.replace(/\.$/, '');
  if (plain === '') return Buffer.from([0]);
  const parts = plain.split('.').map(label => {
    const bytes = Buffer.from(label, 'latin1');
    if (bytes.length === 0 || bytes.length > 63) throw new RangeError(`${name} has a label of ${bytes.length} characters`);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  const wire = Buffer.concat([...parts, Buffer.from([0])]);
  if (wire.length > 255) throw new RangeError(`${name} is longer than 255 bytes`);
  return wire;
}
