import { expect, test } from 'vitest';
import { refuse, refuseField, refuseFields } from './failure.ts';

test('the words of a refusal are those of its problems, without the frame of an answer', () => {
  expect(refuse('INVALID_REQUEST', { detail: 'there are no rows below the header' }).words).toBe('There are no rows below the header');
  expect(refuseField('resource', '198.19.0.0/25 overlaps 198.19.0.0/24').words).toBe('198.19.0.0/25 overlaps 198.19.0.0/24');
  const two = refuseFields([
    { field: 'netname', message: 'Enter a netname, such as NORTHNET-1' },
    { field: 'resource', message: 'Enter a prefix' },
  ]);
  expect(two.words).toBe('Enter a netname, such as NORTHNET-1; Enter a prefix');
  expect(refuse('NOT_FOUND', { what: 'chief’s page' }).words).toBe('chief’s page wasn’t found');
});
