import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const attribute = (element: string, name: string): string => new RegExp(`${name}="([^"]*)"`).exec(element)?.[1] ?? '';

/**
 * A strict client of RRDP (RFC 8182, section 3.4; RFC 9697) that reads the files as they are published: any hash that differs, serial that is used again,
 * delta that is missing and snapshot that says something else than the deltas fails the test.
 */
export function rrdpClient(folder: string, base: string) {
  let session = '';
  let serial = 0;
  const files = new Map<string, Buffer>();
  const seen = new Map<string, string>();
  const read = async (uri: string, hash: string): Promise<string> => {
    expect(uri.startsWith(base)).toBe(true);
    const bytes = await readFile(path.join(folder, uri.slice(base.length)));
    expect(sha256(bytes), `${uri} has the hash that the notification names`).toBe(hash);
    return bytes.toString();
  };
  const apply = (delta: string): void => {
    for (const [element, , body] of delta.matchAll(/<(publish|withdraw) [^>]*?(?:\/>|>([^<]*)<\/publish>)/g)) {
      const [uri, hash] = [attribute(element, 'uri'), attribute(element, 'hash')];
      const present = files.get(uri);
      expect(hash, `${uri} is replaced by what it was`).toBe(present ? sha256(present) : '');
      if (element.startsWith('<withdraw')) files.delete(uri);
      else files.set(uri, Buffer.from(body!, 'base64'));
    }
  };
  const filesIn = (snapshot: string): Map<string, Buffer> =>
    new Map(
      [...snapshot.matchAll(/<publish uri="([^"]*)">([^<]*)<\/publish>/g)].map(([, uri, body]) => [uri!, Buffer.from(body!, 'base64')]),
    );
  return {
    files,
    version: () => ({ session, serial }),
    /** Fetches what is new. Answers whether there was anything. */
    update: async (): Promise<boolean> => {
      const notification = (await readFile(path.join(folder, 'notification.xml'))).toString();
      const head = /<notification [^>]*>/.exec(notification)![0];
      const at = { session: attribute(head, 'session_id'), serial: Number(attribute(head, 'serial')) };
      const snapshotElement = /<snapshot [^>]*>/.exec(notification)![0];
      const deltas = [...notification.matchAll(/<delta [^>]*>/g)].map(([element]) => ({
        serial: Number(attribute(element, 'serial')),
        uri: attribute(element, 'uri'),
        hash: attribute(element, 'hash'),
      }));
      deltas.forEach((delta, place) => expect(delta.serial, 'no hole among the deltas').toBe(at.serial - place));
      for (const delta of deltas) {
        const id = `${at.session} ${delta.serial}`;
        expect(seen.get(id) ?? delta.hash, `serial ${delta.serial} is not used twice`).toBe(delta.hash);
        seen.set(id, delta.hash);
      }
      const isNew = at.session !== session || at.serial !== serial;
      if (at.session === session) {
        expect(at.serial, 'serials only grow').toBeGreaterThanOrEqual(serial);
        const missed = deltas.filter(delta => delta.serial > serial).reverse();
        if (missed.length === at.serial - serial) for (const { uri, hash } of missed) apply(await read(uri, hash));
        else serial = 0;
      } else serial = 0;
      const whole = filesIn(await read(attribute(snapshotElement, 'uri'), attribute(snapshotElement, 'hash')));
      if (serial === 0) {
        files.clear();
        for (const [uri, bytes] of whole) files.set(uri, bytes);
      }
      expect([...files.keys()].sort(), 'deltas and snapshot list the same files').toEqual([...whole.keys()].sort());
      for (const [uri, bytes] of whole) expect(sha256(files.get(uri)!), uri).toBe(sha256(bytes));
      ({ session, serial } = at);
      return isNew;
    },
  };
}
