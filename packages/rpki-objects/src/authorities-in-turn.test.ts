import { expect, test } from 'vitest';
import { meshOfAuthorities } from '../test/mesh-of-authorities.ts';
import { cryptography, keyOf, now } from '../test/small-authority.ts';
import { authoritiesInTurn, type PublishedFile, validateAuthority } from './index.ts';

const base = 'rsync://rpki.example/repository/delegated/';
const options = { now, cryptography };
const keys = Array.from({ length: 8 }, () => keyOf());

function validated(count: number, limits = {}): string[] {
  const { files, first } = meshOfAuthorities(keys.slice(0, count), base);
  const published = new Map<string, PublishedFile>([...files].map(([uri, bytes]) => [uri, { bytes, sha256: cryptography.sha256(bytes) }]));
  const turns = authoritiesInTurn([first], limits);
  const names: string[] = [];
  for (let authority = turns.next(); authority; authority = turns.next()) {
    const { authorities, problems } = validateAuthority(authority, published, options);
    expect(problems).toEqual([]);
    names.push(authority.subject);
    turns.below(authority, authorities);
  }
  return names;
}

test('CAs that certify each other are validated once each', () => {
  expect(validated(2).toSorted()).toEqual(
    keys
      .slice(0, 2)
      .map(({ name }) => name)
      .toSorted(),
  );
  expect(new Set(validated(8)).size).toBe(8);
  expect(validated(8)).toHaveLength(8);
});

test('more CAs than may be are refused, and so are more levels', () => {
  expect(() => validated(8, { maxAuthorities: 7 })).toThrow('There are more than 7 CAs');
  expect(() => validated(2, { maxLevels: 0 })).toThrow('There are more than 0 levels of CAs');
});
