import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config.ts';
import { derivedKeys } from '../secret-box.ts';

/** Values that a browser carries and can't change: written and read by every web process, without asking. */
export type SignedValues<Value> = {
  write: (value: Value) => string;
  /** Returns what was written; null for anything else. */
  read: (written: unknown) => Value | null;
};

/** @param purpose values of one purpose aren't those of another */
export function openSignedValues<Value>(config: Pick<Config, 'secretKey' | 'secretKeyOld'>, purpose: string): SignedValues<Value> {
  const keys = derivedKeys(config, purpose);
  const sign = (key: Buffer, payload: string): Buffer => createHmac('sha256', key).update(payload).digest();
  return {
    write: value => {
      const payload = Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${payload}.${sign(keys[0], payload).toString('base64url')}`;
    },
    read: written => {
      const [payload, signature, ...more] = typeof written === 'string' ? written.split('.') : [];
      if (!payload || !signature || more.length > 0) return null;
      const given = Buffer.from(signature, 'base64url');
      const isOurs = keys.some(key => {
        const expected = sign(key, payload);
        return expected.length === given.length && timingSafeEqual(expected, given);
      });
      return isOurs ? (JSON.parse(Buffer.from(payload, 'base64url').toString()) as Value) : null;
    },
  };
}
