import { expect, test } from 'vitest';
import { unkeptTextIn } from './unkept-text.ts';

test('a text that can’t be stored is reported by its place, at any depth', () => {
  expect(unkeptTextIn({ a: [{ b: 'x\0' }] }, 'body')).toMatchObject({ field: 'a.0.b' });
  expect(unkeptTextIn('\ud800', 'body')).toMatchObject({ field: 'body' });
  expect(unkeptTextIn({ a: ['x'] }, 'body')).toBeNull();
});

test('bytes are not text, and are not scanned', () => {
  const bytes = Object.defineProperty(Buffer.from('x\0'), 'looked', {
    enumerable: true,
    get() {
      throw new Error('It was looked at');
    },
  });
  expect(unkeptTextIn(bytes, 'body')).toBeNull();
  expect(unkeptTextIn({ file: Buffer.from('\0') }, 'body')).toBeNull();
});
