import { readFileSync } from 'node:fs';
import path from 'node:path';
import { applyFileSchema } from '@portal/contract/apply-file';
import { expect, test } from 'vitest';
import { readApplyFile } from './apply-file.ts';
import { withValues } from './rpsl-text.ts';

const example = path.join(import.meta.dirname, '../../../examples/registry-as-code/registry.yaml');

test('the example is a file that can be applied, and each of its parts has a place', () => {
  const { content, at } = readApplyFile('registry.yaml', readFileSync(example, 'utf8'));
  expect(content.routes).toHaveLength(2);
  expect(at(['routes', 1, 'prefix'])).toEqual({ line: 9, column: 13 });
  expect(at(['routes', 1, 'nothing'])).toEqual({ line: 9, column: 5 });
});

test('the schema for editors names every section, allows no other, and says what each field is', () => {
  const schema = applyFileSchema('https://portal.example.net') as {
    $id: string;
    additionalProperties: boolean;
    properties: Record<string, { description?: string }>;
  };
  expect(schema.$id).toBe('https://portal.example.net/schemas/apply-v1.json');
  expect(schema.additionalProperties).toBe(false);
  expect(Object.keys(schema.properties)).toEqual(['version', 'account', 'contacts', 'reverseZones', 'aspas', 'routes', 'roas']);
  for (const [name, { description }] of Object.entries(schema.properties)) expect(description, name).toBeTruthy();
});

test.each([
  [
    'aliases that multiply',
    `version: 1\naccount: EXAMPLE-AU\na: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefgh'
      .split('')
      .map((name, at) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefg'[at]!}`).join(', ')}]`)
      .join('\n')}\n`,
    'registry.yaml:4:8: aliases such as *a stand for too much of the file. Write out what they stand for',
  ],
  [
    'an alias of nothing',
    'version: 1\naccount: *nobody\n',
    'registry.yaml:2:10: *nobody means nothing: no part before it is called &nobody',
  ],
])('%s are named at their place', (_what, text, line) => {
  let failure: unknown;
  try {
    readApplyFile('registry.yaml', text);
  } catch (error) {
    failure = error;
  }
  expect(failure).toMatchObject({ message: 'registry.yaml can’t be applied. Nothing was changed.', lines: [line] });
});

test('values of an object are replaced in their place, and everything else of it stays', () => {
  const text =
    'role:           Example NOC\naddress:        1 Old Street\naddress:        Brisbane\nphone:          +61 7 5550 0100\nmnt-by:         MAINT-EX\nlast-modified:  2026-01-01T00:00:00Z\nsource:         EXAMPLE\n';
  expect(withValues(text, { address: ['2 New Street'], remarks: ['day and night'], phone: undefined })).toBe(
    'role:           Example NOC\naddress:        2 New Street\nphone:          +61 7 5550 0100\nremarks:        day and night\nmnt-by:         MAINT-EX\nsource:         EXAMPLE\n',
  );
});
