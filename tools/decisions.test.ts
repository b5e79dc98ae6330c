import { expect, test } from 'vitest';
import { areasOf, deadLinks, deadReferences, decisionFindings, readDecision } from './decisions.ts';

const areas = areasOf([
  'apps/server/src/modules/whois/index.ts',
  'apps/server/src/platform/log.ts',
  'packages/ui/src/index.ts',
  'apps/desk/src/a.ts',
]);
const page = (name: string, text: string) => ({ path: `docs/decisions/${name}`, text });
const journal = page('0020-whois-journal.md', '# 20. The journal\n\nModule: whois, ui\n\nText');

test('a decision has a number, a title and its modules, and says what superseded it', () => {
  expect(readDecision(journal)).toEqual({
    file: '0020-whois-journal.md',
    number: 20,
    title: 'The journal',
    modules: ['whois', 'ui'],
    superseded: '',
  });
  const text = '# 27. Voting\n\nModule: desk. Superseded in part by [71](0071-handover.md)\n\nText';
  expect(readDecision(page('0027-voting.md', text))?.superseded).toBe('Superseded in part by [71](0071-handover.md)');
});

test('a decision without its head, with an unknown module, another number or a number that is taken is refused', () => {
  expect(decisionFindings([journal], areas)).toEqual([]);
  expect(decisionFindings([page('0021-a.md', '# Title\n\nText')], areas)).toEqual([
    'docs/decisions/0021-a.md must begin with "# NUMBER. TITLE", an empty line and "Module: NAME, …"',
  ]);
  expect(decisionFindings([page('0021-a.md', '# 21. A\n\nModule: weather\n\n')], areas).join()).toContain('names the module weather');
  expect(decisionFindings([page('0022-a.md', '# 21. A\n\nModule: whois\n\n')], areas).join()).toContain('another one in its name');
  expect(decisionFindings([journal, page('0020-b.md', '# 20. B\n\nModule: platform\n\n')], areas)).toEqual([
    'docs/decisions/0020-b.md has the number of 0020-whois-journal.md: take the next free one',
  ]);
});

test('references by number and by name are found where no decision has them', () => {
  const text =
    'See decision 20, decisions/0020-whois-journal.md, docs/decisions/0020. Not decision 21, decision [22](x), docs/decisions/0020-journal.md.';
  expect(deadReferences([{ path: 'a.ts', text }], [journal])).toEqual([
    'a.ts refers to decision 21, which is not there',
    'a.ts refers to decision [22, which is not there',
    'a.ts refers to decisions/0020-journal, which is not there',
  ]);
});

test('links are read from the folder of their document', () => {
  const there = new Set(['docs/glossary.md', 'README.md']);
  const text = '[a](../glossary.md#words) [b](../../README.md) [c](https://example.net/x.md) [d](#below) [e](gone.md)';
  expect(deadLinks(page('README.md', text), path => there.has(path))).toEqual([
    'docs/decisions/README.md links to gone.md, which is not there',
  ]);
});
