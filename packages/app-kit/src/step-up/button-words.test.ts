import { expect, test } from 'vitest';
import { buttonWords } from './button-words.ts';

test('the button that confirms names the object that the page leaves out', () => {
  expect(buttonWords('Approve', 'Approve REQ-1: delegate 198.19.171.0/24 to CORAL-KI')).toBe('Approve REQ-1');
  expect(buttonWords('Delete', 'Delete the contact “Ada Bo”')).toBe('Delete the contact “Ada Bo”');
});
test('the button keeps the words of the page where they name the object, or where the sentence is another or long', () => {
  expect(buttonWords('Create key', 'Create the API key “ci” for EXAMPLE-AU')).toBe('Create key');
  expect(buttonWords('Approve', 'Decline REQ-1')).toBe('Approve');
  expect(buttonWords('Approve', `Approve ${'a'.repeat(50)}`)).toBe('Approve');
  expect(buttonWords('Approve', undefined)).toBe('Approve');
});
