import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askAt } from './ask.ts';

const answerTo = async (typed: string | null, { input = true, output = true } = {}) => {
  let written = '';
  const keyboard = Object.assign(new PassThrough(), { isTTY: input });
  const answer = askAt(keyboard, { isTTY: output, write: text => (written += text) })('Import the file?');
  if (typed === null) keyboard.end();
  else keyboard.write(typed);
  return { answer: await answer, written };
};

test.each([
  ['y\n', true],
  ['Y\n', true],
  ['yes\r\n', true],
  [' YES \n', true],
  ['n\n', false],
  ['\n', false],
  ['yellow\n', false],
  ['no\ny\n', false],
  [null, false],
])('%j at a terminal means %s', async (typed, expected) => {
  expect(await answerTo(typed)).toEqual({ answer: expected, written: 'Import the file? [y/N] ' });
});

test('no question is asked where input or output is no terminal', async () => {
  expect(await answerTo('y\n', { input: false })).toEqual({ answer: null, written: '' });
  expect(await answerTo('y\n', { output: false })).toEqual({ answer: null, written: '' });
});
