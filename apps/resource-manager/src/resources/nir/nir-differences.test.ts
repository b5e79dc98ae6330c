import { expect, it } from 'vitest';
import { asFile, asImport, compareLists, readList, type Registered } from './nir-differences.ts';

const registered = (resource: string, given: Partial<Registered> = {}): Registered => ({
  resource,
  subaccountId: '1',
  subaccount: 'NORTH-ZZ',
  netname: 'NORTH-1',
  type: 'assigned',
  ...given,
});
const listOf = (...lines: string[]) => {
  const list = readList(['subaccount,resource,kind,netname', ...lines].join('\n'));
  if ('problem' in list) throw new Error(list.problem);
  return list.rows;
};
const aboutOf = (lines: string[], ours: Registered[]) => {
  const { same, differences } = compareLists(listOf(...lines), ours);
  return { same, about: differences.map(each => each.about) };
};

it('a delegation with the same numbers and details is the same, however the list writes it', () => {
  const ours = [registered('198.19.32.0/24'), registered('2001:db8::/32'), registered('AS64505', { netname: '' })];
  const lines = ['north-zz,198.19.32.0 - 198.19.32.255,Assigned,north-1', '"NORTH-ZZ",2001:0db8::/32,,', 'NORTH-ZZ,64505,,'];
  expect(aboutOf(lines.slice(0, 2), ours.slice(0, 2))).toEqual({ same: 2, about: [] });
  expect(aboutOf(['NORTH-ZZ,AS64505,,'], ours.slice(2))).toEqual({ same: 1, about: [] });
});

it('what only one of the two has is a difference, and so are other details', () => {
  const ours = [registered('198.19.32.0/24'), registered('198.19.33.0/24')];
  expect(aboutOf(['NORTH-ZZ,198.19.32.0/24,,', 'NORTH-ZZ,198.19.40.0/24,,'], ours)).toEqual({
    same: 1,
    about: ['missing-here', 'missing-there'],
  });
  const { differences } = compareLists(listOf('SOUTH-ZZ,198.19.32.0/24,allocated,NORTH-2', 'NORTH-ZZ,198.19.33.0/24,,'), ours);
  expect(differences).toMatchObject([{ about: 'fields', fields: ['subaccount', 'netname', 'kind'] }]);
});

it('numbers with other ends are one difference, which names all that they meet at the registry', () => {
  const ours = ['198.19.31.0/24', '198.19.32.0/24', '198.19.33.0/24', '198.19.34.0/24'].map(resource => registered(resource));
  const { differences } = compareLists(listOf('NORTH-ZZ,198.19.32.0/23,,', 'NORTH-ZZ,198.19.34.0/25,,'), ours);
  expect(
    differences.map(each => [each.about, ...('registered' in each ? [each.registered].flat().map(({ resource }) => resource) : [])]),
  ).toEqual([
    ['range', '198.19.32.0/24', '198.19.33.0/24'],
    ['range', '198.19.34.0/24'],
    ['missing-there', '198.19.31.0/24'],
  ]);
});

it('a row that can’t be read or is listed twice says so, with its line', () => {
  const { differences, same } = compareLists(listOf('NORTH-ZZ,198.19.32.1/24,,', 'NORTH-ZZ,,,', 'NORTH-ZZ,AS1,,', 'NORTH-ZZ,AS1,,'), [
    registered('AS1', { netname: '' }),
  ]);
  expect(same).toBe(1);
  expect(differences.map(each => (each.about === 'unread' ? [each.listed.line, each.problem] : each.about))).toEqual([
    [2, expect.stringContaining('198.19.32.0/24')],
    [3, 'Enter a prefix, range or AS number'],
    [5, 'It is listed before, in line 4'],
  ]);
});

it('a list without the columns that are needed, or without rows, is refused', () => {
  expect(readList('name,prefix\nA,B')).toMatchObject({ problem: expect.stringContaining('Missing: subaccount, resource') });
  expect(readList('subaccount,resource\n')).toEqual({ problem: 'There are no rows below the first line' });
});

it('differences become a file, and what the registry lacks one that can be imported', () => {
  const list = listOf('NORTH-ZZ,198.19.32.0/24,assigned,NORTH-1');
  const { differences } = compareLists(list, [registered('AS1', { netname: '' })]);
  expect(asImport(list)).toBe('subaccount,resource,kind,netname\nNORTH-ZZ,198.19.32.0/24,assigned,NORTH-1\n');
  expect(asFile(differences).split('\n').slice(1, 3)).toEqual([
    'not at the registry,2,198.19.32.0/24,NORTH-ZZ,NORTH-1,,,,',
    'not in your list,,,,,AS1,NORTH-ZZ,,',
  ]);
});
