import fs from 'node:fs';

/** Version of this program, from its package file; shown in error reports and in the API description. */
export const release: string = (JSON.parse(fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
  .version;
