export const kebab = (name: string): string => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
export const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
export const pascal = (name: string): string => camel(name).replace(/^./, letter => letter.toUpperCase());
/** `sampleRooms` as a title: `Sample rooms`. */
export const sentence = (name: string): string => {
  const words = kebab(name).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Splits `contacts.removeContact`, or `contacts.invitations.resend…` where the module has several groups. @throws Error with an example */
export function namesOf(name: string | undefined, example: string): { module: string; file: string; verbNoun: string } {
  const [, module, file, verbNoun] = /^([a-z][\w-]*)(?:\.([a-z][\w-]*))?\.([a-z]+[A-Z]\w*)$/.exec(name ?? '') ?? [];
  if (!module || !verbNoun) throw new Error(`Name it like ${example}.`);
  return { module: kebab(module), file: kebab(file ?? module), verbNoun };
}
