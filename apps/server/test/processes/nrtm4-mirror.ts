import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { parseObject } from '@portal/rpsl';
import { compactVerify, importSPKI } from 'jose';
import { expect } from 'vitest';
import { notificationName } from '../../src/modules/mirrors/nrtm4.ts';
import { identityOf } from '../../src/modules/whois/store/syntax.ts';

type Get = (name: string) => Promise<{ status: number; body: Buffer; cacheControl: string | null }>;
type NamedFile = { version: number; url: string; hash: string };
/** Fields of an update notification file that a mirror reads. */
type Notification = {
  timestamp: string;
  next_signing_key?: string;
  session_id: string;
  version: number;
  snapshot: NamedFile;
  deltas: NamedFile[];
};

/** Returns the payload of a JWS, verified by an independent library; null if this key did not sign it. */
export async function verifiedNotification(jws: string, pem: string): Promise<Notification | null> {
  try {
    const { payload, protectedHeader } = await compactVerify(jws, await importSPKI(pem, 'ES256'));
    expect(protectedHeader.alg).toBe('ES256');
    return JSON.parse(new TextDecoder().decode(payload)) as Notification;
  } catch {
    return null;
  }
}

/** A mirror of EXAMPLE as RFC 10063 describes one: it verifies files, and continues from its state. A hole among the deltas, a file that isn’t what was signed, or the deletion of what isn’t there fails the test. */
export class Nrtm4Mirror {
  objects = new Map<string, string>();
  session = '';
  version = 0;
  key: string;
  next: string | null = null;
  loads = 0;
  readonly #get: Get;
  /** @param get reads a file of `/nrtm4/EXAMPLE/` @param key public key, PEM */
  constructor(get: Get, key: string) {
    this.#get = get;
    this.key = key;
  }

  async #file({ url, hash }: { url: string; hash: string }): Promise<Record<string, string>[]> {
    const { status, body, cacheControl } = await this.#get(url);
    expect(status, url).toBe(200);
    expect(cacheControl).toContain('immutable');
    expect(createHash('sha256').update(body).digest('hex'), url).toBe(hash);
    const texts = gunzipSync(body).toString().split('\u001e').slice(1);
    return texts.map(text => JSON.parse(text) as Record<string, string>);
  }

  async read(): Promise<Notification> {
    const { body, cacheControl } = await this.#get(notificationName);
    expect(cacheControl).toBe('public, max-age=60');
    const jws = body.toString();
    let notification = await verifiedNotification(jws, this.key);
    if (notification === null && this.next !== null) {
      this.key = this.next;
      notification = await verifiedNotification(jws, this.key);
    }
    if (notification === null) throw new Error('The signature of the notification is not of a key this mirror knows');
    this.next = notification.next_signing_key ?? null;
    const versions = notification.deltas.map(({ version }) => version);
    expect(versions).toEqual(versions.map((_, index) => versions[0]! + index));
    expect(notification.version).toBe(Math.max(notification.snapshot.version, versions.at(-1) ?? 0));
    if (notification.session_id !== this.session || (this.version < notification.version && !versions.includes(this.version + 1)))
      await this.#load(notification);
    for (const delta of notification.deltas) if (delta.version === this.version + 1) await this.#apply(notification, delta);
    expect(this.version).toBe(notification.version);
    return notification;
  }

  async #load(notification: Notification): Promise<void> {
    this.loads++;
    const [head, ...records] = await this.#file(notification.snapshot);
    expect(head).toEqual({
      nrtm_version: 4,
      type: 'snapshot',
      source: 'EXAMPLE',
      session_id: notification.session_id,
      version: notification.snapshot.version,
    });
    this.objects = new Map(records.map(({ object }) => [Nrtm4Mirror.nameOf(object!), object!]));
    this.session = notification.session_id;
    this.version = notification.snapshot.version;
  }

  async #apply(notification: Notification, delta: NamedFile): Promise<void> {
    const [head, ...changes] = await this.#file(delta);
    expect(head).toEqual({
      nrtm_version: 4,
      type: 'delta',
      source: 'EXAMPLE',
      session_id: notification.session_id,
      version: delta.version,
    });
    expect(changes.length).toBeGreaterThan(0);
    for (const { action, object, object_class, primary_key } of changes) {
      if (action === 'add_modify') this.objects.set(Nrtm4Mirror.nameOf(object!), object!);
      else expect(this.objects.delete(`${object_class} ${primary_key!.toLowerCase()}`)).toBe(true);
    }
    this.version = delta.version;
  }

  static nameOf(text: string): string {
    const { class: name, key } = identityOf(parseObject(text).object!)!;
    return `${name} ${key}`;
  }
}
