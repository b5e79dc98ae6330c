import { expect, it } from 'vitest';
import { checkActSentences, sentenceFindings } from './act-sentences.ts';
import { partsOf } from '../packages/contract/src/act-sentences.ts';

const where = 'packages/contract/src/act-sentences.ts';
/** A body as the library of schemas describes it. */
const bodyOf = (shape: object) => ({ _zod: { def: { type: 'object', shape } } }) as never;
const rotate = {
  id: 'keys.rotate',
  path: '/api/:account/keys/:keyId',
  body: bodyOf({ values: { _zod: { def: { innerType: bodyOf({ title: {} }) } } }, from: {} }),
} as const;
const findings = (sentences: Record<string, string>) => sentenceFindings([rotate], sentences, { partsOf, things: ['contact'] });

it('finds nothing in the sentences of the registry', async () => {
  expect(await checkActSentences()).toEqual([]);
});

it('refuses an act without its sentence, and a sentence without its act', () => {
  expect(findings({})).toEqual([
    `${where}: keys.rotate has no sentence: what does it do, to what? Its person is asked about it in these words`,
  ]);
  expect(findings({ 'keys.rotate': 'Rotate', 'keys.turn': 'Turn' })).toEqual([
    `${where}: keys.turn is no change that takes a second factor given just now`,
  ]);
});

it('refuses parts that the call is not sent, unknown things, and ids', () => {
  expect(findings({ 'keys.rotate': 'Rotate {values.title} of {account}[ from {from}], {contact:keyId}' })).toEqual([]);
  expect(findings({ 'keys.rotate': 'Rotate {name}' })).toEqual([`${where}: keys.rotate is sent no name, which {name} stands for`]);
  expect(findings({ 'keys.rotate': 'Rotate {cat:keyId}' })).toEqual([
    `${where}: keys.rotate: {cat:keyId}: no module names things of the kind “cat”`,
  ]);
  expect(findings({ 'keys.rotate': 'Rotate {keyId}' })).toEqual([
    `${where}: keys.rotate: no person knows the id {keyId}; write what it stands for, such as {contact:keyId}`,
  ]);
});
