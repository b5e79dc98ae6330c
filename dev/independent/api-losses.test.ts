import { expect, test } from 'vitest';
import { losses, type OpenApi } from './api-losses.ts';

type Fields = Record<string, object>;
const object = (required: readonly string[], properties: Fields) => ({ type: 'object', required: [...required], properties });
/** A description with one call, which takes and answers objects. */
const described = (answer: object, body: object = object([], {}), path = '/api/shelves'): OpenApi => {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  return { paths: { [path]: { post: { requestBody: json(body), responses: { '200': json(answer) } } } } };
};
const text = { type: 'string' };
const shelf = object(['name', 'books'], { name: text, books: { type: 'array', items: object(['title'], { title: text, note: text }) } });

test('what is added is no loss', () => {
  const more = object(['name', 'books', 'colour'], { ...shelf.properties, colour: text });
  expect(losses(described(shelf), described(more, object([], { colour: text })))).toEqual([]);
});

test('a call that is gone, a field that is no longer answered, and one that is now needed are losses', () => {
  expect(losses(described(shelf), described(shelf, object([], {}), '/api/racks'))).toEqual(['POST /api/shelves is gone']);
  const less = object(['name', 'books'], { name: text, books: { type: 'array', items: object(['note'], { note: text }) } });
  expect(losses(described(shelf), described(less))).toEqual([`POST /api/shelves doesn't answer books[].title any more`]);
  expect(losses(described(shelf), described(shelf, object(['colour'], { colour: text })))).toEqual(['POST /api/shelves needs colour']);
});
