import { printObject, type RpslObject } from './object.ts';

/** Text of the object as anybody may see it: every `auth:` reads `# Filtered`, whatever it says. */
export function filtered(object: RpslObject): string {
  if (!object.attributes.some(attribute => attribute.name === 'auth')) return printObject(object);
  return printObject({
    ...object,
    attributes: object.attributes.map(attribute =>
      attribute.name === 'auth'
        ? { ...attribute, written: 'auth', value: '', raw: '           # Filtered\n', comment: 'Filtered' }
        : attribute,
    ),
  });
}
