import { printObject, type RpslObject } from './object.ts';

/** Returns the public text of the object: every `auth:` reads `# Filtered`, whatever its value. */
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
